import {
  type ExchangeFile,
  type ExchangeUnit,
  FileFault,
  formsOf,
  isTranslated,
  type PluralForms,
  pluralForms,
  type ReadExchange,
  runReader,
} from './exchange.ts'
import { gettextPlural } from './gettext-plural.ts'

// Catalogs of GNU gettext. Interface texts have no context; all others start their context with their area.

const categoriesHeader = 'X-Plural-Categories'

export function writePo({ language, source, units }: ExchangeFile): string {
  const forms = formsOf(language)
  const header = [
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    `Language: ${language.replaceAll('-', '_')}`,
    `X-Source-Language: ${source.replaceAll('-', '_')}`,
    `Plural-Forms: ${gettextPlural(language)}`,
    `${categoriesHeader}: ${forms.join(' ')}`,
    '',
  ].join('\n')
  return `${[`msgid ""\nmsgstr ${quoted(header)}`, ...units.map((unit) => entryOf(unit, forms))].join('\n\n')}\n`
}

function entryOf(unit: ExchangeUnit, forms: readonly (keyof PluralForms)[]): string {
  const { original, translated, status } = unit
  const context = contextOf(unit)
  const lines = [
    ...(status === 3 ? ['#. similar'] : []),
    ...(status === 1 || status === 3 ? ['#, fuzzy'] : []),
    ...(context === '' ? [] : [`msgctxt ${quoted(context)}`]),
    `msgid ${quoted(original)}`,
  ]
  if (typeof translated === 'string') return [...lines, `msgstr ${quoted(translated)}`].join('\n')
  const texts = forms.map((form, index) => `msgstr[${index}] ${quoted(translated[form] ?? '')}`)
  return [...lines, `msgid_plural ${quoted(original)}`, ...texts].join('\n')
}

function contextOf({ area, context, markup }: ExchangeUnit): string {
  const rest = context === '' ? '' : `:${context}`
  return area === null || (area === 'interface' && rest === '' && !markup)
    ? ''
    : `${area}${markup ? '+html' : ''}${rest}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
const unescapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '?': '?',
}

/** Writes a multi-line text on several lines, the usual form for tools and people. */
function quoted(text: string): string {
  const escaped = (part: string) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break the file.
    `"${part.replace(/[\\"\u0000-\u001F]/g, (one) => escapes[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
  const lines = text.split(/(?<=\n)/)
  return lines.length < 2 ? escaped(text) : ['""', ...lines.map(escaped)].join('\n')
}

type Entry = {
  line: number
  fuzzy: boolean
  similar: boolean
  /** `msgid`, `msgstr[2]` … */
  parts: Map<string, string>
}

export function readPo(text: string): ReadExchange {
  return runReader(() => {
    // A file of ours names the categories, and leaves away the area of the interface alone.
    const entries = entriesOf(text)
    const header = entries.find(({ parts }) => parts.get('msgid') === '')?.parts.get('msgstr') ?? ''
    const language = headerOf(header, 'Language').replaceAll('_', '-')
    const named = headerOf(header, categoriesHeader).split(/\s+/)
    const categories = pluralForms.filter((form) => named.includes(form))
    const forms = categories.length > 0 ? categories : formsIn(language)
    return {
      language,
      units: entries
        .filter(({ parts }) => parts.get('msgid') !== '')
        .map((entry) => unitOf(entry, forms, categories.length > 0 ? 'interface' : null)),
    }
  })
}

function headerOf(header: string, name: string): string {
  const line = header.split('\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}

function formsIn(language: string): readonly (keyof PluralForms)[] {
  try {
    return formsOf(language)
  } catch {
    // An invalid tag: the caller asks for the language.
    return formsOf('en')
  }
}

function unitOf(
  { line, parts, fuzzy, similar }: Entry,
  forms: readonly (keyof PluralForms)[],
  otherwise: 'interface' | null,
): ExchangeUnit & { line: number } {
  const original = parts.get('msgid_plural') ?? parts.get('msgid')
  if (original === undefined) throw new FileFault(line, 'msgid is missing.')
  const [, area, html, context = ''] =
    /^(interface|content|slug)(\+html)?(?::([\s\S]*))?$/.exec(parts.get('msgctxt') ?? '') ?? []
  const strings = [...parts].filter(([name]) => name.startsWith('msgstr'))
  if (strings.length === 0) throw new FileFault(line, 'msgstr is missing.')
  let translated: ExchangeUnit['translated'] = parts.get('msgstr') ?? ''
  if (parts.has('msgid_plural')) {
    translated = Object.fromEntries(
      strings.flatMap(([name, said]): [string, string][] => {
        const form = forms[Number(/\d+/.exec(name)?.[0] ?? '0')]
        if (form === undefined) throw new FileFault(line, `${name} exceeds the plural forms of the language.`)
        return said === '' ? [] : [[form, said]]
      }),
    )
  }
  const status = !isTranslated(translated) ? 0 : !fuzzy ? 2 : similar ? 3 : 1
  return {
    area: area === 'interface' || area === 'content' || area === 'slug' ? area : otherwise,
    context,
    markup: html !== undefined,
    original,
    translated,
    status,
    line,
  }
}

const keyword = /^(msgctxt|msgid_plural|msgid|msgstr(?:\[\d{1,2}\])?)\s*("[\s\S]*)$/

function entriesOf(text: string): Entry[] {
  const entries: Entry[] = []
  let entry: Entry | null = null
  let part = ''
  let flags = { fuzzy: false, similar: false }
  const noFlags = { fuzzy: false, similar: false }
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1
    const content = written.trim()
    if (content === '') {
      part = ''
      continue
    }
    if (content.startsWith('#')) {
      // Lines that start with #~ are obsolete entries.
      if (content.startsWith('#,') && /\bfuzzy\b/.test(content)) flags = { ...flags, fuzzy: true }
      if (/^#\.\s*similar$/.test(content)) flags = { ...flags, similar: true }
      part = ''
      continue
    }
    const [, name, value] = keyword.exec(content) ?? []
    if (name !== undefined && value !== undefined) {
      if (
        entry === null ||
        (name === 'msgctxt' && entry.parts.size > 0) ||
        (name === 'msgid' && entry.parts.has('msgid'))
      ) {
        entry = { line, ...flags, parts: new Map() }
        flags = noFlags
        entries.push(entry)
      }
      if (entry.parts.has(name)) throw new FileFault(line, `${name} is repeated.`)
      entry.parts.set(name, unquoted(value, line))
      part = name
    } else if (content.startsWith('"') && entry !== null && part !== '') {
      entry.parts.set(part, (entry.parts.get(part) ?? '') + unquoted(content, line))
    } else throw new FileFault(line, `Invalid line of a PO file: ${content.slice(0, 40)}`)
  }
  return entries
}

function unquoted(value: string, line: number): string {
  const [, inner] = /^"((?:[^"\\]|\\[\s\S])*)"$/.exec(value) ?? []
  if (inner === undefined) throw new FileFault(line, 'The closing quotation mark is missing.')
  return inner.replace(/\\(?:([0-7]{1,3})|x([\da-f]{1,2})|([\s\S]))/gi, (_, octal?: string, hex?: string, one = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    const meant = unescapes[one]
    if (meant === undefined) throw new FileFault(line, `Unknown escape \\${one}.`)
    return meant
  })
}
