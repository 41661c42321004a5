import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cart, coupon, line, rate } from '#tests/support/cart/cart-fixtures.ts'
import type { CouponAmount } from '../coupons/coupon.ts'
import { money } from '../money/money.ts'
import { settleTotals } from './settle-totals.ts'
import { totalsOf } from './totals.ts'

const included = { pricesIncludeTax: true }
const percent = (ppm: number): CouponAmount => ({ type: 'percent', ppm })
const fixedCart = (minor: number): CouponAmount => ({ type: 'fixed_cart', amount: money(minor, 'EUR') })

describe('the discount that an order reports', () => {
  it('is the net of the gross discount, and its tax', () => {
    // Half of 13.49 is 6.74, of which a sixth is tax: 5.62 and 1.12. The line becomes 5.61 cheaper, from 11.24 to 5.63.
    const half = cart(included, [rate(1, 200_000)], [line('a', 1349, 1)], { coupons: [coupon(1, percent(500_000))] })
    const { discount, discountTax, reported } = settleTotals(totalsOf(half))
    expect([reported.discount.minor, reported.discountTax.minor]).toEqual([562, 112])
    expect(reported.coupons.map((one) => [one.discount.minor, one.discountTax.minor])).toEqual([[562, 112]])
    expect([discount.minor, discountTax.minor]).toEqual([561, 113])
    // The worked example of the contract: 5.90 and 1.24.
    const lines = [line('a', 1249, 3), line('b', 505, 2)]
    const example = cart(included, [rate(1, 210_000)], lines, { coupons: [coupon(1, percent(150_000))] })
    const told = settleTotals(totalsOf(example)).reported
    expect([told.discount.minor, told.discountTax.minor]).toEqual([590, 124])
  })

  it('makes the gross discount with its tax, of each coupon and of all, at any price and rate', () => {
    const amounts = fc.oneof(
      fc.integer({ min: 1, max: 1_000_000 }).map((ppm) => percent(ppm)),
      fc.integer({ min: 1, max: 6000 }).map((minor) => fixedCart(minor)),
    )
    const property = fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 4 })), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 3 }),
      fc.array(amounts, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (goods, ppms, takesOff, roundAtSubtotal) => {
        const rates = ppms.map((ppm, index) => rate(index + 1, ppm))
        const lines = goods.map(([price, quantity], index) => line(`l${index}`, price, quantity))
        const coupons = takesOff.map((amount, index) => coupon(index + 1, amount))
        const totals = totalsOf(cart({ ...included, roundAtSubtotal }, rates, lines, { coupons }))
        const { reported } = settleTotals(totals)
        const off = totals.lines.map(({ discount }) => discount.minor).reduce((all, minor) => all + minor, 0)
        expect(reported.discount.minor + reported.discountTax.minor).toBe(off)
        // Its tax, with the smallest unit rounded: what the rates make of the gross.
        const ppm = ppms.reduce((all, one) => all + one, 0)
        expect(Math.abs(reported.discountTax.minor - (off * ppm) / (1_000_000 + ppm))).toBeLessThan(0.51)
        const perCoupon = reported.coupons.map((one) => one.discount.minor + one.discountTax.minor)
        const expected = totals.exact.coupons.map(({ net, tax }) => Number((net + tax) / totals.exact.unitsPerMinor))
        expect(perCoupon).toEqual(expected)
        for (const one of reported.coupons)
          expect(Math.min(one.discount.minor, one.discountTax.minor)).toBeGreaterThanOrEqual(0)
        const sums = ['discount', 'discountTax'] as const
        for (const name of sums)
          expect(reported.coupons.reduce((all, one) => all + one[name].minor, 0)).toBe(reported[name].minor)
      },
    )
    fc.assert(property, { numRuns: 2000 })
  })
})
