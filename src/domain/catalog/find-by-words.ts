import { addAll, addBit, type Bits, eachBit, hasBit, noBits } from './bit-set.ts'
import { joinedWords, matchWord, nearestMatch, splitWords, type WordMatch, type WordSource } from './match-word.ts'
import type { Spelling } from './nearest-word.ts'
import { withoutStopWords } from './stop-words.ts'
import { eachPlaceOf, inName, type WordIndex, weightIn } from './word-index.ts'

export type WordSearch = {
  /** Numbers of products, the best first. */
  readonly ranked: Uint32Array
  readonly found: Bits
  /** The corrected words that were searched; null: as given. */
  readonly corrected: readonly string[] | null
}

/** More words do not filter any further. */
const mostWords = 12

const exactScore = [0, 3, 9, 30] as const
/** Chosen so that a name of word forms only outranks exact words and prefixes in texts, whatever their number. */
const formScore = [0, 2, 8, 29] as const
const partScore = [0, 1, 5, 16] as const
const wholeNameScore = 120
const highestScore = mostWords * exactScore[inName] + wholeNameScore

/**
 * Finds products that contain every word or a form of it; the last word, and any word missing in the index, also as a
 * prefix. Ranking: whole words before forms before parts, names before texts, a name of exactly these words first; ties
 * in menu order. Two words are also searched as one, and one as two. A word in no product is replaced by the nearest
 * spelling. Stop words do not filter.
 * @param searchable products that may be found
 * @param languages rules for word forms, compounds and stop words; none: words are searched unchanged
 */
export function findByWords(
  index: WordIndex,
  spelling: () => Spelling,
  given: readonly string[],
  searchable: Bits,
  languages: readonly string[] = [],
): WordSearch {
  const source: WordSource = { index, spelling, languages }
  const asked = [...new Set(given)]
  const wanted = withoutStopWords(asked, languages).slice(0, mostWords)
  const matches = wanted.map((word, at) => matchWord(source, word, at === wanted.length - 1))
  const found = findEither(index, waysToRead(source, wanted, matches), wanted.length, searchable)
  if (found.ranked.length > 0 || matches.every((match) => match !== null)) return { ...found, corrected: null }

  const near = matches.map((match, at) => match ?? nearestMatch(source, wanted[at] ?? ''))
  const guessed = near.flatMap((match) => match ?? [])
  if (guessed.length < near.length) return { ...found, corrected: null }
  const instead = new Map(wanted.map((word, at) => [word, guessed[at]?.word ?? word]))
  return {
    ...findEither(index, [guessed], wanted.length, searchable),
    corrected: asked.map((word) => instead.get(word) ?? word),
  }
}

/**
 * Returns the possible readings of the words: unchanged, two as one, or one as two. Only those that the index can
 * match.
 */
function waysToRead(
  source: WordSource,
  wanted: readonly string[],
  matches: readonly (WordMatch | null)[],
): WordMatch[][] {
  const replaced = (from: number, to: number, by: readonly WordMatch[]) => {
    const way = [...matches.slice(0, from), ...by, ...matches.slice(to)]
    return way.length <= mostWords ? [way] : []
  }
  const ways = [
    [...matches],
    ...joinedWords(source, wanted).flatMap(({ at, match }) => replaced(at, at + 2, [match])),
    ...wanted.flatMap((word, at) =>
      splitWords(source, word, matches[at] !== null).flatMap((parts) => replaced(at, at + 1, parts)),
    ),
  ]
  return ways.flatMap((way) => {
    const all = way.flatMap((match) => match ?? [])
    return all.length > 0 && all.length === way.length ? [all] : []
  })
}

/**
 * Finds products by any of these readings.
 * @param length the number of given words: a reading with fewer or more words has the same weight
 */
function findEither(
  index: WordIndex,
  ways: readonly (readonly WordMatch[])[],
  length: number,
  searchable: Bits,
): Pick<WordSearch, 'ranked' | 'found'> {
  const found = noBits(index.nameLengths.length)
  const [only, ...others] = ways
  if (!only) return { ranked: new Uint32Array(), found }
  const { score } = findAll(index, only, searchable, found)
  if (others.length === 0) return { ranked: byScore(found, score), found }

  const best = score.slice()
  const levelled = (gained: number, words: number) =>
    Math.min(highestScore, Math.max(1, gained + (length - words) * exactScore[inName]))
  eachBit(found, (nr) => {
    best[nr] = levelled(best[nr] ?? 0, only.length)
  })
  for (const way of others) {
    const also = noBits(index.nameLengths.length)
    const gains = findAll(index, way, searchable, also).score
    eachBit(also, (nr) => {
      best[nr] = Math.max(hasBit(found, nr) ? (best[nr] ?? 0) : 0, levelled(gains[nr] ?? 0, way.length))
    })
    addAll(found, also)
  }
  return { ranked: byScore(found, best), found }
}

