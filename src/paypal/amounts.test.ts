import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { fromAmount, toAmount } from './amounts.ts'

describe('amounts at the provider', () => {
  it.each([
    [3350, 'USD', '33.50'],
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [1200, 'JPY', '1200'],
    [1200, 'HUF', '1200'],
    [1200, 'TWD', '1200'],
    [0, 'GBP', '0.00'],
  ])('writes %i minor units of %s as %s', (minor, currency, value) => {
    expect(toAmount(money(minor, currency))).toEqual({ currency_code: currency, value })
    expect(fromAmount({ currency_code: currency, value })).toEqual(money(minor, currency))
  })

  it('writes nothing that it cannot write exactly', () => {
    expect(toAmount(money(100, 'KRW'))).toBeUndefined()
    expect(toAmount(money(100, 'toString'))).toBeUndefined()
  })

  it('reads nothing that is not exact', () => {
    expect(fromAmount({ currency_code: 'USD', value: '1.005' })).toBeUndefined()
    expect(fromAmount({ currency_code: 'USD', value: '1e3' })).toBeUndefined()
    expect(fromAmount({ currency_code: 'USD', value: '99999999999999999.00' })).toBeUndefined()
    expect(fromAmount({ currency_code: 'USD', value: '1.500' })).toEqual(money(150, 'USD'))
  })

  it('M8 every amount survives the way there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom('USD', 'JPY', 'EUR'), (minor, currency) => {
        const amount = toAmount(money(minor, currency))
        expect(amount && fromAmount(amount)).toEqual(money(minor, currency))
      }),
    )
  })
})
