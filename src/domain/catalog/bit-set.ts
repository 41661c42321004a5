/**
 * A set of numbers from 0 on, one bit each: ten thousand products in 1,250 bytes. All sets of one index have the same
 * length. Signed, because engines compute with signed words, and convert unsigned ones to floating point.
 */
export type Bits = Int32Array

export function noBits(size: number): Bits {
  return new Int32Array(Math.ceil(size / 32))
}

export function allBits(size: number): Bits {
  const bits = noBits(size).fill(-1)
  if (size % 32 !== 0) bits[bits.length - 1] = 2 ** (size % 32) - 1
  return bits
}

export function hasBit(bits: Bits, number: number): boolean {
  return (((bits[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1
}

export function addBit(bits: Bits, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] ?? 0) | (1 << (number & 31))
}

/** Keeps in `bits` only the numbers that are also in `other`. */
export function keepCommon(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) & (other[at] ?? 0)
}

export function addAll(bits: Bits, other: Bits): void {
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) | (other[at] ?? 0)
}

/** Returns the numbers in `bits` that are not in `other`. */
export function without(bits: Bits, other: Bits): Bits {
  return bits.map((word, at) => word & ~(other[at] ?? 0))
}

export function countBits(bits: Bits): number {
  let count = 0
  for (let at = 0; at < bits.length; at += 1) count += bitsInWord(bits[at] ?? 0)
  return count
}

/** Returns the number of common elements. */
export function countCommon(bits: Bits, other: Bits): number {
  const inBoth = (at: number) => (bits[at] ?? 0) & (other[at] ?? 0)
  let count = 0
  let at = 0
  for (; at + 4 <= bits.length; at += 4) {
    count += bitsInFour(inBoth(at), inBoth(at + 1), inBoth(at + 2), inBoth(at + 3))
  }
  for (; at < bits.length; at += 1) count += bitsInWord(inBoth(at))
  return count
}

export function bitsInWord(word: number): number {
  const nibbles = inNibbles(word)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Counts four words in two thirds of the time: a nibble holds the sum of two of them, a byte of all. */
function bitsInFour(a: number, b: number, c: number, d: number): number {
  const early = (inNibbles(a) + inNibbles(b)) | 0
  const late = (inNibbles(c) + inNibbles(d)) | 0
  const bytes =
    (early & 0x0f0f_0f0f) + ((early >>> 4) & 0x0f0f_0f0f) + (late & 0x0f0f_0f0f) + ((late >>> 4) & 0x0f0f_0f0f)
  // The product adds up the four bytes.
  return Math.imul(bytes, 0x0101_0101) >>> 24
}

/** Sums neighbouring bits, then pairs. */
function inNibbles(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555)
  return (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
}

/** Calls `visit` with every number of the set, smallest first. */
export function eachBit(bits: Bits, visit: (number: number) => void): void {
  for (let at = 0; at < bits.length; at += 1) {
    let word = bits[at] ?? 0
    while (word !== 0) {
      const lowest = word & -word
      visit(at * 32 + 31 - Math.clz32(lowest))
      word ^= lowest
    }
  }
}

/** Returns the numbers of the set from the `offset`-th on, at most `limit`. Skipped numbers are counted by word. */
export function bitsFrom(bits: Bits, offset: number, limit: number): number[] {
  const numbers: number[] = []
  let skip = offset
  for (let at = 0; at < bits.length && numbers.length < limit; at += 1) {
    let word = bits[at] ?? 0
    const count = bitsInWord(word)
    if (count <= skip) {
      skip -= count
      continue
    }
    for (; word !== 0 && numbers.length < limit; skip -= 1) {
      const lowest = word & -word
      if (skip <= 0) numbers.push(at * 32 + 31 - Math.clz32(lowest))
      word ^= lowest
    }
    skip = Math.max(0, skip)
  }
  return numbers
}
