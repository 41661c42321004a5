import { describe, expect, it } from 'vitest'
import { addBit, type Bits, countBits, countCommon, hasBit, noBits } from './bit-set.ts'

/** Pseudo-random numbers, the same on every run. */
function someNumbers(size: number, oneIn: number): number[] {
  let state = size * 31 + oneIn
  return Array.from({ length: size }, (_, nr) => nr).filter(() => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % oneIn === 0
  })
}

function setOf(size: number, numbers: readonly number[]): Bits {
  const bits = noBits(size)
  for (const nr of numbers) addBit(bits, nr)
  return bits
}

describe('what two sets have in common', () => {
  it('is counted as one by one, whatever is left over of four words', () => {
    for (let size = 1; size < 400; size += 13) {
      for (const [few, many] of [
        [2, 3],
        [1, 1],
        [7, 2],
      ] as const) {
        const one = someNumbers(size, few)
        const other = setOf(size, someNumbers(size, many))
        const common = one.filter((nr) => hasBit(other, nr)).length
        expect(countCommon(setOf(size, one), other), `${size}`).toBe(common)
      }
    }
  })

  it('is all of it where both are full, and nothing where one is empty', () => {
    for (const size of [31, 32, 128, 129, 1_000]) {
      const full = setOf(size, someNumbers(size, 1))
      expect([countCommon(full, full), countBits(full)]).toEqual([size, size])
      expect(countCommon(full, setOf(size, []))).toBe(0)
    }
  })
})
