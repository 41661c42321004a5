import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cart, coupon, line, rate } from '#tests/support/cart/cart-fixtures.ts'
import { money } from '../money/money.ts'
import { settleTotals } from './settle-totals.ts'
import { totalsOf } from './totals.ts'

const euro = (minor: number) => money(minor, 'EUR')
const stated = (subtotal: number, total: number, includesTax = false) => ({
  stated: { subtotal: euro(subtotal), total: euro(total), includesTax },
})

describe('amounts that the merchant states for a line', () => {
  it('replace the unit price, are taxed on top, and count as a discount', () => {
    const totals = totalsOf(
      cart({ pricesIncludeTax: true }, [rate(1, 190_000)], [{ ...line('a', 499, 3), ...stated(1000, 900) }]),
    )
    expect(totals.lines.map((one) => [one.subtotal.minor, one.total.minor, one.totalTax.minor])).toEqual([
      [1000, 900, 171],
    ])
    expect([totals.discount.minor, totals.discountTax.minor, totals.total.minor]).toEqual([100, 19, 1071])
  })

  it('are discounted by coupons from the subtotal, whatever total is stated', () => {
    const totals = totalsOf(
      cart({}, [rate(1, 100_000)], [{ ...line('a', 1, 1), ...stated(1000, 500) }], {
        coupons: [coupon(1, { type: 'percent', ppm: 100_000 })],
      }),
    )
    expect([totals.lines[0]?.total.minor, totals.discount.minor, totals.total.minor]).toEqual([900, 100, 990])
  })

  it('give a line with tax the same figures again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 300_000 }),
        fc.boolean(),
        (price, quantity, ppm, pricesIncludeTax) => {
          const rates = [rate(1, ppm)]
          const first = totalsOf(cart({ pricesIncludeTax }, rates, [line('a', price, quantity)]))
          const [settled] = settleTotals(first).lines
          if (!settled) throw new Error('no line')
          const tax = pricesIncludeTax ? settled.tax.minor : 0
          const kept = stated(settled.total.minor + tax, settled.total.minor + tax, pricesIncludeTax)
          const again = totalsOf(cart({ pricesIncludeTax }, rates, [{ ...line('a', 1, quantity), ...kept }]))
          expect(settleTotals(again).lines).toEqual([settled])
          expect(again.total).toEqual(first.total)
        },
      ),
    )
  })
})
