import type { WordIndex } from './word-index.ts'

/** Numbers of the index words, sorted by their reversed spelling. Created on first use. */
const sorted = new WeakMap<WordIndex, Uint32Array>()

function wordsByEnding(index: WordIndex): Uint32Array {
  const before = sorted.get(index)
  if (before) return before
  const { words } = index
  const made = Uint32Array.from(words, (_, nr) => nr).sort((a, b) => compareFromEnd(words[a] ?? '', words[b] ?? ''))
  sorted.set(index, made)
  return made
}

/** Returns the numbers of the words with an ending and a minimum number of letters before it. */
export function wordsEndingIn(index: WordIndex, ending: string, lettersMore: number): number[] {
  const { words } = index
  const byEnding = wordsByEnding(index)
  let low = 0
  let high = byEnding.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareFromEnd(words[byEnding[middle] ?? 0] ?? '', ending) < 0) low = middle + 1
    else high = middle
  }
  const found: number[] = []
  for (let at = low; at < byEnding.length; at += 1) {
    const nr = byEnding[at] ?? 0
    const word = words[nr] ?? ''
    if (!word.endsWith(ending)) break
    if (word.length >= ending.length + lettersMore) found.push(nr)
  }
  return found
}

function compareFromEnd(one: string, other: string): number {
  const shared = Math.min(one.length, other.length)
  for (let back = 1; back <= shared; back += 1) {
    const difference = one.charCodeAt(one.length - back) - other.charCodeAt(other.length - back)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}
