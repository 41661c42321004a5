import { apportion } from '../money/apportion.ts'
import { type Money, money } from '../money/money.ts'
import { type SettledTotals, settleTotals } from './settle-totals.ts'
import type { CartTotals } from './totals.ts'

export type SettledFees = Pick<SettledTotals, 'fees' | 'feesTax' | 'taxes' | 'tax' | 'total'>

/**
 * The same cart with other fees, in whole minor units that add up with lines and parcels as they were settled, to the unit:
 * an order keeps those, whatever its fees become. Where each line is rounded, it is what the cart would cost with those fees;
 * where the shop rounds at the subtotal, a unit beside it at most for each line. Null where that would be less than nothing.
 */
export function settleFees(settled: SettledTotals, other: CartTotals): SettledFees | null {
  const { fees, feesTax, feesTotal } = settleTotals(other)
  const { unitsPerMinor, taxRows } = other.exact
  const asMoney = (minor: number): Money => money(minor, other.currency)
  const onItems = apportion(
    taxRows.map((row) => row.items),
    unitsPerMinor,
    settled.linesTax.minor + feesTax.minor,
  )
  const onShipping = apportion(
    taxRows.map((row) => row.shipping),
    unitsPerMinor,
    settled.shippingTax.minor,
  )
  const tax = settled.linesTax.minor + settled.shippingTax.minor + feesTax.minor
  const total = settled.items.minor - settled.discount.minor + settled.shippingTotal.minor + feesTotal.minor + tax
  if (total < 0) return null
  return {
    fees,
    feesTax,
    taxes: onItems.map((items, index) => ({ items: asMoney(items), shipping: asMoney(onShipping[index] ?? 0) })),
    tax: asMoney(tax),
    total: asMoney(total),
  }
}
