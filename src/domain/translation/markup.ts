import { allowedMarkup } from './allowed-markup.ts'
import { withOriginalAttributes } from './markup-attributes.ts'
import { decodeEntities, escapeText } from './markup-entities.ts'
import { type MarkupAttribute, type MarkupToken, tokensOf } from './markup-tokens.ts'

/** A segment of markup that is translated as a unit. */
export type Segment = {
  /** The displayed text; for a segment with markup, its raw inner markup. */
  readonly text: string
  /** True if it contains elements, like a link within a sentence. */
  readonly markup: boolean
}

/** Markup split into segments, to be rebuilt with other texts. */
export type SplitMarkup = {
  readonly segments: readonly Segment[]
  /** @param texts for each segment, in order; with undefined, or its own text, it stays unchanged */
  with(texts: readonly (string | undefined)[]): string
}

/** @returns all translatable segments of markup, in document order */
export function segmentsOf(html: string): readonly Segment[] {
  return splitMarkup(html).segments
}

/**
 * Replaces segments by other texts, with limited markup. With the texts of `segmentsOf` the result is byte-identical.
 */
export function withSegments(html: string, texts: readonly (string | undefined)[]): string {
  return splitMarkup(html).with(texts)
}

/** @returns true for a text with words: not a number, an email address or a placeholder */
export function isTranslatable(text: string): boolean {
  const said = text.trim()
  return /\p{L}/u.test(said) && !address.test(said) && !shortcode.test(said)
}

const address = /^(?:[a-z][a-z\d+.-]*:\/\/\S*|(?:mailto|tel|sms|data):\S*|www\.\S+|\S+@\S+\.\S+|[/#?]\S*)$/i
const shortcode = /^\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\]$/i

/** Inline elements, which may be part of a sentence. All others end a sentence. */
const inline = new Set('a b strong em i br span sup sub u small code'.split(' '))
/** Elements without translatable text. */
const silent = new Set(
  'script style code pre textarea kbd samp svg math noscript iframe object canvas xmp plaintext'.split(' '),
)
const spokenAttributes = new Set(['alt', 'title', 'aria-label', 'aria-description', 'placeholder'])
const buttonTypes = new Set(['submit', 'button', 'reset'])

/** Maximum depth of elements around a text. */
const deepest = 20

/** A segment with its position. For an attribute, including its quotes. */
type Place = Segment & { readonly start: number; readonly end: number; readonly attribute: boolean }
type Open = MarkupToken & { kind: 'open' }

export function splitMarkup(html: string): SplitMarkup {
  const places = placesOf(html)
  return {
    segments: places.map(({ text, markup }) => ({ text, markup })),
    with(texts) {
      let made = ''
      let from = 0
      for (const [index, place] of places.entries()) {
        const text = texts[index]
        if (text === undefined || text === place.text) continue
        const said = place.markup ? withOriginalAttributes(place.text, allowedMarkup(text)) : escapeText(text)
        made += html.slice(from, place.start) + (place.attribute ? `"${said}"` : said)
        from = place.end
      }
      return made + html.slice(from)
    },
  }
}

function placesOf(html: string): readonly Place[] {
  const tokens = tokensOf(html)
  const places: Place[] = []
  let run: MarkupToken[] = []
  const flush = () => {
    places.push(...placesOfRun(html, run))
    run = []
  }
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (!token) break
    if (token.kind === 'open' && isSilent(token)) {
      const last = lastOf(tokens, index)
      const between = tokens.slice(index + 1, last)
      const end = tokens[last] ?? token
      // Within a sentence it keeps its place, and translators leave it unchanged.
      if (inline.has(token.name) && between.every(isInline))
        run.push({ kind: 'other', start: token.start, end: end.end })
      else {
        flush()
        if (!isMarked(token)) places.push(...placesOfTag(token))
      }
      index = last
    } else if (isInline(token)) run.push(token)
    else {
      flush()
      if (token.kind === 'open') places.push(...placesOfTag(token))
    }
  }
  flush()
  return places
}

function isInline(token: MarkupToken): boolean {
  return token.kind === 'text' || (token.kind !== 'other' && inline.has(token.name))
}

/** Returns true if a tag marks its content as not translatable. */
export function isMarked({ attributes }: Open): boolean {
  return attributes.some(
    ({ name, value }) =>
      (name === 'translate' && value?.toLowerCase() === 'no') ||
      (name === 'class' && /(?:^|\s)notranslate(?:\s|$)/.test(value ?? '')),
  )
}

const isSilent = (token: Open) => !token.empty && (silent.has(token.name) || isMarked(token))

