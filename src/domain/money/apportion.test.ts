import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apportion } from './apportion.ts'

describe('apportion', () => {
  it.each([
    // 0.4 + 0.4 + 0.4 = 1.2 ≈ 1: the first of equal remainders takes it.
    [[40n, 40n, 40n], 1, [1, 0, 0]],
    // 1.5 + 2.25 + 0.25 = 4: 1 + 2 + 0 leave one over, for the half.
    [[150n, 225n, 25n], 4, [2, 2, 0]],
    // −0.5 is −1 and a half over; 2.5 is 2 and a half over: of the two halves the earlier goes up.
    [[-50n, 250n], 2, [0, 2]],
    // Downwards too: 3 + 3 must be 5, and the later gives.
    [[300n, 300n], 5, [3, 2]],
    // Nothing is put where nothing was.
    [[0n, 120n, 0n], 2, [0, 2, 0]],
    [[0n, 0n], 1, [1, 0]],
    [[], 0, []],
  ])('%s hundredths that make %s are %s', (figures, wanted, expected) => {
    expect(apportion(figures, 100n, wanted)).toEqual(expected)
  })

  it('M8 always makes the wanted sum, and moves no figure by a whole unit when that is the rounded sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: -20, max: 20 }),
        (figures, off) => {
          const exact = figures.reduce((sum, figure) => sum + figure, 0n)
          const rounded = Math.floor((Number(exact) + 50) / 100)
          const shares = apportion(figures, 100n, rounded)
          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(rounded)
          shares.forEach((share, index) => {
            expect(Math.abs(share * 100 - Number(figures[index]))).toBeLessThan(100)
          })
          expect(apportion(figures, 100n, rounded + off).reduce((sum, share) => sum + share, 0)).toBe(rounded + off)
        },
      ),
    )
  })
})
