import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyExponent } from './currency-exponent.ts'
import {
  add,
  allocate,
  compare,
  isLess,
  larger,
  money,
  negate,
  sameMoney,
  smaller,
  subtract,
  sum,
  times,
} from './money.ts'
import { divideRounded, multiplyRounded } from './round.ts'

const euro = (minor: number) => money(minor, 'EUR')

describe('money', () => {
  it('refuses fractions and numbers that cannot be exact', () => {
    expect(() => money(1.5, 'EUR')).toThrow('whole minor units')
    expect(() => money(2 ** 53, 'EUR')).toThrow('whole minor units')
    expect(() => times(euro(100), 1.5)).toThrow('whole numbers')
  })

  it('refuses to mix currencies and names both', () => {
    expect(() => add(euro(1), money(1, 'USD'))).toThrow('cannot add EUR and USD')
    expect(() => compare(euro(1), money(1, 'USD'))).toThrow('cannot compare EUR and USD')
    expect(sameMoney(euro(1), money(1, 'USD'))).toBe(false)
  })

  it('adds, subtracts, multiplies and compares', () => {
    expect(add(euro(1), euro(2))).toEqual(euro(3))
    expect(subtract(euro(1), euro(2))).toEqual(euro(-1))
    expect(times(euro(3), 4)).toEqual(euro(12))
    expect(Object.is(negate(euro(0)).minor, 0)).toBe(true)
    expect(sum([], 'EUR')).toEqual(euro(0))
    expect(sum([euro(1), euro(2), euro(3)], 'EUR')).toEqual(euro(6))
    expect(isLess(euro(1), euro(2))).toBe(true)
    expect(smaller(euro(1), euro(2))).toEqual(euro(1))
    expect(larger(euro(1), euro(2))).toEqual(euro(2))
  })
})

describe('allocate', () => {
  it('a euro over three equal lines gives the first line the odd cent', () => {
    expect(allocate(euro(100), [1, 1, 1])).toEqual([euro(34), euro(33), euro(33)])
  })

  it('left-over units go to the largest remainders', () => {
    expect(allocate(euro(10), [1, 5, 4, 5])).toEqual([euro(1), euro(3), euro(3), euro(3)])
    expect(allocate(euro(-100), [2, 1])).toEqual([euro(-67), euro(-33)])
  })

  it('refuses to share out over nothing', () => {
    expect(() => allocate(euro(10), [0, 0])).toThrow('over nothing')
    expect(() => allocate(euro(10), [])).toThrow('over nothing')
  })

  it('I6 shares always sum to the amount, and none is more than a unit from its exact part', () => {
    const weights = fc
      .array(fc.integer({ min: 0, max: 10 ** 12 }), { minLength: 1, maxLength: 12 })
      .filter((list) => list.some((weight) => weight > 0))
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), weights, (minor, list) => {
        const shares = allocate(euro(minor), list)
        expect(sum(shares, 'EUR').minor).toBe(minor)
        const whole = list.reduce((total, weight) => total + BigInt(weight), 0n)
        shares.forEach((share, index) => {
          const distance = BigInt(share.minor) * whole - BigInt(minor) * BigInt(list[index] ?? 0)
          expect(distance < whole && distance > -whole).toBe(true)
        })
      }),
    )
  })
})

describe('exact division', () => {
  it('rounds halves away from zero, towards zero, or cuts', () => {
    const cases = [25n, -25n, 26n, 24n, -26n].map((numerator) =>
      (['half-up', 'half-down', 'down'] as const).map((rounding) => divideRounded(numerator, 10n, rounding)),
    )
    expect(cases).toEqual([
      [3n, 2n, 2n],
      [-3n, -2n, -2n],
      [3n, 3n, 2n],
      [2n, 2n, 2n],
      [-3n, -3n, -2n],
    ])
    expect(() => divideRounded(1n, 0n, 'down')).toThrow('cannot divide by 0')
  })

  it('survives products beyond 2^53', () => {
    expect(multiplyRounded(9_000_000_000_000_000, 999_999, 1_000_000, 'half-up')).toBe(8_999_991_000_000_000)
    expect(() => multiplyRounded(9_000_000_000_000_000, 3, 1, 'half-up')).toThrow('too large')
  })
})

it('knows the currencies whose minor unit is not a hundredth', () => {
  expect(['USD', 'EUR', 'JPY', 'KWD', 'HUF', 'constructor'].map(currencyExponent)).toEqual([2, 2, 0, 3, 0, 2])
})
