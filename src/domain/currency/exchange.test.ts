import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '../money/money.ts'
import { type ExchangeRule, effectiveRate, exchangeOf, noExchange } from './exchange.ts'
import { compareExact, decimalText, exact, multiplyExact, toWhole, whole } from './fraction.ts'

const rule = (change: Partial<ExchangeRule> = {}): ExchangeRule => ({
  code: 'EUR',
  rate: '1',
  fee: { type: 'percentage', value: '0' },
  ending: { type: 'disabled', step: '1', subtract: '0' },
  decimals: 2,
  ...change,
})

describe('a price in another currency', () => {
  it.each([
    // Prices are in thousandths (Kuwaiti dinar), so that three decimals can be entered.
    [19_990, '1.0845', 'percentage', '2.5', 'disabled', '1', '0', 2222],
    [100_000, '0.9', 'fixed', '0.05', 'disabled', '1', '0', 9500],
    [20_300, '1', 'fixed', '0', 'up', '0.1', '0.01', 2029],
    [19_900, '1.1', 'percentage', '10', 'nearest', '5', '0.01', 2499],
    [49_990, '0.8567', 'percentage', '1.5', 'nearest', '1', '0.01', 4299],
    [7_000, '149.5', 'percentage', '3', 'up', '100', '1', 109_900],
    [4_350, '100', 'fixed', '0', 'down', '1', '0', 43_500],
    [1_150, '3', 'fixed', '0', 'down', '0.05', '0', 345],
    [1_005, '1', 'fixed', '0', 'nearest', '0.01', '0', 101],
    [0, '1.1', 'fixed', '0', 'up', '1', '0.01', 0],
    [4, '1', 'fixed', '0', 'down', '1', '0.01', 0],
  ] as const)(
    'CUR-04 CUR-07 %i fils at %s, fee %s %s, ending %s %s less %s are %i cents',
    (price, rate, type, value, ending, step, subtract, cents) => {
      const { price: shown } = exchangeOf(
        'KWD',
        rule({ rate, fee: { type, value }, ending: { type: ending, step, subtract } }),
      )
      expect(shown(price)).toBe(cents)
    },
  )

  it('CUR-04 the fee is a share of the rate, or added to it', () => {
    expect(decimalText(effectiveRate('1.0845', { type: 'percentage', value: '2.5' }), 12)).toBe('1.1116125')
    expect(decimalText(effectiveRate('0.9', { type: 'fixed', value: '0.05' }), 12)).toBe('0.95')
  })

  it('rounds only what is a price: a coupon or a fee is converted and no more', () => {
    const { amount } = exchangeOf('USD', rule({ rate: '1.5', ending: { type: 'up', step: '5', subtract: '0.01' } }))
    expect([amount(1000), amount(-1000), amount(0), amount(1)]).toEqual([1500, -1500, 0, 2])
  })

  it('charges no decimals that are not shown, nor more than the currency has', () => {
    expect(exchangeOf('USD', rule({ rate: '1.111', decimals: 0 })).price(1000)).toBe(1100)
    expect(exchangeOf('USD', rule({ rate: '1.1119', decimals: 4 })).price(1000)).toBe(1112)
    expect(exchangeOf('USD', rule({ code: 'HUF', rate: '361.456', decimals: 2 })).price(1999)).toBe(7226)
    expect(exchangeOf('USD', rule({ code: 'JPY', rate: '149.5', decimals: 0 })).price(1999)).toBe(2989)
    expect(exchangeOf('JPY', rule({ rate: '0.0061' })).price(2989)).toBe(1823)
  })

  it.each([
    [{ rate: '0' }, 'not positive'],
    [{ rate: 'N/A' }, 'not a decimal'],
    [{ rate: '1e3' }, 'not a decimal'],
    [{ ending: { type: 'up', step: '0', subtract: '0' } }, 'step 0'],
    [{ ending: { type: 'up', step: '1', subtract: '-1' } }, 'cannot be subtracted'],
  ] as const)('refuses %j', (change, message) => {
    expect(() => exchangeOf('USD', rule(change))).toThrow(message)
  })

  it('M8 CUR-07 is never off by more than half a unit, never negative, and dearer never becomes cheaper', () => {
    const rate = fc
      .tuple(fc.integer({ min: 1, max: 5_000_000 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, decimals]) => decimalText({ n: BigInt(digits), d: 10n ** BigInt(decimals) }, 6))
    fc.assert(
      fc.property(
        rate,
        fc.constantFrom('EUR', 'JPY', 'HUF', 'KWD'),
        fc.constantFrom('disabled', 'up', 'down', 'nearest'),
        fc.constantFrom('1', '0.05', '0.5', '5', '100'),
        fc.constantFrom('0', '0.01', '1'),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (given, code, type, step, subtract, minor, more) => {
          const decimals = { EUR: 2, JPY: 0, HUF: 0, KWD: 3 }[code] ?? 2
          const { price, amount, factor } = exchangeOf(
            'USD',
            rule({ code, rate: given, ending: { type, step, subtract }, decimals }),
          )
          expect(price(minor)).toBeGreaterThanOrEqual(0)
          expect(price(minor + more)).toBeGreaterThanOrEqual(price(minor))
          const exactly = multiplyExact({ n: BigInt(minor), d: 100n }, factor)
          const off = multiplyExact({ n: BigInt(amount(minor)), d: 10n ** BigInt(decimals) }, whole(1))
          const half = { n: 1n, d: 2n * 10n ** BigInt(decimals) }
          expect(
            compareExact({ n: off.n * exactly.d - exactly.n * off.d, d: off.d * exactly.d }, half),
          ).toBeLessThanOrEqual(0)
        },
      ),
    )
  })

  it('says what an amount was in the shop’s own currency', () => {
    const exchange = exchangeOf('USD', rule({ rate: '0.92' }))
    expect(exchange.back(exchange.amount(10_000))).toBe(10_000)
    expect(noExchange('USD').price(money(5, 'USD').minor)).toBe(5)
  })
})

describe('exact fractions', () => {
  it('round as on a number line', () => {
    expect(['up', 'down', 'nearest'].map((how) => toWhole(exact('-1.5'), how as 'up'))).toEqual([-1n, -2n, -1n])
    expect(['up', 'down', 'nearest'].map((how) => toWhole(exact('1.5'), how as 'up'))).toEqual([2n, 1n, 2n])
  })

  it('are written as short as they are, and never with exponents', () => {
    expect([decimalText(exact('1.50'), 6), decimalText(exact('-0.0005'), 3), decimalText({ n: 1n, d: 3n }, 4)]).toEqual(
      ['1.5', '-0.001', '0.3333'],
    )
  })
})
