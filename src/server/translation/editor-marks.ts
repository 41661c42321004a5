import { marks } from '#contract/translation/editor.ts'
import { isMarked, isTranslatable, lastOf, splitMarkup } from '#domain/translation/markup.ts'
import { decodeEntities, escapeText } from '#domain/translation/markup-entities.ts'
import { type MarkupToken, tokensOf } from '#domain/translation/markup-tokens.ts'
import { normalise } from '#domain/translation/normalise.ts'

/** The data by which the editor marks a text. */
export type Mark = {
  readonly id: number
  readonly group: string
  readonly values?: readonly (string | number)[]
  readonly form?: string
  readonly markup?: boolean
}

/** Texts of a page that may be translatable. */
export type Candidates = { readonly texts: readonly string[]; readonly markup: readonly string[] }

/** @returns the mark of a displayed text; undefined for an unknown text */
export type MarkOf = (shown: string, markup: boolean) => Mark | undefined

/** Collects everything in markup that could be marked, without duplicates. */
export function candidatesIn(html: string): Candidates {
  const texts = new Set<string>()
  for (const { text } of spots(html)) if (isTranslatable(text)) texts.add(normalise(text))
  const markup = splitMarkup(html).segments.filter((segment) => segment.markup)
  return { texts: [...texts], markup: [...new Set(markup.map(({ text }) => normalise(text)))] }
}

/**
 * Marks the texts of a page for the editor. A text is wrapped in an element; an attribute, or a text that cannot
 * contain elements, is marked on its element. Appearance and content stay the same.
 * @param parts texts that may occur within others, longest first
 */
export function withMarks(html: string, markOf: MarkOf, parts: readonly string[] = []): string {
  const whole = withMarkedSentences(html, markOf)
  let made = ''
  let from = 0
  const put = (end: number, text: string) => {
    made += text
    from = end
  }
  for (const spot of spots(whole)) {
    if (spot.kind === 'text') {
      put(spot.start, whole.slice(from, spot.start))
      put(spot.end, markedText(spot.text, whole.slice(spot.start, spot.end), markOf, parts))
      continue
    }
    const mark = markOf(normalise(spot.text), false) ?? longestIn(spot.text, markOf, parts)?.mark
    if (!mark) continue
    const names = spot.kind === 'inside' ? { id: marks.id, group: marks.group } : marks.of(spot.attribute)
    put(
      spot.tagEnd,
      `${whole.slice(from, spot.tagEnd)} ${names.id}="${mark.id}" ${names.group}="${escapeText(mark.group)}"${
        spot.kind === 'inside' ? details(mark) : ''
      }`,
    )
  }
  return made + whole.slice(from)
}

/** Marks sentences with inline elements, which are translated as one text. */
function withMarkedSentences(html: string, markOf: MarkOf): string {
  let made = ''
  let from = 0
  for (const { text, markup } of splitMarkup(html).segments) {
    const mark = markup ? markOf(normalise(text), true) : undefined
    // Segments are in document order, and those with markup are verbatim.
    const at = mark ? html.indexOf(text, from) : -1
    if (!mark || at < 0) continue
    made += html.slice(from, at) + wrapped(text, mark)
    from = at + text.length
  }
  return made + html.slice(from)
}

/** The position of a text. `tagEnd`: where its element's tag can take another attribute. */
type Spot = { readonly text: string } & (
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  | { readonly kind: 'inside'; readonly tagEnd: number }
  | { readonly kind: 'attribute'; readonly attribute: string; readonly tagEnd: number }
)

type Open = MarkupToken & { kind: 'open' }

const spoken = new Set(['alt', 'title', 'aria-label', 'aria-description', 'placeholder'])
const buttons = new Set(['submit', 'button', 'reset'])
const told = /^(?:description|og:title|og:description|og:image:alt|twitter:title|twitter:description)$/
/** Elements that contain text alone. */
const textOnly = new Set(['option', 'title'])
const silent = new Set(['code', 'pre', 'kbd', 'samp', 'svg', 'math', 'object', 'canvas'])

