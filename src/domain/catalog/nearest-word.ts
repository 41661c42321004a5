import { editDistance } from './edit-distance.ts'
import type { WordIndex } from './word-index.ts'

/** Words by trigrams, so that a misspelled word is compared with few others. */
export type Spelling = { readonly starts: Uint32Array; readonly words: Uint32Array }

/** Trigrams may collide; a collision only costs a comparison. */
const groups = 1 << 14

export function spellingOf({ words }: Pick<WordIndex, 'words'>): Spelling {
  const starts = new Uint32Array(groups + 1)
  const each = (visit: (group: number, word: number) => void) => {
    for (const [nr, word] of words.entries()) for (const group of groupsOf(word)) visit(group, nr)
  }
  each((group) => {
    starts[group + 1] = (starts[group + 1] ?? 0) + 1
  })
  for (let group = 0; group < groups; group += 1) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0)
  const filled = starts.slice()
  const list = new Uint32Array(starts[groups] ?? 0)
  each((group, nr) => {
    list[filled[group] ?? 0] = nr
    filled[group] = (filled[group] ?? 0) + 1
  })
  return { starts, words: list }
}

/** Start and end count as letters, since misspellings are rare there. Each trigram once. */
function groupsOf(word: string): Set<number> {
  const padded = `\0\0${word}\0`
  const found = new Set<number>()
  for (let at = 0; at + 2 < padded.length; at += 1) {
    const letters = (padded.charCodeAt(at) * 31 + padded.charCodeAt(at + 1)) * 31 + padded.charCodeAt(at + 2)
    found.add(Math.imul(letters, 0x9e37_79b1) >>> 18)
  }
  return found
}

/** Returns the number of allowed errors: short words have too many neighbours. */
function mostWrong(word: string): number {
  return word.length < 4 ? 0 : word.length < 7 ? 1 : 2
}

/** The trigrams of a spelling, and the number shared with each word of the catalog. */
type Sought = {
  readonly groups: ReadonlySet<number>
  readonly shared: ReadonlyMap<number, number>
}

/** A spelling of a word, and the forms that count as the same word. */
export type SoughtSpelling = { readonly word: string; readonly forms: ReadonlySet<string> }

/** A form of the word counts like more products than can exist. */
const formBonus = 2 ** 32

/**
 * Returns the catalog word nearest to a spelling. Among equal distances the first spelling wins, then a form of the
 * word, then the word in most products. Null without a near one. Words with digits are never corrected: they are
 * numbers or measures.
 * @param ways the word as it is written, then its possible singulars
 */
export function nearestWord(
  { words, counts }: WordIndex,
  spelling: Spelling,
  ways: readonly SoughtSpelling[],
): string | null {
  const written = ways[0]?.word ?? ''
  const most = mostWrong(written)
  if (most === 0 || /\p{N}/u.test(written)) return null
  // Usually the first one matches at once, and the others need not be prepared.
  const sought: Sought[] = []
  for (let wrong = 1; wrong <= most; wrong += 1) {
    for (const [at, { word: wanted, forms }] of ways.entries()) {
      if (wrong > mostWrong(wanted)) continue
      const { groups: own, shared } = sought[at] ?? soughtBy(spelling, wanted)
      sought[at] = { groups: own, shared }
      // A wrong letter changes three trigrams, a swap four.
      const needed = Math.max(1, own.size - 4 * wrong)
      let best: { word: string; count: number } | null = null
      for (const [nr, common] of shared) {
        if (common < needed) continue
        const word = words[nr] ?? ''
        const count = (counts[nr] ?? 0) + (forms.has(word) ? formBonus : 0)
        if (best && count <= best.count) continue
        if (editDistance(wanted, word, wrong) === wrong && !/\p{N}/u.test(word)) best = { word, count }
      }
      if (best) return best.word
    }
  }
  return null
}

function soughtBy(spelling: Spelling, word: string): Sought {
  const own = groupsOf(word)
  const shared = new Map<number, number>()
  for (const group of own) {
    const end = spelling.starts[group + 1] ?? 0
    for (let at = spelling.starts[group] ?? 0; at < end; at += 1) {
      const nr = spelling.words[at] ?? 0
      shared.set(nr, (shared.get(nr) ?? 0) + 1)
    }
  }
  return { groups: own, shared }
}
