import { decodeEntities } from './markup-entities.ts'

/** Invisible characters: whitespace of every width, line breaks, and zero-width characters. */
const blanks = /[\s\u00A0\u180E\u200B-\u200D\u2060\uFEFF]/
const innerBlanks = /[\s\u00A0]+/g

/**
 * Returns the key of an original: Unicode form and whitespace are normalized. Case, punctuation and accents are kept.
 * Two originals are equal if their keys have the same bytes.
 * @param options `markup`: the text is the inner markup of an element
 */
export function normalise(text: string, { markup = false } = {}): string {
  const read = (markup ? readEntities(text) : text).toWellFormed().normalize('NFC')
  const [from, to] = coreOf(read)
  return read.slice(from, to).replace(innerBlanks, ' ')
}

/** `&uuml;` and `ü` are the same character; characters with a meaning in markup stay escaped. */
function readEntities(markup: string): string {
  return markup.replace(/&#?[a-z\d]{1,10};/gi, (written) => {
    const read = decodeEntities(written)
    return /[&<>"']/.test(read) ? written : read
  })
}

/** Returns a translation with the surrounding whitespace of the original. */
export function keepOuterSpace(original: string, translated: string): string {
  if (isInk(original.charCodeAt(0)) && isInk(original.charCodeAt(original.length - 1))) return translated
  const [from, to] = coreOf(original)
  return from === 0 && to === original.length ? translated : original.slice(0, from) + translated + original.slice(to)
}

/** Visible ASCII: most texts start and end with it. */
const isInk = (code: number) => code > 0x20 && code < 0x7f

/**
 * Returns start and end of a text without surrounding whitespace. A loop, since a regular expression would scan every
 * inner run of whitespace.
 */
function coreOf(text: string): readonly [number, number] {
  let from = 0
  let to = text.length
  while (from < to && blanks.test(text.charAt(from))) from += 1
  while (to > from && blanks.test(text.charAt(to - 1))) to -= 1
  return [from, to]
}
