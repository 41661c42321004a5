import { apportion } from '../money/apportion.ts'
import { type Money, money } from '../money/money.ts'
import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { CartTotals } from './totals.ts'

/**
 * The same cart in whole minor units that add up, as an order keeps it and a payment provider checks it:
 * Σ line totals + shipping + fees + tax = items − discount + shipping + fees + tax = total, always.
 */
export type SettledTotals = {
  /** In the order of the totals, as are the others. */
  readonly lines: readonly { readonly key: string; readonly total: Money; readonly tax: Money }[]
  readonly shipping: readonly { readonly cost: Money; readonly tax: Money }[]
  readonly fees: readonly { readonly amount: Money; readonly tax: Money }[]
  readonly taxes: readonly { readonly items: Money; readonly shipping: Money }[]
  /** All goods before discounts. */
  readonly items: Money
  readonly discount: Money
  readonly shippingTotal: Money
  readonly shippingTax: Money
  readonly feesTotal: Money
  readonly feesTax: Money
  readonly linesTax: Money
  readonly tax: Money
  readonly total: Money
}

/**
 * Where each line is rounded, this changes nothing. Where the shop rounds at the subtotal, net amounts are rounded so that
 * they make their rounded sum, and taxes so that they make the rest of the total: no figure moves by more than rounding.
 */
export function settleTotals(totals: CartTotals): SettledTotals {
  const { exact, currency, total } = totals
  const { unitsPerMinor } = exact
  const asMoney = (minor: number) => money(minor, currency)

  const nets = [...exact.lineTotals, ...exact.feeAmounts]
  const netSum = nets.reduce((sum, part) => sum + part, 0n)
  const wholeNet = toSafeNumber(divideRounded(netSum, unitsPerMinor, 'half-up'))
  const costs = totals.shipping.map(({ cost }) => cost.minor)
  const shippingTotal = sum(costs)

  const lineTaxes = totals.lines.map((line) => line.exact.totalTax)
  const taxes = [...lineTaxes, ...exact.feeTaxes, ...exact.shippingTaxes]
  const taxed = taxes.some((tax) => tax !== 0n)
  // Without tax, a total that was kept from falling below zero is the goods'.
  const wantedTax = taxed ? total.minor - wholeNet - shippingTotal : 0
  const net = apportion(nets, unitsPerMinor, total.minor - shippingTotal - wantedTax)
  const tax = apportion(taxes, unitsPerMinor, wantedTax)

  const count = totals.lines.length
  const fees = totals.fees.map((_, index) => ({ amount: net[count + index] ?? 0, tax: tax[count + index] ?? 0 }))
  const shippingTaxes = tax.slice(count + fees.length)
  const lines = totals.lines.map(({ key }, index) => ({ key, total: net[index] ?? 0, tax: tax[index] ?? 0 }))
  const linesTax = sum(lines.map((line) => line.tax))
  const feesTax = sum(fees.map((fee) => fee.tax))
  const shippingTax = sum(shippingTaxes)
  const onItems = apportion(
    exact.taxRows.map((row) => row.items),
    unitsPerMinor,
    linesTax + feesTax,
  )
  const onShipping = apportion(
    exact.taxRows.map((row) => row.shipping),
    unitsPerMinor,
    shippingTax,
  )

  const discount = totals.subtotal.minor - sum(lines.map((line) => line.total))
  // A "discount" below zero is a price: then the items carry it.
  const surplus = Math.max(0, -discount)
  return {
    lines: lines.map((line) => ({ key: line.key, total: asMoney(line.total), tax: asMoney(line.tax) })),
    shipping: costs.map((cost, index) => ({ cost: asMoney(cost), tax: asMoney(shippingTaxes[index] ?? 0) })),
    fees: fees.map((fee) => ({ amount: asMoney(fee.amount), tax: asMoney(fee.tax) })),
    taxes: onItems.map((items, index) => ({ items: asMoney(items), shipping: asMoney(onShipping[index] ?? 0) })),
    items: asMoney(totals.subtotal.minor + surplus),
    discount: asMoney(discount + surplus),
    shippingTotal: asMoney(shippingTotal),
    shippingTax: asMoney(shippingTax),
    feesTotal: asMoney(sum(fees.map((fee) => fee.amount))),
    feesTax: asMoney(feesTax),
    linesTax: asMoney(linesTax),
    tax: asMoney(wantedTax),
    total,
  }
}

function sum(figures: readonly number[]): number {
  return figures.reduce((left, right) => left + right, 0)
}
