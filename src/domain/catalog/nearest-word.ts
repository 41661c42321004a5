import { editDistance } from './edit-distance.ts'
import type { WordIndex } from './word-index.ts'

/** Words by the groups of three letters they hold, so that a misspelled word is compared with few others. */
export type Spelling = { readonly starts: Uint32Array; readonly words: Uint32Array }

/** Groups share a place now and then; that costs a comparison, nothing else. */
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

/** Beginning and end count as letters, since misspellings are rare there. Each group once. */
function groupsOf(word: string): Set<number> {
  const padded = `\0\0${word}\0`
  const found = new Set<number>()
  for (let at = 0; at + 2 < padded.length; at += 1) {
    const letters = (padded.charCodeAt(at) * 31 + padded.charCodeAt(at + 1)) * 31 + padded.charCodeAt(at + 2)
    found.add(Math.imul(letters, 0x9e37_79b1) >>> 18)
  }
  return found
}

/** How many letters may be wrong: short words have too many neighbours. */
function mostWrong(word: string): number {
  return word.length < 4 ? 0 : word.length < 7 ? 1 : 2
}

/** The groups of a spelling, and how many of them each word of the catalogue shares. */
type Sought = {
  readonly groups: ReadonlySet<number>
  readonly shared: ReadonlyMap<number, number>
}

/** A way to write a word, and what counts as the same word. */
export type SoughtSpelling = { readonly word: string; readonly forms: ReadonlySet<string> }

/** A form of the word counts as in more products than there are. */
const formBonus = 2 ** 32

/**
 * The word of the catalogue that is spelled nearest to one of the ways to write a word. Among equally near ones the first way wins,
 * then a form of the word, then the word in most products. Null: none is near. A word with digits is a number or measure, which
 * nobody means who writes another.
 * @param ways the word as it is written, then what it may be a plural of
 */
export function nearestWord(
  { words, counts }: WordIndex,
  spelling: Spelling,
  ways: readonly SoughtSpelling[],
): string | null {
  const written = ways[0]?.word ?? ''
  const most = mostWrong(written)
  if (most === 0 || /\p{N}/u.test(written)) return null
  // Mostly the first one is found at once, and the others need not be looked into.
  const sought: Sought[] = []
  for (let wrong = 1; wrong <= most; wrong += 1) {
    for (const [at, { word: wanted, forms }] of ways.entries()) {
      if (wrong > mostWrong(wanted)) continue
      const { groups: own, shared } = sought[at] ?? soughtBy(spelling, wanted)
      sought[at] = { groups: own, shared }
      // One wrong letter spoils three groups, two swapped ones four.
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
