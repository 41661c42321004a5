import {
  type ExchangeFile,
  type ExchangeUnit,
  FileFault,
  isTranslated,
  pluralForms,
  type ReadExchange,
  runReader,
} from './exchange.ts'

/** Writes one unit per line, so that versions of a file can be compared line by line. */
export function writeJson({ language, source, units }: ExchangeFile): string {
  const lines = units.map(({ area, context, markup, original, translated, status }) =>
    JSON.stringify({
      area,
      ...(context !== '' && { context }),
      ...(markup && { markup }),
      original,
      translated,
      status,
    }),
  )
  const head = `"language": ${JSON.stringify(language)},\n  "source": ${JSON.stringify(source)}`
  return `{\n  ${head},\n  "units": [${lines.length > 0 ? `\n    ${lines.join(',\n    ')}\n  ` : ''}]\n}\n`
}

/** Parses such a file, or the plain form `{ "Add to cart": "In den Warenkorb" }`. */
export function readJson(text: string): ReadExchange {
  return runReader(() => {
    const data = parsed(text.replace(/^\uFEFF/, ''))
    if (!isRecord(data)) throw new FileFault(1, 'The file must contain a JSON object.')
    if (!Array.isArray(data.units)) {
      const units = Object.entries(data).map(([original, translated]) =>
        unitOf({ original, translated }, lineOf(text, original)),
      )
      return { language: '', units }
    }
    const language = data.language ?? ''
    if (typeof language !== 'string') throw new FileFault(1, 'language must be a string.')
    let from = 0
    return {
      language,
      units: data.units.map((unit: unknown) => {
        // Units are in file order: each is searched after the previous one.
        const needle = isRecord(unit) && typeof unit.original === 'string' ? JSON.stringify(unit.original) : ''
        const at = needle === '' ? -1 : text.indexOf(needle, from)
        if (at >= 0) from = at + needle.length
        return unitOf(unit, lineAt(text, at < 0 ? from : at))
      }),
    }
  })
}

const areas = ['interface', 'content', 'slug'] as const
const statuses = [0, 1, 2, 3] as const

function unitOf(unit: unknown, line: number): ExchangeUnit & { line: number } {
  if (!isRecord(unit)) throw new FileFault(line, 'A unit must be an object.')
  const { original, context = '', markup = false } = unit
  if (typeof original !== 'string' || original === '') throw new FileFault(line, 'original must be a non-empty string.')
  if (typeof context !== 'string') throw new FileFault(line, 'context must be a string.')
  if (typeof markup !== 'boolean') throw new FileFault(line, 'markup must be true or false.')
  const area = areas.find((one) => one === unit.area) ?? null
  if (area === null && unit.area !== undefined && unit.area !== null)
    throw new FileFault(line, `area must be one of ${areas.join(', ')}.`)
  const translated = translatedOf(unit.translated, line)
  const given = statuses.find((one) => one === unit.status)
  if (given === undefined && unit.status !== undefined) throw new FileFault(line, 'status must be 0, 1, 2 or 3.')
  return { area, context, markup, original, translated, status: isTranslated(translated) ? (given ?? 2) : 0, line }
}

function translatedOf(translated: unknown, line: number): ExchangeUnit['translated'] {
  if (typeof translated === 'string') return translated
  if (!isRecord(translated))
    throw new FileFault(line, 'A translation must be a string, or a string for each plural category.')
  return Object.fromEntries(
    Object.entries(translated).map(([form, said]) => {
      if (!pluralForms.some((one) => one === form)) throw new FileFault(line, `"${form}" is not a plural category.`)
      if (typeof said !== 'string') throw new FileFault(line, `The form "${form}" must be a string.`)
      return [form, said]
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const position = /position (\d+)/.exec(message)?.[1]
    throw new FileFault(position === undefined ? 1 : lineAt(text, Number(position)), `Invalid JSON: ${message}`)
  }
}

const lineAt = (text: string, at: number) => text.slice(0, at).split('\n').length
const lineOf = (text: string, original: string) => lineAt(text, Math.max(0, text.indexOf(JSON.stringify(original))))

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
