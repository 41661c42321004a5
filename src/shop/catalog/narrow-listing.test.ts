import { describe, expect, it } from 'vitest'
import { firstWith, largestPrice } from './narrow-listing.ts'

describe('the first price that is shown so dear', () => {
  const first = [0, 1, 2, 3, 99, 1_000, 1_234_567, 2 ** 40 + 3, largestPrice - 1, largestPrice]
  const near = [
    0,
    0.4,
    1,
    7,
    999,
    1_001,
    1_234_560.7,
    2 ** 40,
    largestPrice,
    2 ** 60,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ]

  it('is found wherever one begins to look', () => {
    for (const wanted of first) {
      for (const from of near) {
        const found = firstWith((entered) => entered >= wanted, from)
        expect([wanted, from, found]).toEqual([wanted, from, wanted])
      }
    }
  })

  it('is found in a few steps where one begins beside it', () => {
    for (const away of [-120, -3, 0, 1, 90]) {
      let looks = 0
      firstWith((entered) => {
        looks += 1
        return entered >= 5_000_000
      }, 5_000_000 + away)
      expect(looks).toBeLessThanOrEqual(16)
    }
  })

  it('is dearer than any price where none is', () => {
    for (const from of near) expect(firstWith(() => false, from)).toBeGreaterThanOrEqual(largestPrice)
  })
})
