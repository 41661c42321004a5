import { latinLetters } from './latin-letters.ts'

/** Letters with a plain spelling but without a removable accent. */
const spelledOut: Readonly<Record<string, string>> = {
  ...latinLetters,
  ẞ: 'ss',
  // Arabic letters that are confused at the end of a word, Persian letters, and the tatweel.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ـ: '',
}
const special = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')

/** Scripts without spaces: every two neighbouring characters count as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/u
const runs = new RegExp(`${unspaced.source}|[\\p{L}\\p{N}]+`, 'gu')

const isAscii = (text: string) => /^[\p{ASCII}]*$/u.test(text)

/**
 * Maps both Japanese syllabaries to one, ランプ as らんぷ: they are used interchangeably, and are parallel blocks in Unicode.
 */
const oneSyllabary = (text: string) =>
  text.replace(/[ァ-ヶ]/g, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60))

/** Folds text for comparisons: lower case without accents, so that `café`, `CAFE` and `cafe` are equal. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  // A shortcut for most text, since whole catalogs are folded.
  if (isAscii(lower)) return lower
  return oneSyllabary(
    lower
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .replace(special, (letter) => spelledOut[letter] ?? letter)
      .replace(/[’ʼ]/g, "'"),
  )
}

/** Elided French and Italian articles and particles: `l'eau` is `eau`. */
const elided = /(?<![\p{L}\p{N}])(?:qu|[cdjlmnst])'(?=[aeiouyh])/gu

/**
 * Returns the search words of a text, in order, without markup. An apostrophe does not split a word, except after an
 * elided article.
 */
export function searchWords(text: string): string[] {
  const plain = text.includes('<') || text.includes('&') ? text.replace(/<[^>]*>|&#?\w{1,10};/g, ' ') : text
  const marked = foldText(plain)
  const folded = marked.includes("'") ? marked.replace(elided, '').replaceAll("'", '') : marked
  if (isAscii(folded)) {
    const words = folded.match(/[a-z0-9]+/g) ?? []
    return words.some(({ length }) => length > longestWord) ? words.map((word) => word.slice(0, longestWord)) : words
  }
  const found = folded.match(runs) ?? []
  return found.flatMap((run) => (unspaced.test(run) ? pairsOf(run) : [run.slice(0, longestWord)]))
}

/** Returns a product number without separators: `HRB-MUG-01` is `hrbmug01`. '' when nothing is left. */
export function bareNumber(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, longestWord)
}

/** Returns true for a single character of a script without spaces, where most words are pairs. */
export function isUnspacedLetter(word: string): boolean {
  return [...word].length === 1 && unspaced.test(word)
}

/** Longer words are cut: later differences are irrelevant. */
const longestWord = 40

function pairsOf(run: string): string[] {
  const letters = [...run]
  if (letters.length === 1) return letters
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}
