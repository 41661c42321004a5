import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalMarkOf, numberCell, roundedNumber } from './number-cells.ts'

const read = (cell: string, mark: 'point' | 'comma' | null = null) => {
  const number = numberCell(cell, mark)
  return 'text' in number ? number.text : number.problem
}

describe('a number in a cell', () => {
  it.each([
    ['12', '12'],
    ['12.5', '12.5'],
    ['12,5', '12.5'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['12,34,567.80', '1234567.80'],
    ['1 234,5', '1234.5'],
    ["1'234.50", '1234.50'],
    ['$1,234.50', '1234.50'],
    ['R$ 12,50', '12.50'],
    ['12,50 zł', '12.50'],
    ['EUR 12', '12'],
    ['-3', '-3'],
    ['−3,5', '-3.5'],
    ['€ -3.5', '-3.5'],
    ['0,125', '0.125'],
    ['.5', '.5'],
    ['12,-', '12'],
    ['12.--', '12'],
    ['１２．５', '12.5'],
    ['١٢٫٥', '12.5'],
  ])('%s is %s', (cell, text) => {
    expect(read(cell)).toBe(text)
  })

  it.each([
    ['1,250', 'comma', '1.250'],
    ['1,250', 'point', '1250'],
    ['1.250', 'comma', '1250'],
    ['1.250', 'point', '1.250'],
  ] as const)('%s in a file with a decimal %s is %s', (cell, mark, text) => {
    expect(read(cell, mark)).toBe(text)
  })

  it.each([
    ['1,250', /two ways/],
    ['1.250', /two ways/],
    ['1,2,3', /must be a number/],
    ['1.2.3', /must be a number/],
    ['1,23.456', /must be a number/],
    ['12 apples', /unknown sign or unit "apples"/],
    ['USD 12 EUR', /must be a number/],
    ['', /must be a number/],
    ['-', /must be a number/],
    ['1e3', /unknown sign|must be a number/],
    ['20%', /unknown sign/],
  ])('%s is refused', (cell, problem) => {
    expect(read(cell)).toMatch(problem)
  })

  it('names its currency, or none for a sign of many', () => {
    const currencies = (cell: string) => {
      const number = numberCell(cell, null)
      return 'text' in number ? number.currencies : number.problem
    }
    expect(['12 €', '12 zł', '¥12', '$12', '12 chf', '12'].map(currencies)).toEqual([
      ['EUR'],
      ['PLN'],
      ['JPY', 'CNY'],
      null,
      ['CHF'],
      null,
    ])
  })

  it('written in any locale comes back, once the decimal mark is known', () => {
    const locales = fc.constantFrom(
      ...([
        ['en-US', 'point'],
        ['de-DE', 'comma'],
        ['fr-FR', 'comma'],
        ['de-CH', 'point'],
        ['en-IN', 'point'],
        ['pl-PL', 'comma'],
        ['pt-BR', 'comma'],
        ['ar-EG', 'point'],
      ] as const),
    )
    fc.assert(
      fc.property(locales, fc.integer({ min: 0, max: 99_999_999 }), ([locale, mark], cents) => {
        const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(cents / 100)
        expect(Number(read(written, mark))).toBe(cents / 100)
      }),
    )
  })
})

describe('the decimal mark of a file', () => {
  it('is proven by a number that can be read one way only', () => {
    const marks = ['12,50', '12.50', '1.234,50', '1,234.5', '1.234.567', '1,234,567', '0,125', '1,250', '12', 'x', '']
    expect(marks.map(decimalMarkOf)).toEqual([
      ...['comma', 'point', 'comma', 'point', 'comma', 'point', 'comma'],
      ...[null, null, null, null],
    ])
  })
})

describe('rounding', () => {
  it.each([
    ['1.005', 2, '1.01'],
    ['1.0049', 2, '1.00'],
    ['9.999', 2, '10.00'],
    ['-9.999', 2, '-10.00'],
    ['1234.5', 0, '1235'],
    ['12.5000', 2, '12.5000'],
    ['.005', 2, '0.01'],
    ['12', 2, '12'],
  ])('%s to %i decimals is %s', (text, decimals, rounded) => {
    expect(roundedNumber(text, decimals)).toBe(rounded)
  })
})
