import { apportion } from '../money/apportion.ts'
import { type Money, money } from '../money/money.ts'
import { type SettledTotals, settleTotals } from './settle-totals.ts'
import type { CartTotals } from './totals.ts'

export type SettledFees = Pick<SettledTotals, 'fees' | 'feesTax' | 'taxes' | 'tax' | 'total'>

/**
 * Settles the cart with other fees, in minor units that add up with the settled lines and packages, which an order
 * keeps. With rounding per line the result equals the cart with those fees; with rounding at the subtotal it differs by
 * at most one unit per line. Null where the total would be negative.
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
