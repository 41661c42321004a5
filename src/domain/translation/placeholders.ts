import { decodeEntities, escapeText } from './markup-entities.ts'
import { type MarkupToken, tokensOf } from './markup-tokens.ts'
import { figuresIn, findPlaceholders, type Term } from './placeholder-patterns.ts'

/**
 * Protected parts are sent as elements, `<x id="1">%s</x>`, or as marks that belong to no language, `⟦1⟧`. Elements are
 * sent as markup, marks as text.
 */
export type Dress = 'elements' | 'signs'

export type ProtectionRules = {
  readonly dress: Dress
  readonly terms?: readonly Term[]
  /** The name of the elements; engines made for web pages know `span`. */
  readonly element?: 'x' | 'span'
  /** Protects numbers without a unit too: for a retry, after they were changed. */
  readonly everyNumber?: boolean
}

export type PlaceholderFault =
  /** A protected part is missing in the response, */
  | 'lost'
  /** is repeated, */
  | 'doubled'
  /** or was never sent. */
  | 'unknown'
  /** An element is closed before it is opened, or crosses another. */
  | 'crossed'
  /** Markup in a response to plain text. */
  | 'markup'
  /** A number of the original is missing. */
  | 'number'
  /** Far longer than the sent text. */
  | 'length'

export type Restored =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: PlaceholderFault }

export type ProtectedText = {
  /** The text for the engine. */
  readonly sent: string
  /** True if it contains translatable text. */
  readonly speaks: boolean
  /** True if it contains protected parts: without any, the form has no effect. */
  readonly keeps: boolean
  /** The result without translatable text: glossary terms are replaced. */
  readonly unspoken: string
  /** Restores the protected parts in a response, each exactly once and in any order. */
  restore(answer: string): Restored
}

/** A part of the original. Texts are decoded; in markup they are encoded again. */
type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'kept'; readonly id: number; readonly shown: string; readonly back: string }
  | { readonly kind: 'begin' | 'end'; readonly id: number; readonly pair: number; readonly back: string }

type Item = Exclude<Part, { kind: 'text' }>
type Piece = { readonly text: string } | { readonly item: Item }

/** Prepares a text for an engine. @param original with `markup` the inner markup of an element, else plain text */
export function protect(original: { text: string; markup: boolean }, rules: ProtectionRules): ProtectedText {
  const parts = partsOf(original, rules)
  const items = parts.flatMap((part) => (part.kind === 'text' ? [] : [part]))
  const spoken = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ')
  const write = (pieces: readonly Piece[]): string =>
    pieces
      .map((piece) => ('item' in piece ? piece.item.back : original.markup ? escapeText(piece.text) : piece.text))
      .join('')
  const { dress, element = 'x' } = rules
  const sent = parts.map((part) => (dress === 'signs' ? asSign(part) : asElement(part, element))).join('')
  return {
    sent,
    speaks: /\p{L}/u.test(spoken),
    keeps: items.length > 0,
    unspoken: write(parts.map((part) => (part.kind === 'text' ? part : { item: part }))),
    restore(answer) {
      if (answer.length > 200 + 12 * sent.length) return { ok: false, fault: 'length' }
      const read = dress === 'signs' ? readSigns(answer, items, spoken) : readElements(answer, items)
      if (typeof read === 'string') return { ok: false, fault: read }
      const fault = wrongIn(read, items) ?? changedNumber(spoken, read)
      return fault ? { ok: false, fault } : { ok: true, text: write(numbered(read)) }
    },
  }
}

function partsOf(original: { text: string; markup: boolean }, rules: ProtectionRules): readonly Part[] {
  const parts: Part[] = []
  let ids = 0
  const { terms = [], everyNumber = false } = rules
  const addText = (text: string) => {
    let at = 0
    for (const { start, end, said } of findPlaceholders(text, terms, everyNumber)) {
      if (start > at) parts.push({ kind: 'text', text: text.slice(at, start) })
      const back = original.markup ? escapeText(said) : said
      parts.push({ kind: 'kept', id: ++ids, shown: text.slice(start, end), back })
      at = end
    }
    if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  }
  if (!original.markup) {
    addText(original.text)
    return parts
  }
  const tokens = tokensOf(original.text)
  const roles = rolesOf(tokens)
  for (const token of tokens) {
    const written = original.text.slice(token.start, token.end)
    const role = roles.get(token)
    if (token.kind === 'text') addText(decodeEntities(written))
    else parts.push({ ...(role ?? { kind: 'kept', shown: '' }), id: ++ids, back: written })
  }
  return parts
}

/** Returns the opening and closing tags of elements, by pair number. Unpaired tags are left out. */
function rolesOf(tokens: readonly MarkupToken[]): ReadonlyMap<MarkupToken, { kind: 'begin' | 'end'; pair: number }> {
  const roles = new Map<MarkupToken, { kind: 'begin' | 'end'; pair: number }>()
  const open: (MarkupToken & { kind: 'open' })[] = []
  for (const token of tokens) {
    if (token.kind === 'open' && !token.empty) open.push(token)
    if (token.kind !== 'close') continue
    const at = open.findLastIndex(({ name }) => name === token.name)
    // Inner tags that were not closed are unpaired.
    const [begun] = at === -1 ? [] : open.splice(at)
    if (!begun) continue
    roles.set(begun, { kind: 'begin', pair: begun.start })
    roles.set(token, { kind: 'end', pair: begun.start })
  }
  return roles
}

