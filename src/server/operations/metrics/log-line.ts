/** How the log is written: lines for a person at a terminal, or JSON for programs. */
export type LogFormat = 'text' | 'json'

/**
 * Chooses text on a terminal and JSON otherwise; in production always JSON. `LOG_FORMAT` decides where it is set.
 * @param variables the environment of the process
 */
export function logFormat(
  variables: Readonly<Record<string, string | undefined>>,
  output: { readonly isTTY?: boolean | undefined },
): LogFormat {
  const { LOG_FORMAT, NODE_ENV } = variables
  if (LOG_FORMAT === 'text' || LOG_FORMAT === 'json') return LOG_FORMAT
  const isProduction = NODE_ENV === 'production' && LOG_FORMAT !== 'auto'
  return output.isTTY && !isProduction ? 'text' : 'json'
}

const levels: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Characters that a terminal would obey instead of showing them. */
const control = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/**
 * One line of the log as a person reads it: `12:03:04 INFO  message key=value`, with the local time of the machine.
 * @param json a line as pino writes it; what is no JSON is returned as it is
 */
export function textLine(json: string): string {
  let entry: unknown
  try {
    entry = JSON.parse(json)
  } catch {
    return json
  }
  if (typeof entry !== 'object' || entry === null) return json
  const { level, time, msg, ...facts } = entry as Record<string, unknown>
  const at = new Date(typeof time === 'string' || typeof time === 'number' ? time : Number.NaN)
  const clock = Number.isNaN(at.getTime()) ? '--:--:--' : at.toTimeString().slice(0, 8)
  const name = (levels[Number(level)] ?? String(level)).padEnd(5)
  const pairs = Object.entries(facts).map(([key, value]) => ` ${escaped(key)}=${valueText(value)}`)
  return `${clock} ${name} ${escaped(String(msg ?? ''))}${pairs.join('')}\n`
}

function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value)
  return escaped(isPlain ? value : (JSON.stringify(value) ?? ''))
}

const escaped = (text: string) =>
  text.replace(control, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
