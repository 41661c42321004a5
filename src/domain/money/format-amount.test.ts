import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountParts, decimalString, formatAmount, type PriceFormat } from './format-amount.ts'
import { money } from './money.ts'
import { parseAmount } from './parse-amount.ts'

const plain: PriceFormat = { position: 'left', decimals: 2, decimalSeparator: '.', thousandSeparator: ',' }

describe('formatAmount', () => {
  it('puts the symbol where the shop wants it and the minus sign before everything', () => {
    expect(formatAmount(money(-123456, 'USD'), plain, '$')).toBe('\u2212$1,234.56')
    expect(formatAmount(money(5, 'USD'), { ...plain, position: 'right' }, '$')).toBe('0.05$')
    expect(formatAmount(money(100, 'USD'), { ...plain, position: 'left_space' }, '$')).toBe('$\u00a01.00')
    expect(
      formatAmount(
        money(-100000000, 'EUR'),
        { position: 'right_space', decimals: 2, decimalSeparator: ',', thousandSeparator: '.' },
        '€',
      ),
    ).toBe('\u22121.000.000,00\u00a0€')
  })

  it('follows the currency, and the decimals of the shop where they differ', () => {
    expect(formatAmount(money(1234, 'JPY'), { ...plain, decimals: 0 }, '¥')).toBe('¥1,234')
    expect(formatAmount(money(1250, 'USD'), { ...plain, decimals: 0 }, '$')).toBe('$13')
    expect(formatAmount(money(-40, 'USD'), { ...plain, decimals: 0 }, '$')).toBe('$0')
    expect(formatAmount(money(1250, 'USD'), { ...plain, decimals: 3 }, '$')).toBe('$12.500')
  })

  it('keeps separators literal', () => {
    expect(amountParts(money(123456, 'USD'), { ...plain, thousandSeparator: '$&' }, '$').digits).toBe('1$&234.56')
  })

  it('writes the decimal string that providers read', () => {
    expect([money(-5, 'USD'), money(1250, 'USD'), money(7, 'JPY'), money(7, 'KWD')].map(decimalString)).toEqual([
      '-0.05',
      '12.50',
      '7',
      '0.007',
    ])
  })
})

describe('parseAmount', () => {
  it.each([
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['12.5000', 1250],
    ['.5', 50],
    ['5.', 500],
    [' 0012.34 ', 1234],
    ['-3.10', -310],
    ['-0', 0],
    ['90071992547409.91', 9007199254740991],
  ])('reads %s', (text, minor) => {
    expect(parseAmount(text, 2)).toEqual({ ok: true, minor })
  })

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['.', 'not-a-number'],
    ['1,50', 'not-a-number'],
    ['1e3', 'not-a-number'],
    ['$5', 'not-a-number'],
    ['1.2.3', 'not-a-number'],
    ['1.005', 'too-many-decimals'],
    ['90071992547409.92', 'too-large'],
    ['99999999999999999999', 'too-large'],
  ])('refuses "%s" as %s', (text, reason) => {
    expect(parseAmount(text, 2)).toEqual({ ok: false, reason })
  })

  it('M8 reads back what decimalString wrote, in every currency', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom('USD', 'JPY', 'KWD'), (minor, currency) => {
        const decimals = { USD: 2, JPY: 0, KWD: 3 }[currency] ?? 2
        expect(parseAmount(decimalString(money(minor, currency)), decimals)).toEqual({ ok: true, minor: minor + 0 })
      }),
    )
  })
})
