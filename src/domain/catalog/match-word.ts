import { nearestWord, type Spelling } from './nearest-word.ts'
import { isUnspacedLetter } from './search-words.ts'
import { wordsEndingIn } from './word-endings.ts'
import { baseLanguage, singularsOf, wordForms } from './word-forms.ts'
import { inName, inText, type Weight, type WordIndex, wordPlace } from './word-index.ts'

/** Words of an index that stand for one that is sought. Words are given by their places in the list. */
export type WordMatch = {
  /** The word as it is sought in the end. */
  readonly word: string
  readonly exact: number | null
  /** Its plural or singular. */
  readonly forms: readonly number[]
  /** Words that it begins or ends. */
  readonly parts: readonly number[]
  /** Places that say less do not count. */
  readonly least: Weight
  /** In how many products these words are, counted once for each of them. */
  readonly count: number
}

/** Where words are sought, and by the rules of which languages. */
export type WordSource = {
  readonly index: WordIndex
  readonly spelling: () => Spelling
  /** Language tags; none: words are sought as they are written. */
  readonly languages: readonly string[]
}

/** A part of a word stands for this many words at most, the commonest ones. */
const mostParts = 64
/** Languages whose nouns are put together in one piece, so that the last part says what a thing is: Teekanne is a Kanne. */
const compounding: ReadonlySet<string> = new Set(['de'])
/** So long is what can be the last part of a compound, and so many letters stand before it. */
const shortestHead = 4
const shortestPart = 3

/**
 * The word and its forms; also words that it begins, where it may be unfinished or is nowhere else, and compounds that it ends.
 * Null: nothing in the index is like it.
 * @param mayBegin whether the word may be unfinished
 */
export function matchWord({ index, languages }: WordSource, word: string, mayBegin: boolean): WordMatch | null {
  const { words } = index
  const whole = wholeWord({ index, languages }, word)
  const parts: number[] = []
  // A word that is none by itself may be unfinished wherever it stands.
  if (mayBegin || whole === null) {
    const at = wordPlace(words, word)
    for (let next = words[at] === word ? at + 1 : at; words[next]?.startsWith(word); next += 1) parts.push(next)
  }
  parts.push(...compoundsOf({ index, languages }, word, whole))
  const taken = new Set(whole?.forms)
  const others =
    parts.length === 0
      ? parts
      : commonest(
          index,
          [...new Set(parts)].filter((nr) => !taken.has(nr)),
        )
  if (!whole && others.length === 0) return null
  return matchOf(index, { word, exact: whole?.exact ?? null, forms: whole?.forms ?? [], parts: others, least: inText })
}

/** The word itself and its forms. */
function wholeWord({ index, languages }: Omit<WordSource, 'spelling'>, word: string): WordMatch | null {
  const exact = placeOf(index, word)
  const forms =
    languages.length === 0 ? [] : [...wordForms(word, languages)].flatMap((form) => placeOf(index, form) ?? [])
  if (exact === null && forms.length === 0) return null
  return matchOf(index, { word, exact, forms, parts: [], least: inText })
}

function placeOf({ words }: WordIndex, word: string): number | null {
  const at = wordPlace(words, word)
  return words[at] === word ? at : null
}

function matchOf({ counts }: WordIndex, found: Omit<WordMatch, 'count'>): WordMatch {
  const all = [...(found.exact === null ? [] : [found.exact]), ...found.forms, ...found.parts]
  return { ...found, count: all.reduce((sum, nr) => sum + (counts[nr] ?? 0), 0) }
}

function commonest({ counts }: WordIndex, words: number[]): number[] {
  if (words.length <= mostParts) return words
  return words.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).slice(0, mostParts)
}

/** Words that end with the word or one of its forms. */
function compoundsOf(
  { index, languages }: Omit<WordSource, 'spelling'>,
  word: string,
  whole: WordMatch | null,
): number[] {
  if (isUnspacedLetter(word)) return wordsEndingIn(index, word, 1)
  if (word.length < shortestHead || !languages.some((tag) => compounding.has(baseLanguage(tag)))) return []
  const forms = (whole?.forms ?? []).map((nr) => index.words[nr] ?? '')
  // A rule makes many a form that is no word and ends others by chance; these two are forms of nearly every noun.
  const heads = new Set([word, word.replace(/n$/, ''), `${word}n`, ...forms])
  return [...heads]
    .filter(({ length }) => length >= shortestHead)
    .flatMap((head) => wordsEndingIn(index, head, shortestPart))
}

/** Two neighbours in one: "tea pot" as "teapot". Each with the place of the first of the two. */
export function joinedWords(
  { index, languages }: WordSource,
  wanted: readonly string[],
): { readonly at: number; readonly match: WordMatch }[] {
  if (languages.length === 0) return []
  return wanted.slice(1).flatMap((second, at) => {
    const match = wholeWord({ index, languages }, `${wanted[at]}${second}`)
    return match ? [{ at, match }] : []
  })
}

/**
 * The word as two: "teapot" as "tea" and "pot".
 * @param known whether the word is in the index as well: then its parts must stand in the name
 */
export function splitWords({ index, languages }: WordSource, word: string, known: boolean): WordMatch[][] {
  if (languages.length === 0) return []
  const splits: WordMatch[][] = []
  for (let cut = shortestPart; cut <= word.length - shortestPart; cut += 1) {
    const first = wholeWord({ index, languages }, word.slice(0, cut))
    const second = first && wholeWord({ index, languages }, word.slice(cut))
    if (first && second) splits.push([first, second].map((part) => ({ ...part, least: known ? inName : inText })))
  }
  return splits
}

/** The word of the index that is spelled nearest, with its forms; null: none is near. */
export function nearestMatch({ index, spelling, languages }: WordSource, word: string): WordMatch | null {
  const ways = [word, ...singularsOf(word, languages).slice(0, mostSingulars)]
  const near = nearestWord(
    index,
    spelling(),
    ways.map((way) => ({ word: way, forms: wordForms(way, languages) })),
  )
  return near === null ? null : wholeWord({ index, languages }, near)
}

/** Each of them is compared with hundreds of words. */
const mostSingulars = 3
