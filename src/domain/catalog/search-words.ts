import { latinLetters } from './latin-letters.ts'

/** Letters that stand for others without a mark that could be taken off. */
const spelledOut: Readonly<Record<string, string>> = {
  ...latinLetters,
  ẞ: 'ss',
  // What Arabic keyboards and hands take for one another at the end of a word, Persian letters, and the stroke that draws words out.
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ـ: '',
}
const special = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')

/** Scripts that are written without spaces: every two neighbouring characters count as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/u
const runs = new RegExp(`${unspaced.source}|[\\p{L}\\p{N}]+`, 'gu')

const isAscii = (text: string) => /^[\p{ASCII}]*$/u.test(text)

/** Both Japanese syllabaries in one, ランプ as らんぷ: people type the one and mean the other. They lie side by side in Unicode. */
const oneSyllabary = (text: string) =>
  text.replace(/[ァ-ヶ]/g, (katakana) => String.fromCharCode(katakana.charCodeAt(0) - 0x60))

/** Text as it is compared: lower case, accents taken off, so that `café`, `CAFE` and `cafe` are one word. */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  // Most text needs nothing more, and this is run over whole catalogues.
  if (isAscii(lower)) return lower
  return oneSyllabary(
    lower
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .replace(special, (letter) => spelledOut[letter] ?? letter)
      .replace(/[’ʼ]/g, "'"),
  )
}

/** Articles and small words of French and Italian that have lost their vowel: `l'eau` is `eau`. */
const elided = /(?<![\p{L}\p{N}])(?:qu|[cdjlmnst])'(?=[aeiouyh])/gu

/**
 * The words of a text as they are sought and found, in their order; markup is left out. An apostrophe parts no word, but for an
 * elided one before it.
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

/** A number that is printed on a product, without what parts it: `HRB-MUG-01` is `hrbmug01`. '' where nothing is left. */
export function bareNumber(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, longestWord)
}

/** Whether a word is a single character of a script without spaces, where most words are pairs. */
export function isUnspacedLetter(word: string): boolean {
  return [...word].length === 1 && unspaced.test(word)
}

/** Longer ones are no words: what differs after this differs for nobody. */
const longestWord = 40

function pairsOf(run: string): string[] {
  const letters = [...run]
  if (letters.length === 1) return letters
  return letters.slice(1).map((letter, at) => `${letters[at]}${letter}`)
}
