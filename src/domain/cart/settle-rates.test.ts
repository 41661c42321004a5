import { describe, expect, it } from 'vitest'
import { cart, coupon, line, rate } from '#tests/support/cart/cart-fixtures.ts'
import { money } from '../money/money.ts'
import { type RateShare, settleFeeRates, settleRates } from './settle-rates.ts'
import { settleTotals } from './settle-totals.ts'
import { totalsOf } from './totals.ts'

const canada = [rate(1, 50_000, { label: 'GST' }), rate(2, 99_750, { label: 'QST' })]
const cad = (minor: number) => money(minor, 'CAD')
const told = (shares: readonly RateShare[] | undefined) => shares?.map(({ rateId, amount }) => [rateId, amount.minor])

function settledRates(roundAtSubtotal: boolean, minors: readonly number[]) {
  const totals = totalsOf(
    cart(
      { roundAtSubtotal },
      canada,
      minors.map((minor, index) => line(`l${index}`, minor, 1, {}, 'CAD')),
      {
        currency: 'CAD',
        coupons: [coupon(1, { type: 'percent', ppm: 500_000 })],
        shipping: [{ id: 'flat_rate:1', label: 'Flat', cost: cad(690), taxable: true }],
        fees: [
          { name: 'Wrap', amount: cad(250), taxable: true, taxClass: '' },
          { name: 'Free of tax', amount: cad(100), taxable: false, taxClass: '' },
        ],
      },
    ),
  )
  const settled = settleTotals(totals)
  return { settled, fees: settleFeeRates(totals, settled), ...settleRates(totals, settled) }
}

describe('a tax by its rates', () => {
  it('is what each rate takes, before discounts and after', () => {
    const { lines, shipping, fees } = settledRates(false, [1999])
    // 5 % and 9.975 % of 19.99, and of 9.99 and a half, which a whole cent of discount leaves as 9.99.
    expect(told(lines[0]?.subtotal)).toEqual([
      [1, 100],
      [2, 199],
    ])
    expect(told(lines[0]?.total)).toEqual([
      [1, 50],
      [2, 100],
    ])
    // The taxes of 6.90 are 0.345 and 0.688275, those of 2.50 are 0.125 and 0.249375.
    expect(shipping.map(told)).toEqual([
      [
        [1, 35],
        [2, 69],
      ],
    ])
    expect(fees.map(told)).toEqual([
      [
        [1, 13],
        [2, 25],
      ],
      [],
    ])
  })

  it('I6 makes the line’s own tax to the cent where the shop rounds at the subtotal', () => {
    const { settled, lines, shipping, fees } = settledRates(true, [333, 333, 333, 1])
    const sum = (shares: readonly RateShare[]) => shares.reduce((all, { amount }) => all + amount.minor, 0)
    expect(lines.map(({ total }) => sum(total))).toEqual(settled.lines.map(({ tax }) => tax.minor))
    expect(lines.map(({ subtotal }) => sum(subtotal))).toEqual(
      settled.lines.map(({ subtotalTax }) => subtotalTax.minor),
    )
    expect(shipping.map(sum)).toEqual(settled.shipping.map(({ tax }) => tax.minor))
    expect(fees.map(sum)).toEqual(settled.fees.map(({ tax }) => tax.minor))
  })
})
