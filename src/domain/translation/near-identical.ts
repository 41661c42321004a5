import { figuresIn, findPlaceholders } from './placeholder-patterns.ts'

const leastLength = 50
const leastLikeness = 0.95

/**
 * Whether two originals differ so little, by a comma or a typing error, that the translation of the one is one of the other.
 * What is counted, measured or linked to must be the same: there a sign is all the difference.
 */
export function isNearIdentical(one: string, other: string): boolean {
  if (one.length < leastLength || other.length < leastLength) return false
  // No pair of texts of such different length can be so alike.
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (2 * short.length < leastLikeness * (short.length + long.length)) return false
  if (likeness(one, other) < leastLikeness) return false
  return factsOf(one) === factsOf(other)
}

/** Dice's coefficient of the pairs of signs that stand next to each other: 1 for the same text, 0 for nothing in common. */
export function likeness(one: string, other: string): number {
  const pairs = new Map<string, number>()
  for (let at = 0; at < one.length - 1; at += 1) {
    const pair = one.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  let shared = 0
  for (let at = 0; at < other.length - 1; at += 1) {
    const pair = other.slice(at, at + 2)
    const left = pairs.get(pair) ?? 0
    if (left === 0) continue
    pairs.set(pair, left - 1)
    shared += 1
  }
  const all = Math.max(0, one.length - 1) + Math.max(0, other.length - 1)
  return all === 0 ? Number(one === other) : (2 * shared) / all
}

const factsOf = (text: string) =>
  JSON.stringify([findPlaceholders(text, [], false).map(({ said }) => said), figuresIn(text), text.match(/<[^<>]*>/g)])
