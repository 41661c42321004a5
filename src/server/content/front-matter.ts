import { isMap, isScalar, parseDocument, type YAMLParseError } from 'yaml'

/** The head of a content file, between two lines of three hyphens. */
export type FrontMatter = {
  readonly title: string
  readonly description: string
  /** The generated menu that lists the page. */
  readonly menu: 'main' | 'footer' | 'none'
  /** Lower comes first. */
  readonly order: number
  /** Not published: the page is not served. */
  readonly draft: boolean
}

/** A fault of a file, with its line, counted from 1. */
export type ContentFault = { readonly line: number; readonly message: string }

export type ParsedContent = {
  readonly matter: FrontMatter
  readonly body: string
  readonly faults: readonly ContentFault[]
}

const keys = ['title', 'description', 'menu', 'order', 'draft'] as const
const places = ['main', 'footer', 'none'] as const
const longest = { title: 150, description: 400 } as const

/**
 * Parses a content file, whose head is YAML. An invalid entry is reported and ignored, so that it costs a menu entry but
 * not the page.
 * @param fallback the title of a page without one
 * @returns null beside the faults if the head never ends, because the start of the text is unknown
 */
export function parseContent(text: string, fallback: string): ParsedContent | { faults: readonly ContentFault[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  let bodyFrom = 0
  let head: Head = { found: {}, faults: [] }
  if (lines[0]?.trim() === '---') {
    const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
    if (end < 0)
      return { faults: [{ line: 1, message: 'the head begins with --- and has no second --- that ends it' }] }
    bodyFrom = end + 1
    head = parseHead(lines.slice(1, end))
  }
  const { found, faults } = head
  if (found.title === undefined)
    faults.push({ line: 1, message: `there is no title, so the page is called ${fallback}` })
  const { title = fallback, description = '', menu = 'none', order = 0, draft = false } = found
  return { matter: { title, description, menu, order, draft }, body: lines.slice(bodyFrom).join('\n'), faults }
}

type Found = { -readonly [Key in keyof FrontMatter]?: FrontMatter[Key] }
type Head = { found: Found; faults: ContentFault[] }

/** Parses each entry by itself, so that a broken one swallows no other: a draft would be published by mistake. */
function parseHead(lines: readonly string[]): Head {
  const found: Found = {}
  const faults: ContentFault[] = []
  for (let from = 0; from < lines.length; ) {
    let to = from + 1
    while (to < lines.length && /^(?:\s|$)/.test(lines[to] ?? '')) to += 1
    const fault = readEntry(lines.slice(from, to).join('\n'), found)
    // The head begins on the second line of the file.
    if (fault) faults.push({ line: from + 2, message: fault })
    from = to
  }
  return { found, faults }
}

/** @returns the fault of the entry */
function readEntry(entry: string, found: Found): string | undefined {
  // This schema has no types but text: "yes", "2024" and "null" are what they look like.
  const { contents, errors } = parseDocument(entry, { schema: 'failsafe', prettyErrors: false, logLevel: 'silent' })
  if (contents === null && errors.length === 0) return undefined
  const pair = isMap(contents) ? contents.items[0] : undefined
  const name = isScalar(pair?.key) ? String(pair.key.value) : ''
  if (!/^[A-Za-z][\w-]*$/.test(name) || (pair?.value === null && !/:\s*$/.test(entry)))
    return `${JSON.stringify(entry.trim().slice(0, 60))} is not of the form name: value`
  const key = keys.find((one) => one === name)
  if (!key) return `${name} is not known: a page has ${keys.join(', ')}`
  if (found[key] !== undefined) return `${key} is given a second time`
  const { value, fault } = textOf(pair?.value, entry, errors)
  // Anything but a plain "no" keeps the page unpublished: publishing by mistake is worse.
  if (key === 'draft') found.draft = value !== 'no'
  return value === null ? `${key} must be text: ${fault}` : readText(key, value, found)
}

function textOf(
  value: unknown,
  entry: string,
  errors: readonly YAMLParseError[],
): { value: string; fault?: never } | { value: null; fault: string } {
  // A colon in a text without quotation marks is no YAML, and was allowed before.
  if (isMap(value) && errors.every(({ code }) => code === 'BLOCK_AS_IMPLICIT_KEY')) {
    const [, text] = /^[^:]*:\s+(\p{L}[^\n]*)$/u.exec(entry.trim()) ?? []
    if (text !== undefined) return { value: text }
  }
  const [error] = errors
  if (error) return { value: null, fault: error.message }
  if (value !== null && !isScalar(value)) return { value: null, fault: 'put it in quotation marks' }
  return { value: String(value?.value ?? '').trim() }
}

/** @returns the fault of the text */
function readText(key: (typeof keys)[number], value: string, found: Found): string | undefined {
  if (key === 'draft') {
    return value === 'yes' || value === 'no' ? undefined : `draft must be yes or no, not ${JSON.stringify(value)}`
  }
  if (key === 'menu') {
    const menu = places.find((place) => place === value)
    if (!menu) return `menu must be ${places.join(', ')}, not ${JSON.stringify(value)}`
    found.menu = menu
  } else if (key === 'order') {
    if (!/^-?\d{1,6}$/.test(value)) return `order must be a whole number, not ${JSON.stringify(value)}`
    found.order = Number(value)
  } else {
    if (value === '') return `${key} is empty`
    if (value.length > longest[key]) return `${key} has more than ${longest[key]} characters`
    found[key] = value
  }
  return undefined
}