function asSign(part: Part): string {
  return part.kind === 'text' ? part.text : `⟦${part.id}⟧`
}

function asElement(part: Part, element: 'x' | 'span'): string {
  if (part.kind === 'text') return escapeText(part.text)
  if (part.kind === 'kept') return `<${element} id="${part.id}" translate="no">${escapeText(part.shown)}</${element}>`
  const name = element === 'x' ? 'g' : element
  return part.kind === 'begin' ? `<${name} id="${part.id}">` : `</${name}>`
}

/** Engines insert spaces into the marks, and localize the digits of the number. */
const sign = /⟦\s*(\p{Nd}{1,4})\s*⟧/gu
const aTag = /<\/?[a-z][^<>]*>/gi

function readSigns(answer: string, items: readonly Item[], spoken: string): readonly Piece[] | PlaceholderFault {
  // Some engines encode plain text as markup.
  const text = /&(?:#\d+|#x[\da-f]+|amp|lt|gt|quot|apos|nbsp);/i.test(spoken) ? answer : decodeEntities(answer)
  if ((text.match(aTag)?.length ?? 0) > (spoken.match(aTag)?.length ?? 0)) return 'markup'
  const byId = idsOf(items)
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(sign)) {
    const item = byId.get(figuresIn(match[1] ?? '')[0] ?? '')
    if (!item) return 'unknown'
    pieces.push({ text: text.slice(at, match.index) }, { item })
    at = match.index + match[0].length
  }
  pieces.push({ text: text.slice(at) })
  return pieces.some((piece) => 'text' in piece && /[⟦⟧]/.test(piece.text)) ? 'unknown' : pieces
}

const element = /<(?<end>\/?)(?<name>[a-z]\w*)(?<rest>(?:\s[^<>]*)?)>/gi

function readElements(answer: string, items: readonly Item[]): readonly Piece[] | PlaceholderFault {
  const byId = idsOf(items)
  const ends = new Map(items.flatMap((item): [number, Item][] => (item.kind === 'end' ? [[item.pair, item]] : [])))
  const pieces: Piece[] = []
  const open: Item[] = []
  let at = 0
  /** The content of a protected element is ignored: an engine may change it. */
  const reads = () => open.at(-1)?.kind !== 'kept'
  for (const match of answer.matchAll(element)) {
    const { end = '', name = '', rest = '' } = match.groups ?? {}
    if (!/^(?:x|g|span)$/i.test(name)) return 'markup'
    if (reads()) pieces.push({ text: decodeEntities(answer.slice(at, match.index)) })
    at = match.index + match[0].length
    if (end) {
      const begun = open.pop()
      if (!begun) return 'crossed'
      if (begun.kind === 'kept') continue
      const ended = ends.get(begun.pair)
      if (!ended) return 'unknown'
      pieces.push({ item: ended })
      continue
    }
    const id = /\sid\s*=\s*["']?(\d{1,4})/i.exec(rest)?.[1]
    const item = byId.get(id ?? '')
    if (!item || item.kind === 'end') return 'unknown'
    if (!reads()) return 'crossed'
    pieces.push({ item })
    if (rest.trimEnd().endsWith('/')) {
      if (item.kind !== 'kept') return 'crossed'
    } else open.push(item)
  }
  if (open.length > 0) return 'crossed'
  pieces.push({ text: decodeEntities(answer.slice(at)) })
  return pieces
}

const idsOf = (items: readonly Item[]) => new Map(items.map((item) => [String(item.id), item]))

function wrongIn(pieces: readonly Piece[], items: readonly Item[]): PlaceholderFault | null {
  const seen = new Set<Item>()
  const open: number[] = []
  for (const piece of pieces) {
    if (!('item' in piece)) continue
    const { item } = piece
    if (seen.has(item)) return 'doubled'
    seen.add(item)
    if (item.kind === 'begin') open.push(item.pair)
    if (item.kind === 'end' && open.pop() !== item.pair) return 'crossed'
  }
  return seen.size < items.length ? 'lost' : null
}

const unnumbered = /^%(\.\d)?([sdif])$/

/** Numbers the placeholders, so that a language can reorder them. */
function numbered(pieces: readonly Piece[]): readonly Piece[] {
  const places = pieces.flatMap((piece) => ('item' in piece && unnumbered.test(piece.item.back) ? [piece.item.id] : []))
  const inOrder = places.toSorted((a, b) => a - b)
  if (places.every((id, at) => id === inOrder[at])) return pieces
  return pieces.map((piece) => {
    if (!('item' in piece)) return piece
    const at = inOrder.indexOf(piece.item.id) + 1
    return at === 0 ? piece : { item: { ...piece.item, back: piece.item.back.replace('%', () => `%${at}$`) } }
  })
}

/** A translation may have numerals for number words; but no number of the original may be missing. */
function changedNumber(spoken: string, pieces: readonly Piece[]): PlaceholderFault | null {
  const said = pieces.flatMap((piece) => ('text' in piece ? figuresIn(piece.text) : []))
  for (const figures of figuresIn(spoken)) {
    const at = said.indexOf(figures)
    if (at === -1) return 'number'
    said.splice(at, 1)
  }
  return null
}
