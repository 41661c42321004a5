import { foldText } from './search-words.ts'
import { baseLanguage } from './word-forms.ts'

/**
 * Function words, which name nothing that could be sold. Words that reverse a meaning (without, no) are not included.
 */
const stopWords: Readonly<Record<string, string>> = {
  en: 'a an and are as at by for from in into is it its my of on or our that the their this to with you your',
  de: `der die das den dem des ein eine einen einem einer eines und oder mit von vom zu zum zur im in am an auf aus bei
    für fürs über unter ist sind als mein meine dein deine`,
  es: 'el la los las un una unos unas de del al a y e o u en con para por que se su sus mi mis es',
  fr: 'le la les un une des de du d l et ou en au aux à dans sur pour par avec que qui mon ma mes son sa ses est',
  ar: 'في من على عن إلى الى مع و أو او هذا هذه التي الذي ل ب',
}

const byLanguage = new Map(
  Object.entries(stopWords).map(([language, words]) => [language, new Set(words.trim().split(/\s+/).map(foldText))]),
)

/** @param word in the form of `searchWords` */
export function isStopWord(word: string, languages: readonly string[]): boolean {
  return languages.some((tag) => byLanguage.get(baseLanguage(tag))?.has(word))
}

/** Returns the words without stop words; all of them if nothing else is left, as in a product called “The One”. */
export function withoutStopWords(words: readonly string[], languages: readonly string[]): readonly string[] {
  const telling = words.filter((word) => !isStopWord(word, languages))
  return telling.length > 0 ? telling : words
}

/** Particles between two words of a script without spaces: コーヒーのカップ is a cup of coffee. */
const particles =
  /(?<=[\p{Script=Katakana}\p{Script=Han}ー])(?:用の|のための|の|に|へ|と|や)(?=[\p{Script=Katakana}\p{Script=Han}])/gu

/** Replaces particles of scripts without spaces by spaces in a search term. Indexed texts stay unchanged. */
export function withoutParticles(text: string): string {
  return text.replace(particles, ' ')
}
