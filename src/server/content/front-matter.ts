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
 * Parses a content file. An invalid line is reported and ignored, so that it costs a menu entry but not the page.
 * @param fallback the title of a page without one
 * @returns null beside the faults if the head never ends, because the start of the text is unknown
 */
export function parseContent(text: string, fallback: string): ParsedContent | { faults: readonly ContentFault[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const faults: ContentFault[] = []
  const found: { -readonly [Key in keyof FrontMatter]?: FrontMatter[Key] } = {}
  let bodyFrom = 0
  if (lines[0]?.trim() === '---') {
    const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
    if (end < 0)
      return { faults: [{ line: 1, message: 'the head begins with --- and has no second --- that ends it' }] }
    bodyFrom = end + 1
    for (let at = 1; at < end; at += 1) {
      const fault = readLine(lines[at] ?? '', found)
      if (fault) faults.push({ line: at + 1, message: fault })
    }
  }
  if (found.title === undefined)
    faults.push({ line: 1, message: `there is no title, so the page is called ${fallback}` })
  const { title = fallback, description = '', menu = 'none', order = 0, draft = false } = found
  return { matter: { title, description, menu, order, draft }, body: lines.slice(bodyFrom).join('\n'), faults }
}

/** @returns the fault of the line */
function readLine(
  line: string,
  found: { -readonly [Key in keyof FrontMatter]?: FrontMatter[Key] },
): string | undefined {
  if (line.trim() === '' || line.trimStart().startsWith('#')) return undefined
  const [, name = '', written = ''] = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(line) ?? []
  const key = keys.find((one) => one === name)
  if (name === '') return `${JSON.stringify(line.trim().slice(0, 60))} is not of the form name: value`
  if (!key) return `${name} is not known: a page has ${keys.join(', ')}`
  if (found[key] !== undefined) return `${key} is given a second time`
  const value = unquoted(written.trim())
  if (key === 'menu') {
    const menu = places.find((place) => place === value)
    if (!menu) return `menu must be ${places.join(', ')}, not ${JSON.stringify(value)}`
    found.menu = menu
  } else if (key === 'order') {
    if (!/^-?\d{1,6}$/.test(value)) return `order must be a whole number, not ${JSON.stringify(value)}`
    found.order = Number(value)
  } else if (key === 'draft') {
    // Anything but a plain "no" keeps the page unpublished: publishing by mistake is worse.
    found.draft = value !== 'no'
    if (value !== 'yes' && value !== 'no') return `draft must be yes or no, not ${JSON.stringify(value)}`
  } else {
    if (value === '') return `${key} is empty`
    if (value.length > longest[key]) return `${key} has more than ${longest[key]} characters`
    found[key] = value
  }
  return undefined
}

/** Removes quotation marks, which a value with a trailing space needs. */
function unquoted(value: string): string {
  const [, mark, inner] = /^(["'])(.*)\1$/.exec(value) ?? []
  return mark && inner !== undefined ? inner : value
}
