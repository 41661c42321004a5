/** What stands at the head of a content file, between two lines of three hyphens. */
export type FrontMatter = {
  readonly title: string
  readonly description: string
  /** Which of the menus that the shop makes by itself lists the page. */
  readonly menu: 'main' | 'footer' | 'none'
  /** Lower comes first. */
  readonly order: number
  /** Written and not published: nobody sees the page. */
  readonly draft: boolean
}

/** What is wrong with a file, and in which line, counted from 1. */
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
 * Reads a content file. A line that is wrong is named and left out, so that one slip costs a menu entry and never the page.
 * @param fallback the title of a page that gives none
 * @returns null beside the faults when the head never ends: where the text begins is then anybody's guess
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

/** @returns what is wrong with the line */
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
    // Whatever is written there but a plain no keeps the page back: to publish by a slip is worse than not to.
    found.draft = value !== 'no'
    if (value !== 'yes' && value !== 'no') return `draft must be yes or no, not ${JSON.stringify(value)}`
  } else {
    if (value === '') return `${key} is empty`
    if (value.length > longest[key]) return `${key} has more than ${longest[key]} characters`
    found[key] = value
  }
  return undefined
}

/** A value may stand in quotation marks, as one that ends in a space must. */
function unquoted(value: string): string {
  const [, mark, inner] = /^(["'])(.*)\1$/.exec(value) ?? []
  return mark && inner !== undefined ? inner : value
}
