import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cart, line, rate } from '#tests/support/cart/cart-fixtures.ts'
import { money } from '../money/money.ts'
import { settleFees } from './settle-fees.ts'
import { settleTotals } from './settle-totals.ts'
import { totalsOf } from './totals.ts'
import type { AddedInput, ItemsInput } from './totals-input.ts'

const rates = [rate(1, 190_000), rate(2, 72_500, { compound: true })]

type Fees = readonly { minor: number; taxable: boolean }[]

function withFees(fees: Fees, rest: Omit<Parts, 'fees' | 'other'>): ItemsInput & AddedInput {
  const { currency, prices, cost, ...switches } = rest
  const lines = prices.map((minor, index) => line(`l${index}`, minor, 1 + (index % 3), {}, currency))
  return cart(switches, rates, lines, {
    currency,
    shipping: [{ id: 'flat_rate:1', label: 'Flat', cost: money(cost, currency), taxable: true }],
    fees: fees.map(({ minor, taxable }, index) => ({
      name: `Fee ${index}`,
      amount: money(minor, currency),
      taxable,
      taxClass: '',
    })),
  })
}

const anyFees = fc.array(fc.record({ minor: fc.integer({ min: -20_000, max: 5_000 }), taxable: fc.boolean() }), {
  maxLength: 3,
})
const anyParts = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  prices: fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1, maxLength: 6 }),
  cost: fc.integer({ min: 0, max: 2_000 }),
  pricesIncludeTax: fc.boolean(),
  roundAtSubtotal: fc.boolean(),
  fees: anyFees,
  other: anyFees,
})
type Parts = typeof anyParts extends fc.Arbitrary<infer Value> ? Value : never

describe('the same cart with other fees', () => {
  it('I6 M8 adds up with the lines and parcels that stay, and is what it would cost with them from the start', () => {
    fc.assert(
      fc.property(anyParts, ({ fees, other, ...rest }) => {
        const settled = settleTotals(totalsOf(withFees(fees, rest)))
        const totals = totalsOf(withFees(other, rest))
        const direct = settleTotals(totals)
        const after = settleFees(settled, totals)
        if (!after) {
          expect(direct.total.minor).toBeLessThanOrEqual(rest.prices.length)
          return
        }
        const minors = (list: readonly { minor: number }[]) => list.reduce((all, { minor }) => all + minor, 0)
        const kept = [...settled.lines.map(({ total }) => total), ...settled.shipping.map(({ cost }) => cost)]
        expect(minors(kept) + minors(after.fees.map(({ amount }) => amount)) + after.tax.minor).toBe(after.total.minor)
        expect(minors(after.taxes.flatMap((row) => [row.items, row.shipping]))).toBe(after.tax.minor)
        const { fees: directFees, feesTax, taxes, tax, total } = direct
        if (!rest.roundAtSubtotal) expect(after).toEqual({ fees: directFees, feesTax, taxes, tax, total })
        else expect(Math.abs(after.total.minor - total.minor)).toBeLessThanOrEqual(2 * rest.prices.length + 2)
      }),
      { numRuns: 2_000 },
    )
  })
})
