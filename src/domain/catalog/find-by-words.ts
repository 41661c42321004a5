import { addAll, addBit, type Bits, eachBit, hasBit, noBits } from './bit-set.ts'
import { joinedWords, matchWord, nearestMatch, splitWords, type WordMatch, type WordSource } from './match-word.ts'
import type { Spelling } from './nearest-word.ts'
import { withoutStopWords } from './stop-words.ts'
import { eachPlaceOf, inName, type WordIndex, weightIn } from './word-index.ts'

export type WordSearch = {
  /** Numbers of products, the best first. */
  readonly ranked: Uint32Array
  readonly found: Bits
  /** The words that were sought instead; null: as given. */
  readonly corrected: readonly string[] | null
}

/** More words than this narrow nothing any more. */
const mostWords = 12

const exactScore = [0, 3, 9, 30] as const
/** Such that a name of nothing but forms says more than one of exact words and beginnings, whatever their number. */
const formScore = [0, 2, 8, 29] as const
const partScore = [0, 1, 5, 16] as const
const wholeNameScore = 120
const highestScore = mostWords * exactScore[inName] + wholeNameScore

/**
 * Products that hold every word or a form of it, the last one also as the beginning of a word, and so any that is no word itself.
 * Ranked by where the words stand: whole words before forms and these before parts, names before texts, a name of just these
 * words first; equals in the order of the menu. Two words are sought as one as well, and one as two. A word that is in no product
 * is replaced by the one spelled nearest. Stop words narrow nothing.
 * @param searchable products that may be found
 * @param languages by whose rules words have forms, compounds and stop words; none: words are sought as they are
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

/** What the words may mean: as they are, two as one, or one as two. Only what the index can answer. */
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
 * What is found in any of these ways.
 * @param length how many words were given: a way of fewer or more of them is worth as much
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

/** Notes the score of products that hold all the words. @param found is filled with them */
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
  /** Products that hold the rarest word: none but these can be found. */
  readonly reached: Uint32Array
  reachedCount: number
}

/** One of the words sought. */
type Step = {
  /** How many came before. */
  readonly before: number
  /** Of the last one: those that hold it, too, are found. */
  readonly found: Bits | null
  readonly searchable: Bits
  /** Places that say less do not count. */
  readonly least: number
}

/** Notes where a word stands, in products that hold all that came before it. */
function takeWord(index: WordIndex, word: number, scores: readonly number[], notes: Notes, step: Step): void {
  const weights = step.before > 0 ? index.weights.get(word) : undefined
  if (!weights) {
    eachPlaceOf(index, word, (nr, weight) => {
      if (weight >= step.least) take(notes, step, nr, scores[weight] ?? 0)
    })
    return
  }
  const { reached, reachedCount } = notes
  for (let at = 0; at < reachedCount; at += 1) {
    const nr = reached[at] ?? 0
    const weight = weightIn(weights, nr)
    if (weight >= step.least) take(notes, step, nr, scores[weight] ?? 0)
  }
}

/** A place that says more of the product than another of the same word counts instead of it. */
function take(notes: Notes, { before, found, searchable }: Step, nr: number, gain: number): void {
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

/** What a search notes of each product. Wiped rather than made anew: several bytes for every product of the shop. */
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
  // What was reached is told by its count.
  for (const note of [known.stage, known.score, known.part]) note.fill(0)
  known.reachedCount = 0
  return known
}

/** Counting instead of comparing: as quick for a hundred thousand hits as reading them. */
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
