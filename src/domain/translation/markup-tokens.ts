/** An attribute of a tag, with its position. */
export type MarkupAttribute = {
  /** In lower case. */
  readonly name: string
  /** The raw value without its quotes; null without a value. */
  readonly value: string | null
  /** Start of the value with its quotes. */
  readonly start: number
  readonly end: number
}

/** A token of markup, with its position: all tokens in order are the whole markup. */
export type MarkupToken = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'text' }
  /** Comments, declarations, and other invisible tokens. */
  | { readonly kind: 'other' }
  | { readonly kind: 'close'; readonly name: string }
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: readonly MarkupAttribute[]
      /** True for a void element. */
      readonly empty: boolean
    }
)

const empties = new Set(
  'area base br col embed hr img input link meta param source track wbr command keygen frame'.split(' '),
)
/** Elements with raw text content. */
const raw = new Set('script style textarea title xmp iframe noembed noframes noscript plaintext'.split(' '))

/** Tokenizes markup approximately as browsers do: an invalid tag is text, an unclosed token stays unchanged. */
export function tokensOf(html: string): readonly MarkupToken[] {
  const tokens: MarkupToken[] = []
  let from = 0
  const text = (end: number) => {
    if (end > from) tokens.push({ kind: 'text', start: from, end })
    from = end
  }
  const other = (end: number) => {
    tokens.push({ kind: 'other', start: from, end })
    from = end
  }
  let at = html.indexOf('<')
  while (at >= 0) {
    const next = html[at + 1] ?? ''
    if (/[A-Za-z]/.test(next)) {
      text(at)
      const open = openTag(html, at)
      if (!open) {
        other(html.length)
        return tokens
      }
      tokens.push(open)
      from = open.end
      if (raw.has(open.name) && !open.empty) {
        const end = closeOf(html, open.name, from)
        if (end > from) other(end)
      }
    } else if (next === '/' || next === '!' || next === '?') {
      text(at)
      const end = endOf(html, at)
      const name = next === '/' ? /^[A-Za-z][^\s/>]*/.exec(html.slice(at + 2, Math.min(end, at + 66)))?.[0] : undefined
      if (name === undefined) other(end)
      else {
        tokens.push({ kind: 'close', name: name.toLowerCase(), start: at, end })
        from = end
      }
    }
    at = html.indexOf('<', Math.max(from, at + 1))
  }
  text(html.length)
  return tokens
}

/** Returns the end of a closing tag, a comment or a declaration. */
function endOf(html: string, at: number): number {
  const behind = (sign: string, from: number) => {
    const found = html.indexOf(sign, from)
    return found < 0 ? html.length : found + sign.length
  }
  if (html.startsWith('<!--', at)) {
    // `<!-->` and `<!--->` are complete comments.
    const short = /^<!---?>/.exec(html.slice(at, at + 6))
    return short ? at + short[0].length : behind('-->', at + 4)
  }
  if (html.startsWith('<![CDATA[', at)) return behind(']]>', at)
  return behind('>', at)
}

/** Returns the start of the closing tag of an element with raw text. */
function closeOf(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? html.length
}

const tagName = /[A-Za-z][^\s/>]*/y
// A name, and an optional value with or without quotes. Slashes between attributes are ignored.
const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?/y
const unfinished = /\s*=\s*["']/y
const tagEnd = /[\s/]*>/y

function openTag(html: string, start: number): (MarkupToken & { kind: 'open' }) | null {
  tagName.lastIndex = start + 1
  const name = tagName.exec(html)?.[0].toLowerCase() ?? ''
  let at = start + 1 + name.length
  const attributes: MarkupAttribute[] = []
  for (;;) {
    tagEnd.lastIndex = at
    const last = tagEnd.exec(html)
    if (last) {
      const end = at + last[0].length
      return { kind: 'open', name, attributes, empty: empties.has(name), start, end }
    }
    attribute.lastIndex = at
    const found = attribute.exec(html)
    if (!found) return null
    const [all, word = '', written] = found
    at += all.length
    unfinished.lastIndex = at
    if (written === undefined && unfinished.test(html)) return null
    const quoted = written !== undefined && /^["']/.test(written)
    attributes.push({
      name: word.toLowerCase(),
      value: written === undefined ? null : quoted ? written.slice(1, -1) : written,
      start: at - (written?.length ?? 0),
      end: at,
    })
  }
}
