import { larger, type Money, money } from '../money/money.ts'
import type { TaxRate } from '../tax/tax-rate.ts'
import { bearableFees, feeTotals } from './fee-totals.ts'
import { type ItemTotals, itemTotals } from './item-totals.ts'
import { total, type Units } from './precision.ts'
import { addTo, taxesByRate } from './taxes-by-rate.ts'
import type { AddedInput, ItemsInput } from './totals-input.ts'

/** One row of the tax summary. */
export type TaxTotals = {
  readonly rateId: number
  readonly code: string
  readonly label: string
  readonly ratePpm: number
  readonly compound: boolean
  /** On items and fees. */
  readonly items: Money
  readonly shipping: Money
  readonly amount: Money
}

/**
 * All totals of a cart. Money figures are rounded for display and storage, each by the rule of its kind; `exact` has
 * the unrounded ones. With "round at subtotal" on, shown parts need not add up to the total: see `settleTotals`.
 */
export type CartTotals = Omit<ItemTotals, 'input' | 'precision' | 'total' | 'tax' | 'exact'> & {
  readonly currency: string
  readonly itemsTotal: Money
  readonly itemsTax: Money
  readonly shipping: readonly {
    readonly id: string
    readonly label: string
    readonly cost: Money
    readonly tax: Money
  }[]
  readonly shippingTotal: Money
  readonly shippingTax: Money
  readonly fees: readonly { readonly name: string; readonly amount: Money; readonly tax: Money }[]
  readonly feesTotal: Money
  readonly feesTax: Money
  readonly taxes: readonly TaxTotals[]
  readonly totalTax: Money
  readonly total: Money
  readonly exact: {
    /** Number of exact units per minor unit. */
    readonly unitsPerMinor: bigint
    readonly items: Units
    readonly shipping: Units
    readonly fees: Units
    readonly tax: Units
    readonly coupons: readonly { readonly net: Units; readonly tax: Units }[]
    /** For each line, shipping line, fee, and row of `taxes`, rounded as the shop rounds lines. */
    readonly lineTotals: readonly Units[]
    readonly shippingTaxes: readonly Units[]
    readonly feeAmounts: readonly Units[]
    readonly feeTaxes: readonly Units[]
    readonly taxRows: readonly { readonly items: Units; readonly shipping: Units }[]
    /** Taxes of each shipping line and each fee, by rate id. */
    readonly shippingByRate: readonly ReadonlyMap<number, Units>[]
    readonly feesByRate: readonly ReadonlyMap<number, Units>[]
  }
}