/** Records the score of products that contain all the words. @param found receives them */
function findAll(index: WordIndex, matches: readonly WordMatch[], searchable: Bits, found: Bits): Notes {
  const rarestFirst = matches.toSorted((a, b) => a.count - b.count)
  const notes = notesFor(index)
  for (const [before, { exact, forms, parts, least }] of rarestFirst.entries()) {
    const step = { before, found: before + 1 === rarestFirst.length ? found : null, searchable, least }
    if (exact !== null) takeWord(index, exact, exactScore, notes, step)
    for (const word of forms) takeWord(index, word, formScore, notes, step)
    for (const word of parts) takeWord(index, word, partScore, notes, step)
  }
  const { score, reached, reachedCount } = notes
  const whole = rarestFirst.length * formScore[inName]
  for (let at = 0; at < reachedCount; at += 1) {
    const nr = reached[at] ?? 0
    if ((score[nr] ?? 0) >= whole && index.nameLengths[nr] === rarestFirst.length)
      score[nr] = (score[nr] ?? 0) + wholeNameScore
  }
  return notes
}

type Notes = {
  readonly stage: Uint8Array
  readonly score: Uint16Array
  readonly part: Uint8Array
  /** Products that contain the rarest word: only these can be results. */
  readonly reached: Uint32Array
  reachedCount: number
}

/** A search word. */
type Step = {
  /** The number of previous words. */
  readonly before: number
  /** Set for the last word: collects the products that contain it too. */
  readonly found: Bits | null
  readonly searchable: Bits
  /** Positions of lower weight do not count. */
  readonly least: number
}

/** Records a word's positions in products that contain all previous words. */
function takeWord(index: WordIndex, word: number, scores: readonly number[], notes: Notes, step: Step): void {
  const weights = step.before > 0 ? index.weights.get(word) : undefined
  if (!weights) {
    eachPlaceOf(index, word, (nr, weight) => {
      if (weight >= step.least) addScore(notes, step, nr, scores[weight] ?? 0)
    })
    return
  }
  const { reached, reachedCount } = notes
  for (let at = 0; at < reachedCount; at += 1) {
    const nr = reached[at] ?? 0
    const weight = weightIn(weights, nr)
    if (weight >= step.least) addScore(notes, step, nr, scores[weight] ?? 0)
  }
}

/** The position with the highest weight counts for each word. */
function addScore(notes: Notes, { before, found, searchable }: Step, nr: number, gain: number): void {
  const { stage, score, part } = notes
  if (stage[nr] === before) {
    if (found && hasBit(searchable, nr)) addBit(found, nr)
    if (before === 0) notes.reached[notes.reachedCount++] = nr
    stage[nr] = before + 1
    part[nr] = gain
    score[nr] = (score[nr] ?? 0) + gain
  } else if (stage[nr] === before + 1 && (part[nr] ?? 0) < gain) {
    score[nr] = (score[nr] ?? 0) + gain - (part[nr] ?? 0)
    part[nr] = gain
  }
}

const kept = new WeakMap<WordIndex, Notes>()

/**
 * Returns the scratch memory of a search, cleared instead of allocated: several bytes for every product of the shop.
 */
function notesFor(index: WordIndex): Notes {
  const size = index.nameLengths.length
  const known = kept.get(index)
  if (!known) {
    const fresh = {
      stage: new Uint8Array(size),
      score: new Uint16Array(size),
      part: new Uint8Array(size),
      reached: new Uint32Array(size),
      reachedCount: 0,
    }
    kept.set(index, fresh)
    return fresh
  }
  // `reached` is limited by its count.
  for (const note of [known.stage, known.score, known.part]) note.fill(0)
  known.reachedCount = 0
  return known
}

/** A counting sort: for a hundred thousand hits as fast as reading them. */
function byScore(found: Bits, score: Uint16Array): Uint32Array {
  const starts = new Uint32Array(highestScore + 2)
  for (let at = 0; at < found.length; at += 1) {
    for (let word = found[at] ?? 0; word !== 0; word &= word - 1) {
      const place = highestScore - (score[at * 32 + 31 - Math.clz32(word & -word)] ?? 0) + 1
      starts[place] = (starts[place] ?? 0) + 1
    }
  }
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  const ranked = new Uint32Array(starts[highestScore + 1] ?? 0)
  for (let at = 0; at < found.length; at += 1) {
    for (let word = found[at] ?? 0; word !== 0; word &= word - 1) {
      const nr = at * 32 + 31 - Math.clz32(word & -word)
      const place = highestScore - (score[nr] ?? 0)
      ranked[starts[place] ?? 0] = nr
      starts[place] = (starts[place] ?? 0) + 1
    }
  }
  return ranked
}
