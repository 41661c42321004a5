import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountIn, answerIn, countIn, momentIn, rateIn } from './tolerant-cells.ts'

const minor = (cell: string, decimals = 2) => {
  const read = amountIn(cell, decimals)
  return 'value' in read ? read.value : read.problem
}

describe('an amount in a file of another shop', () => {
  it.each([
    ['12.50', 1250],
    ['12,5', 1250],
    ['1,234.56', 123456],
    ['1.234,56', 123456],
    ['1 234,56 €', 123456],
    ["CHF 1'234.50", 123450],
    ['$12', 1200],
    ['12 EUR', 1200],
    ['-3.10', -310],
    ['1,234', 123400],
    ['1,234,567', 123456700],
    ['12.345678', 1235],
    ['12.344999', 1234],
    ['-0.005', -1],
    ['0.999', 100],
    ['.5', 50],
  ])('%s is read with its marks', (cell, value) => {
    expect(minor(cell)).toBe(value)
  })

  it.each(['', 'free', '1.2.3,4', '12,34,5', '--1', '1,2,3.4.5', '12..5'])('%s is refused', (cell) => {
    expect(minor(cell)).toBe('must be an amount like 12.50')
  })

  it('reads thousands of a currency without decimals', () => {
    expect([minor('1.234', 0), minor('1,234', 0), minor('1234.6', 0), minor('12.5', 0)]).toEqual([1234, 1234, 1235, 13])
  })

  it('reads every amount back, however it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (value) => {
        const sign = value < 0 ? '-' : ''
        const [whole, cents] = [
          String(Math.floor(Math.abs(value) / 100)),
          String(Math.abs(value) % 100).padStart(2, '0'),
        ]
        const grouped = (mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark)
        for (const cell of [
          `${sign}${whole}.${cents}`,
          `${sign}${grouped('.')},${cents}`,
          `${sign}${grouped(',')}.${cents}`,
        ])
          expect(minor(cell)).toBe(value + 0)
      }),
    )
  })
})

describe('other cells', () => {
  it('reads answers, counts and rates', () => {
    expect([answerIn('YES'), answerIn('0'), countIn('2.00'), rateIn('19,6 %'), rateIn('7')]).toEqual(
      [true, false, 2, 196_000, 70_000].map((value) => ({ value })),
    )
    expect([answerIn('maybe'), countIn('1.5'), countIn('0', 1), rateIn('-1')].every((read) => 'problem' in read)).toBe(
      true,
    )
  })

  it.each([
    ['2026-05-10 14:03:11 -0400', '2026-05-10T18:03:11.000Z'],
    ['2026-05-10T14:03:11Z', '2026-05-10T14:03:11.000Z'],
    ['2026-05-10T14:03:11', '2026-05-10T12:03:11.000Z'],
    ['2026-05-10 9:03', '2026-05-10T07:03:00.000Z'],
    ['2026-05-10', '2026-05-09T22:00:00.000Z'],
    ['10.05.2026', '2026-05-09T22:00:00.000Z'],
    ['05/23/2026', '2026-05-22T22:00:00.000Z'],
    ['23/5/2026 10:00', '2026-05-23T08:00:00.000Z'],
    ['1778421791', '2026-05-10T14:03:11.000Z'],
  ])('%s is a moment', (cell, at) => {
    const read = momentIn(cell, 'Europe/Berlin')
    expect('value' in read && read.value.toISOString()).toBe(at)
  })

  it.each(['05/06/2026', 'tomorrow', '2026-13-01', '2026-02-30', '10.05.26'])('%s is no certain moment', (cell) => {
    expect(momentIn(cell, 'Europe/Berlin')).toEqual({ problem: 'must be a date like 2026-12-31' })
  })
})