/** Adds shipping and fees to the items and calculates the total. */
export function cartTotals(items: ItemTotals, added: AddedInput): CartTotals {
  const { precision, input } = items
  const shipping = added.shipping.map(({ id, label, cost, taxable }) => {
    const taxes = taxesOnShipping(items, { cost, taxable }, added.shippingTaxClass)
    return { id, label, amount: precision.units(cost), taxes, tax: total(taxes.values()) }
  })
  const shippingTotal = total(shipping.map(({ amount }) => amount))
  const shippingTax = total(shipping.map(({ tax }) => tax))
  const beforeFees = items.exact.total + shippingTotal + items.exact.tax + shippingTax
  const fees = bearableFees(feeTotals(items, added, shippingTotal), beforeFees)
  const feesTotal = total(fees.map(({ amount }) => amount))
  const feesTax = total(fees.map(({ tax }) => tax))

  const itemTaxes = new Map(items.exact.taxByRate)
  for (const fee of fees) for (const [rateId, tax] of fee.taxes) addTo(itemTaxes, rateId, tax)
  const shippingTaxes = new Map<number, Units>()
  for (const line of shipping) for (const [rateId, tax] of line.taxes) addTo(shippingTaxes, rateId, tax)

  const tax = items.exact.tax + shippingTax + feesTax
  // Half up: the total is a price, and shipping and fee taxes were added to one.
  const due = precision.money(items.exact.total + feesTotal + shippingTotal + tax)
  const addedTax = precision.whole(shippingTax + feesTax)
  const rows = taxRows(input, itemTaxes, shippingTaxes)
  const { input: _input, precision: _precision, total: itemsTotal, tax: itemsTax, exact, ...shown } = items
  return {
    ...shown,
    currency: input.currency,
    itemsTotal,
    itemsTax,
    shipping: shipping.map(({ id, label, amount, tax: lineTax }) => ({
      id,
      label,
      cost: precision.money(amount),
      tax: precision.taxMoney(lineTax),
    })),
    shippingTotal: precision.money(shippingTotal),
    shippingTax: precision.taxMoney(shippingTax),
    fees: fees.map(({ name, amount, tax: feeTax }) => ({
      name,
      amount: precision.money(amount),
      tax: precision.taxMoney(feeTax),
    })),
    feesTotal: precision.money(feesTotal),
    feesTax: precision.taxMoney(feesTax),
    taxes: rows.map(({ rate, onItems, onShipping }) => ({
      rateId: rate.id,
      code: rate.code,
      label: rate.label,
      ratePpm: rate.ratePpm,
      compound: rate.compound,
      items: precision.taxMoney(onItems),
      shipping: precision.taxMoney(onShipping),
      amount: precision.taxMoney(onItems + onShipping),
    })),
    totalTax: precision.taxMoney(items.exact.tax + addedTax),
    total: larger(due, money(0, input.currency)),
    exact: {
      unitsPerMinor: precision.unitsPerMinor,
      items: exact.total,
      shipping: shippingTotal,
      fees: feesTotal,
      tax,
      coupons: exact.coupons,
      lineTotals: items.lines.map((line) => precision.lineAmount(line.exact.total)),
      shippingTaxes: shipping.map((line) => line.tax),
      feeAmounts: fees.map(({ amount }) => amount),
      feeTaxes: fees.map((fee) => fee.tax),
      taxRows: rows.map(({ onItems, onShipping }) => ({ items: onItems, shipping: onShipping })),
      shippingByRate: shipping.map(({ taxes }) => taxes),
      feesByRate: fees.map(({ taxes }) => taxes),
    },
  }
}

/** Calculates items, shipping and fees in one step, for carts with chosen shipping. */
export function totalsOf(input: ItemsInput & AddedInput): CartTotals {
  return cartTotals(itemTotals(input), input)
}

/** Returns the tax on a shipping cost, as the totals would charge it, also for a rate that is not chosen. */
export function shippingTax(
  items: ItemTotals,
  rate: { readonly cost: Money; readonly taxable: boolean },
  taxClass: string | null,
): Money {
  return items.precision.taxMoney(total(taxesOnShipping(items, rate, taxClass).values()))
}

/** Rounds shipping tax half up in every mode: it is always added to the cost. */
function taxesOnShipping(
  { input, precision }: ItemTotals,
  { cost, taxable }: { readonly cost: Money; readonly taxable: boolean },
  taxClass: string | null,
): Map<number, Units> {
  const rates = taxable ? ratesForShipping(input, taxClass) : []
  return taxesByRate(precision.units(cost), rates, precision.lineAmount)
}

function ratesForShipping({ switches, rates }: ItemsInput, taxClass: string | null): readonly TaxRate[] {
  if (taxClass === null || !switches.taxesEnabled || switches.vatExempt) return []
  return (rates.customer[taxClass] ?? []).filter((rate) => rate.shipping)
}

function taxRows(
  { rates }: ItemsInput,
  items: ReadonlyMap<number, Units>,
  shipping: ReadonlyMap<number, Units>,
): { rate: TaxRate; onItems: Units; onShipping: Units }[] {
  const known = new Map(Object.values(rates.customer).flatMap((list) => list.map((rate) => [rate.id, rate] as const)))
  return [...new Set([...items.keys(), ...shipping.keys()])].flatMap((rateId) => {
    const rate = known.get(rateId)
    return rate ? [{ rate, onItems: items.get(rateId) ?? 0n, onShipping: shipping.get(rateId) ?? 0n }] : []
  })
}