/** Returns the index of the token that closes an element; the last token if none does. */
export function lastOf(tokens: readonly MarkupToken[], first: number): number {
  const opened = tokens[first]
  const name = opened?.kind === 'open' ? opened.name : ''
  let depth = 0
  for (let index = first; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token?.kind === 'open' && token.name === name && !token.empty) depth += 1
    if (token?.kind === 'close' && token.name === name) depth -= 1
    if (depth === 0) return index
  }
  return tokens.length - 1
}

/** Returns the segments of consecutive texts and inline elements. */
function placesOfRun(html: string, run: readonly MarkupToken[]): readonly Place[] {
  if (!run.some(({ kind }) => kind === 'text')) return run.flatMap((token) => placesOfTag(token))
  if (!isBalanced(run))
    return run.flatMap((token) => (token.kind === 'text' ? placesOfText(html, [token]) : placesOfTag(token)))
  return placesOfText(html, run)
}

function placesOfText(html: string, run: readonly MarkupToken[]): readonly Place[] {
  let first = 0
  let last = run.length - 1
  const isBlank = (token: MarkupToken | undefined) =>
    token !== undefined &&
    ((token.kind === 'text' && blank.test(html.slice(token.start, token.end))) ||
      (token.kind === 'open' && token.name === 'br') ||
      (token.kind === 'close' && token.name === 'br'))
  const around: MarkupToken[] = []
  // An element around the whole run, like the link of a list entry, is not part of the segment.
  for (;;) {
    while (first < last && isBlank(run[first])) first += 1
    while (last > first && isBlank(run[last])) last -= 1
    const outer = run[first]
    if (first === last || outer?.kind !== 'open' || outer.empty || lastOf(run.slice(0, last + 1), first) !== last) break
    if (around.length === deepest) break
    around.push(outer)
    first += 1
    last -= 1
    if (first > last) return run.flatMap((token) => placesOfTag(token))
  }
  const inside = run.slice(first, last + 1)
  const said = inside.map((token) => (token.kind === 'text' ? html.slice(token.start, token.end) : ' ')).join('')
  if (!isTranslatable(decodeEntities(said))) return run.flatMap((token) => placesOfTag(token))
  const places = around.flatMap((token) => placesOfTag(token))
  const start = inside[0]?.start ?? 0
  const written = html.slice(start, inside.at(-1)?.end ?? start)
  const [before, after] = edgesOf(written)
  const core = written.slice(before, after)
  const markup = inside.some(({ kind }) => kind !== 'text')
  places.push({
    text: markup ? core : decodeEntities(core),
    markup,
    start: start + before,
    end: start + before + core.length,
    attribute: false,
  })
  return places
}

const blank = /^(?:\s|&nbsp;|&#160;|&#xa0;)*$/i
const spaces = ['&nbsp;', '&#160;', '&#xa0;', '&#xA0;']

/** Returns start and end of a text without surrounding whitespace, in any encoding. */
function edgesOf(written: string): readonly [start: number, end: number] {
  let start = 0
  let end = written.length
  const spaceAt = (at: number) =>
    /\s/.test(written[at] ?? '') ? 1 : (spaces.find((space) => written.startsWith(space, at))?.length ?? 0)
  const spaceBefore = (at: number) =>
    /\s/.test(written[at - 1] ?? '') ? 1 : (spaces.find((space) => written.endsWith(space, at))?.length ?? 0)
  while (start < end && spaceAt(start) > 0) start += spaceAt(start)
  while (end > start && spaceBefore(end) > 0) end -= spaceBefore(end)
  return [start, end]
}

/** Returns true if all elements of a run are closed in it and properly nested. */
function isBalanced(run: readonly MarkupToken[]): boolean {
  const open: string[] = []
  for (const token of run) {
    if (token.kind === 'open' && !token.empty) open.push(token.name)
    if (token.kind === 'close' && token.name !== 'br' && open.pop() !== token.name) return false
  }
  return open.length === 0
}

/** Returns the segments in the attributes of a tag. */
function placesOfTag(token: MarkupToken): readonly Place[] {
  if (token.kind !== 'open' || isMarked(token)) return []
  const type = token.attributes.find(({ name }) => name === 'type')?.value?.toLowerCase() ?? ''
  const isSpoken = ({ name }: MarkupAttribute) =>
    spokenAttributes.has(name) || (name === 'value' && token.name === 'input' && buttonTypes.has(type))
  const seen = new Set<string>()
  return token.attributes.flatMap((one) => {
    // The first attribute of a name counts.
    const again = seen.has(one.name)
    seen.add(one.name)
    if (again || one.value === null || !isSpoken(one)) return []
    const text = decodeEntities(one.value)
    if (!isTranslatable(text)) return []
    return [{ text, markup: false, start: one.start, end: one.end, attribute: true }]
  })
}
