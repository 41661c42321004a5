import { nearestWord, type Spelling } from './nearest-word.ts'
import { isUnspacedLetter } from './search-words.ts'
import { wordsEndingIn } from './word-endings.ts'
import { baseLanguage, singularsOf, wordForms } from './word-forms.ts'
import { inName, inText, type Weight, type WordIndex, wordPlace } from './word-index.ts'

/** Index words that match a search word, by their places in the list. */
export type WordMatch = {
  /** The word after corrections. */
  readonly word: string
  readonly exact: number | null
  /** Its plural or singular. */
  readonly forms: readonly number[]
  /** Words that start or end with it. */
  readonly parts: readonly number[]
  /** Positions of lower weight do not count. */
  readonly least: Weight
  /** The number of products with these words, counted once for each word. */
  readonly count: number
}

/** The index to search, and the languages of the word rules. */
export type WordSource = {
  readonly index: WordIndex
  readonly spelling: () => Spelling
  /** Language tags; none: words are searched as written. */
  readonly languages: readonly string[]
}

/** A part of a word matches at most this many words, the most frequent ones. */
const mostParts = 64
/** Languages with one-word compounds, whose last part names the thing: Teekanne is a Kanne. */
const compounding: ReadonlySet<string> = new Set(['de'])
/** Minimum length of the last part of a compound, and of the letters before it. */
const shortestHead = 4
const shortestPart = 3

/**
 * Returns the matches of a word: itself and its forms; words that start with it, if it may be incomplete or is not in
 * the index; and compounds that end with it. Null without a match.
 * @param mayBegin true if the word may be incomplete
 */
export function matchWord({ index, languages }: WordSource, word: string, mayBegin: boolean): WordMatch | null {
  const { words } = index
  const whole = wholeWord({ index, languages }, word)
  const parts: number[] = []
  // A word that is not in the index may be incomplete at any position.
  if (mayBegin || whole === null) {
    const at = wordPlace(words, word)
    for (let next = words[at] === word ? at + 1 : at; words[next]?.startsWith(word); next += 1) parts.push(next)
  }
  parts.push(...compoundsOf({ index, languages }, word, whole))
  const taken = new Set(whole?.forms)
  const others =
    parts.length === 0
      ? parts
      : mostFrequent(
          index,
          [...new Set(parts)].filter((nr) => !taken.has(nr)),
        )
  if (!whole && others.length === 0) return null
  return matchOf(index, { word, exact: whole?.exact ?? null, forms: whole?.forms ?? [], parts: others, least: inText })
}

/** Returns the word itself and its forms. */
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

function mostFrequent({ counts }: WordIndex, words: number[]): number[] {
  if (words.length <= mostParts) return words
  return words.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).slice(0, mostParts)
}

/** Returns words that end with the word or one of its forms. */
function compoundsOf(
  { index, languages }: Omit<WordSource, 'spelling'>,
  word: string,
  whole: WordMatch | null,
): number[] {
  if (isUnspacedLetter(word)) return wordsEndingIn(index, word, 1)
  if (word.length < shortestHead || !languages.some((tag) => compounding.has(baseLanguage(tag)))) return []
  const forms = (whole?.forms ?? []).map((nr) => index.words[nr] ?? '')
  // The rules also create invalid forms, which match other words by chance; these two are valid for nearly every noun.
  const heads = new Set([word, word.replace(/n$/, ''), `${word}n`, ...forms])
  return [...heads]
    .filter(({ length }) => length >= shortestHead)
    .flatMap((head) => wordsEndingIn(index, head, shortestPart))
}

/** Returns two neighbouring words as one: "tea pot" as "teapot". Each with the position of its first word. */
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
 * Returns the word as two: "teapot" as "tea" and "pot".
 * @param known true if the word is in the index as well: then its parts must be in the name
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

/** Returns the nearest spelling in the index, with its forms; null without a near one. */
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
