import { allowedMarkup } from './allowed-markup.ts'

/** No page, mail or address ever needs a longer one; a hundred kilobytes are no translation. */
export const longestTranslation = 40_000
/** Beyond this a text is no text to translate. */
export const longestOriginal = 20_000

/** Characters that turn the direction of what stands behind them: they could make a text show something else than it says. */
const turning = /[\u202A-\u202E\u2066-\u2069]/g
/** Control characters have no place in a text, but for the tabulator and the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g

/**
 * A translation as it may be kept: where the original has markup a little of it is allowed, everywhere else all is text.
 * @param original marks of direction stay where it has some itself
 */
export function cleanTranslation(original: { text: string; markup: boolean }, translated: string): string {
  const plain = translated.toWellFormed().replace(/\r\n?/g, '\n').replace(control, '')
  const straight = turning.test(original.text) ? plain : plain.replace(turning, '')
  turning.lastIndex = 0
  return original.markup ? allowedMarkup(straight) : straight
}

const places = /%(?:(\d+)\$)?s/g

/** The places of a text that are filled in, in order: `%s` is the first, `%1$s` as well. */
export function placesOf(text: string): readonly string[] {
  let next = 0
  return [...text.matchAll(places)].map(([, number]) => number ?? String(++next)).sort()
}

/** Whether all that is filled into the original is filled into the translation, and nothing else. */
export function samePlaces(original: string, translated: string): boolean {
  return [...new Set(placesOf(original))].join() === [...new Set(placesOf(translated))].join()
}
