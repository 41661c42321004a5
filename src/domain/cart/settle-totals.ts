import { apportion } from '../money/apportion.ts'
import { allocate, type Money, money, subtract } from '../money/money.ts'
import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { CartTotals } from './totals.ts'

/**
 * Cart totals in whole minor units that add up, as an order stores them and PayPal validates them: Σ line totals +
 * shipping + fees + tax = items − discount + shipping + fees + tax = total, always, and also with the tax of each part.
 */
export type SettledTotals = {
  /** In the order of the totals, like the other lists. */
  readonly lines: readonly {
    readonly key: string
    /** Before discounts: without any, the price of the line. */
    readonly subtotal: Money
    readonly subtotalTax: Money
    readonly total: Money
    readonly tax: Money
  }[]
  readonly coupons: readonly { readonly discount: Money; readonly discountTax: Money }[]
  readonly shipping: readonly { readonly cost: Money; readonly tax: Money }[]
  readonly fees: readonly { readonly amount: Money; readonly tax: Money }[]
  readonly taxes: readonly { readonly items: Money; readonly shipping: Money }[]
  /** All goods before discounts. */
  readonly items: Money
  /** Discount on the lines, the sum of the coupons. */
  readonly discount: Money
  readonly discountTax: Money
  /**
   * The discount as in the order record: the net of the gross discount, and its tax. It is rounded on its own and can
   * differ from the discount on the rounded lines.
   */
  readonly reported: {
    readonly discount: Money
    readonly discountTax: Money
    readonly coupons: readonly { readonly discount: Money; readonly discountTax: Money }[]
  }
  readonly shippingTotal: Money
  readonly shippingTax: Money
  readonly feesTotal: Money
  readonly feesTax: Money
  readonly linesTax: Money
  readonly tax: Money
  readonly total: Money
}

/**
 * Settles the totals. With rounding per line, nothing changes. With rounding at the subtotal, net amounts are rounded
 * to their rounded sum, and taxes to the rest of the total: no figure changes by more than rounding.
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
  // Without tax, a total limited to zero belongs to the goods.
  const wantedTax = taxed ? total.minor - wholeNet - shippingTotal : 0
  const net = apportion(nets, unitsPerMinor, total.minor - shippingTotal - wantedTax)
  const tax = apportion(taxes, unitsPerMinor, wantedTax)

  const count = totals.lines.length
  const fees = totals.fees.map((_, index) => ({ amount: net[count + index] ?? 0, tax: tax[count + index] ?? 0 }))
  const shippingTaxes = tax.slice(count + fees.length)
  const lines = totals.lines.map((line, index) => {
    const [paid, paidTax] = [net[index] ?? 0, tax[index] ?? 0]
    const before = (figure: Money, after: number) => (line.discount.minor === 0 ? after : Math.max(figure.minor, after))
    return {
      key: line.key,
      subtotal: before(line.subtotal, paid),
      subtotalTax: before(line.subtotalTax, paidTax),
      total: paid,
      tax: paidTax,
    }
  })
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

  const items = sum(lines.map(({ subtotal }) => subtotal))
  const discount = items - sum(lines.map((line) => line.total))
  const discountTax = sum(lines.map(({ subtotalTax }) => subtotalTax)) - linesTax
  return {
    lines: lines.map((line) => ({
      key: line.key,
      subtotal: asMoney(line.subtotal),
      subtotalTax: asMoney(line.subtotalTax),
      total: asMoney(line.total),
      tax: asMoney(line.tax),
    })),
    coupons: couponRows(totals.coupons, asMoney(discount), asMoney(discount + discountTax)),
    shipping: costs.map((cost, index) => ({ cost: asMoney(cost), tax: asMoney(shippingTaxes[index] ?? 0) })),
    fees: fees.map((fee) => ({ amount: asMoney(fee.amount), tax: asMoney(fee.tax) })),
    taxes: onItems.map((items, index) => ({ items: asMoney(items), shipping: asMoney(onShipping[index] ?? 0) })),
    items: asMoney(items),
    discount: asMoney(discount),
    discountTax: asMoney(discountTax),
    reported: reportedDiscount(totals),
    shippingTotal: asMoney(shippingTotal),
    shippingTax: asMoney(shippingTax),
    feesTotal: asMoney(sum(fees.map((fee) => fee.amount))),
    feesTax: asMoney(feesTax),
    linesTax: asMoney(linesTax),
    tax: asMoney(wantedTax),
    total,
  }
}

/**
 * Settles the discount of each coupon. Rounded separately they can miss the discount by some units; it is shared out
 * with tax first, so that 5.00 off prices with tax stays 5.00.
 */
function couponRows(coupons: CartTotals['coupons'], discount: Money, withTax: Money): SettledTotals['coupons'] {
  const nets = shares(
    discount,
    coupons.map((coupon) => coupon.discount.minor),
  )
  const grosses = shares(
    withTax,
    coupons.map((coupon) => coupon.discount.minor + coupon.discountTax.minor),
  )
  return nets.flatMap((net, index) => {
    const gross = grosses[index]
    return gross ? [{ discount: net, discountTax: subtract(gross, net) }] : []
  })
}

function reportedDiscount({ discount, discountTax, exact, currency }: CartTotals): SettledTotals['reported'] {
  const { coupons, unitsPerMinor } = exact
  const nets = apportion(
    coupons.map(({ net }) => net),
    unitsPerMinor,
    discount.minor,
  )
  const grosses = apportion(
    coupons.map(({ net, tax }) => net + tax),
    unitsPerMinor,
    discount.minor + discountTax.minor,
  )
  return {
    discount,
    discountTax,
    coupons: nets.map((net, index) => ({
      discount: money(net, currency),
      discountTax: money((grosses[index] ?? net) - net, currency),
    })),
  }
}

function shares(amount: Money, figures: readonly number[]): Money[] {
  if (figures.length === 0) return []
  // Coupons without a discount, like free shipping, have no proportion.
  return allocate(amount, figures.some((figure) => figure > 0) ? figures : figures.map(() => 1))
}

function sum(figures: readonly number[]): number {
  return figures.reduce((left, right) => left + right, 0)
}
