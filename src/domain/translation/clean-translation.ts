import { allowedMarkup } from './allowed-markup.ts'

/** Longer than any page, email or slug needs. */
export const longestTranslation = 40_000
/** Longer texts are not translated. */
export const longestOriginal = 20_000

/**
 * Characters that override the direction of the text after them: the displayed text could differ from the stored one.
 */
const turning = /[\u202A-\u202E\u2066-\u2069]/g
/** Control characters except tab and line feed are removed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them intentionally.
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g

/**
 * Returns a translation ready to store: limited markup where the original has markup, else plain text.
 * @param original direction marks are kept if the original contains some
 */
export function cleanTranslation(original: { text: string; markup: boolean }, translated: string): string {
  const plain = translated.toWellFormed().replace(/\r\n?/g, '\n').replace(control, '')
  const straight = turning.test(original.text) ? plain : plain.replace(turning, '')
  turning.lastIndex = 0
  return original.markup ? allowedMarkup(straight) : straight
}

const places = /%(?:(\d+)\$)?s/g

/** Returns the placeholders of a text, in order: `%s` is the first, and so is `%1$s`. */
export function placesOf(text: string): readonly string[] {
  let next = 0
  return [...text.matchAll(places)].map(([, number]) => number ?? String(++next)).sort()
}

/** Returns true if original and translation have the same placeholders. */
export function samePlaces(original: string, translated: string): boolean {
  return [...new Set(placesOf(original))].join() === [...new Set(placesOf(translated))].join()
}
