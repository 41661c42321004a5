import { figuresIn, findPlaceholders } from './placeholder-patterns.ts'

const leastLength = 50
const leastLikeness = 0.95

/**
 * Returns true if two originals differ so little, by a comma or a typing error, that they can share a translation.
 * Numbers, units and links must be equal: a single character matters there.
 */
export function isNearIdentical(one: string, other: string): boolean {
  if (one.length < leastLength || other.length < leastLength) return false
  // Texts of so different lengths cannot be that similar.
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (2 * short.length < leastLikeness * (short.length + long.length)) return false
  if (likeness(one, other) < leastLikeness) return false
  return factsOf(one) === factsOf(other)
}

/** Returns Dice's coefficient of adjacent character pairs: 1 for equal texts, 0 for no common pair. */
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
