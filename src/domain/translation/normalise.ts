import { decodeEntities } from './markup-entities.ts'

/** What a visitor takes for empty: blanks of every width, ends of lines, and what has no width at all. */
const blanks = /[\s\u00A0\u180E\u200B-\u200D\u2060\uFEFF]/
const innerBlanks = /[\s\u00A0]+/g

/**
 * The text by which an original is known: what differs in nothing but the form of its letters and in blanks is the same.
 * Case, punctuation and accents are kept, and are compared as they are. Two originals are one when their bytes are.
 * @param options `markup`: the text is the inner markup of an element
 */
export function normalise(text: string, { markup = false } = {}): string {
  const read = (markup ? readEntities(text) : text).toWellFormed().normalize('NFC')
  const [from, to] = coreOf(read)
  return read.slice(from, to).replace(innerBlanks, ' ')
}

/** `&uuml;` and `ü` are one letter; what markup itself is made of stays as it is written. */
function readEntities(markup: string): string {
  return markup.replace(/&#?[a-z\d]{1,10};/gi, (written) => {
    const read = decodeEntities(written)
    return /[&<>"']/.test(read) ? written : read
  })
}

/** A translation with the blanks that stand round the original. */
export function keepOuterSpace(original: string, translated: string): string {
  if (isInk(original.charCodeAt(0)) && isInk(original.charCodeAt(original.length - 1))) return translated
  const [from, to] = coreOf(original)
  return from === 0 && to === original.length ? translated : original.slice(0, from) + translated + original.slice(to)
}

/** What is seen, of ASCII: by far most texts begin and end with it. */
const isInk = (code: number) => code > 0x20 && code < 0x7f

/** Where a text begins and ends but for blanks. By hand: an expression looks at every run of blanks inside again and again. */
function coreOf(text: string): readonly [number, number] {
  let from = 0
  let to = text.length
  while (from < to && blanks.test(text.charAt(from))) from += 1
  while (to > from && blanks.test(text.charAt(to - 1))) to -= 1
  return [from, to]
}