function spots(html: string): readonly Spot[] {
  const tokens = tokensOf(html)
  const found: Spot[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token?.kind === 'text') {
      const text = decodeEntities(html.slice(token.start, token.end))
      if (isTranslatable(text)) found.push({ kind: 'text', text, start: token.start, end: token.end })
      continue
    }
    if (token?.kind !== 'open') continue
    const quiet = isQuiet(token)
    if (!quiet || token.name === marks.tag) found.push(...attributesOf(html, token))
    if (token.empty) continue
    const next = tokens[index + 1]
    if (textOnly.has(token.name)) {
      if (next && !quiet && (next.kind === 'text' || next.kind === 'other')) {
        const text = decodeEntities(html.slice(next.start, next.end))
        if (isTranslatable(text)) found.push({ kind: 'inside', text, tagEnd: endOf(html, token) })
        index += 1
      }
    } else if (quiet) index = lastOf(tokens, index)
  }
  return found
}

function attributesOf(html: string, token: Open): Spot[] {
  // Titles of other files are not displayed.
  if (token.name === 'link') return []
  const value = (name: string) => token.attributes.find((one) => one.name === name)?.value ?? ''
  const tagEnd = endOf(html, token)
  const names = token.attributes.filter(({ name }) => {
    if (token.name === 'meta') return name === 'content' && told.test(value('name') || value('property'))
    return spoken.has(name) || (name === 'value' && token.name === 'input' && buttons.has(value('type')))
  })
  return names.flatMap(({ name, value: written }): Spot[] => {
    const text = decodeEntities(written ?? '')
    return isTranslatable(text) ? [{ kind: 'attribute', attribute: name, text, tagEnd }] : []
  })
}

/** Returns the position before the `>` or `/>` of a tag. */
function endOf(html: string, { start, end }: MarkupToken): number {
  return start + html.slice(start, end).replace(/[\s/]*>$/, '').length
}

function isQuiet(token: Open): boolean {
  const { name, attributes } = token
  if (silent.has(name) || name === marks.tag) return true
  return isMarked(token) || attributes.some((one) => one.name === 'data-no-translation')
}

/** @param written the text as markup */
function markedText(text: string, written: string, markOf: MarkOf, parts: readonly string[]): string {
  const mark = markOf(normalise(text), false)
  if (mark) {
    const [, before = '', core = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(written) ?? []
    return before + wrapped(core, mark) + after
  }
  const part = longestIn(text, markOf, parts)
  if (!part) return written
  const rest = (piece: string) => markedText(piece, escapeText(piece), markOf, parts)
  return (
    rest(text.slice(0, part.at)) +
    wrapped(escapeText(part.text), part.mark) +
    rest(text.slice(part.at + part.text.length))
  )
}

/** Finds the longest known text within another, at word boundaries. */
function longestIn(text: string, markOf: MarkOf, parts: readonly string[]) {
  if (!isTranslatable(text)) return null
  for (const part of parts) {
    if (part.length >= text.length) continue
    const at = text.indexOf(part)
    if (at < 0 || isLetter(text[at - 1]) || isLetter(text[at + part.length])) continue
    const mark = markOf(normalise(part), false)
    if (mark) return { text: part, at, mark }
  }
  return null
}

const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

function wrapped(written: string, mark: Mark): string {
  return `<${marks.tag} ${marks.id}="${mark.id}" ${marks.group}="${escapeText(mark.group)}"${details(mark)}>${written}</${marks.tag}>`
}

function details({ values = [], form, markup }: Mark): string {
  const filled = values.length > 0 ? ` ${marks.values}="${escapeText(JSON.stringify(values))}"` : ''
  return `${filled}${form ? ` ${marks.form}="${form}"` : ''}${markup ? ` ${marks.markup}` : ''}`
}
