import { asBytes, type MarkupPieces } from './markup-bytes.ts'

const signs = ['<', '>', '&', '\u2028', '\u2029']

/** JSON that cannot end the script element it stands in, nor open a comment in it. */
export function jsonForScript(value: unknown): string {
  const json = JSON.stringify(value)
  // Most of it has none of them, and plain search finds that out in a twentieth of the time.
  if (!signs.some((sign) => json.includes(sign))) return json
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * `jsonForScript` of an object whose entries mostly are what other pages print as well: those are frozen, whatever is in them is
 * never changed either, and they are written once.
 */
export function settingsPieces(settings: Readonly<Record<string, unknown>>): MarkupPieces {
  const pieces: (string | Uint8Array)[] = []
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined) continue
    pieces.push(`${pieces.length === 0 ? '{' : ','}${jsonForScript(name)}:`, written(value))
  }
  return pieces.length === 0 ? ['{}'] : [...pieces, '}']
}

function written(value: unknown): string | Uint8Array {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return jsonForScript(value)
  const bytes = shared.get(value) ?? asBytes(jsonForScript(value))
  shared.set(value, bytes)
  return bytes
}

const shared = new WeakMap<object, Uint8Array>()
