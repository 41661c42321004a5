import { addBit, type Bits, hasBit, noBits } from './bit-set.ts'
import { nearestWord, type Spelling } from './nearest-word.ts'
import { eachPlaceOf, inName, type WordIndex, weightIn, wordPlace } from './word-index.ts'

export type WordSearch = {
  /** Numbers of products, the best first. */
  readonly ranked: Uint32Array
  readonly found: Bits
  /** The words that were sought instead; null: as given. */
  readonly corrected: readonly string[] | null
}

/** More words than this narrow nothing any more. */
const mostWords = 12
/** A beginning stands for this many words at most, the commonest ones. */
const mostEndings = 64

const exactScore = [0, 3, 9, 30] as const
const beginningScore = [0, 1, 5, 16] as const
const wholeNameScore = 120

/**
 * Products that hold every word, the last one also as the beginning of a word, and so any that is no word itself. Ranked by where the words stand: whole words
 * before beginnings, names before texts, a name of just these words first; equals in the order of the menu. A word that is
 * in no product is replaced by the one spelled nearest.
 * @param searchable products that may be found
 */
export function findByWords(
  index: WordIndex,
  spelling: () => Spelling,
  given: readonly string[],
  searchable: Bits,
): WordSearch {
  const size = index.nameLengths.length
  const wanted = [...new Set(given)].slice(0, mostWords)
  const matches = wanted.map((word, at) => matchOf(index, spelling, word, at === wanted.length - 1))
  const found = noBits(size)
  if (matches.length === 0 || matches.some((match) => match === null))
    return { ranked: new Uint32Array(), found, corrected: null }

  const rarestFirst = matches.flatMap((match) => match ?? []).sort((a, b) => a.count - b.count)
  const notes = notesFor(index)
  for (const [before, { exact, beginnings }] of rarestFirst.entries()) {
    const step = { before, found: before + 1 === rarestFirst.length ? found : null, searchable }
    if (exact !== null) takeWord(index, exact, exactScore, notes, step)
    for (const word of beginnings) takeWord(index, word, beginningScore, notes, step)
  }
  const { score, reached, reachedCount } = notes
  const whole = rarestFirst.length * exactScore[inName]
  for (let at = 0; at < reachedCount; at += 1) {
    const nr = reached[at] ?? 0
    if (score[nr] === whole && index.nameLengths[nr] === rarestFirst.length) score[nr] = whole + wholeNameScore
  }
  const ranked = byScore(found, score)
  const words = matches.map((match) => match?.word ?? '')
  return { ranked, found, corrected: words.every((word, at) => word === wanted[at]) ? null : words }
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
}

/** Notes where a word stands, in products that hold all that came before it. */
function takeWord(index: WordIndex, word: number, scores: readonly number[], notes: Notes, step: Step): void {
  const weights = step.before > 0 ? index.weights.get(word) : undefined
  if (!weights) {
    eachPlaceOf(index, word, (nr, weight) => take(notes, step, nr, scores[weight] ?? 0))
    return
  }
  const { reached, reachedCount } = notes
  for (let at = 0; at < reachedCount; at += 1) {
    const nr = reached[at] ?? 0
    const weight = weightIn(weights, nr)
    if (weight !== 0) take(notes, step, nr, scores[weight] ?? 0)
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

type Match = {
  readonly word: string
  /** Places in the list of words. */
  readonly exact: number | null
  readonly beginnings: readonly number[]
  readonly count: number
}

function matchOf(index: WordIndex, spelling: () => Spelling, word: string, isLast: boolean): Match | null {
  const { words, counts } = index
  const at = wordPlace(words, word)
  const exact = words[at] === word ? at : null
  const beginnings: number[] = []
  // The last one may be unfinished; so may another that is no word by itself.
  if (isLast || exact === null) {
    for (let next = exact === null ? at : at + 1; words[next]?.startsWith(word); next += 1) beginnings.push(next)
    if (beginnings.length > mostEndings) {
      beginnings.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
      beginnings.length = mostEndings
    }
  }
  if (exact !== null || beginnings.length > 0) {
    const count = [...(exact === null ? [] : [exact]), ...beginnings].reduce((sum, nr) => sum + (counts[nr] ?? 0), 0)
    return { word, exact, beginnings, count }
  }
  const near = nearestWord(index, spelling(), word)
  if (near === null) return null
  const place = wordPlace(words, near)
  return { word: near, exact: place, beginnings: [], count: counts[place] ?? 0 }
}

/** Counting instead of comparing: as quick for a hundred thousand hits as reading them. */
function byScore(found: Bits, score: Uint16Array): Uint32Array {
  const highest = mostWords * exactScore[inName] + wholeNameScore
  const starts = new Uint32Array(highest + 2)
  for (let at = 0; at < found.length; at += 1) {
    for (let word = found[at] ?? 0; word !== 0; word &= word - 1) {
      const place = highest - (score[at * 32 + 31 - Math.clz32(word & -word)] ?? 0) + 1
      starts[place] = (starts[place] ?? 0) + 1
    }
  }
  for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0)
  const ranked = new Uint32Array(starts[highest + 1] ?? 0)
  for (let at = 0; at < found.length; at += 1) {
    for (let word = found[at] ?? 0; word !== 0; word &= word - 1) {
      const nr = at * 32 + 31 - Math.clz32(word & -word)
      const place = highest - (score[nr] ?? 0)
      ranked[starts[place] ?? 0] = nr
      starts[place] = (starts[place] ?? 0) + 1
    }
  }
  return ranked
}
