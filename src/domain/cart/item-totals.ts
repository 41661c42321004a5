import { type CouponDiscounts, couponDiscounts } from '../coupons/coupon-discounts.ts'
import type { Money } from '../money/money.ts'
import { toSafeNumber } from '../money/round.ts'
import type { TaxRate } from '../tax/tax-rate.ts'
import { taxesOn } from '../tax/taxes-on.ts'
import { type Precision, precisionFor, total, type Units } from './precision.ts'
import { addTo } from './taxes-by-rate.ts'
import type { ItemsInput, TotalsLine } from './totals-input.ts'

/** One line of the cart. Amounts without "Tax" are net; `discount` is in the mode of the entered price. */
export type LineTotals = {
  readonly key: string
  readonly subtotal: Money
  readonly subtotalTax: Money
  readonly discount: Money
  readonly total: Money
  readonly totalTax: Money
  readonly taxes: readonly { readonly rateId: number; readonly subtotal: Money; readonly total: Money }[]
  readonly exact: {
    readonly subtotal: Units
    readonly subtotalTax: Units
    readonly total: Units
    readonly totalTax: Units
    /** For each of `taxes`, rounded as the shop rounds lines. */
    readonly taxes: readonly { readonly subtotal: Units; readonly total: Units }[]
  }
}

export type CouponTotals = {
  readonly id: number
  readonly code: string
  readonly discount: Money
  readonly discountTax: Money
}

/** The items of a cart before shipping and fees: the basis of minimum amounts and shipping rates. */
export type ItemTotals = {
  readonly input: ItemsInput
  readonly precision: Precision
  readonly lines: readonly LineTotals[]
  /** Before discounts, net. */
  readonly subtotal: Money
  readonly subtotalTax: Money
  /** Net of its tax, also when prices include tax. */
  readonly discount: Money
  readonly discountTax: Money
  readonly coupons: readonly CouponTotals[]
  /** After discounts, net. */
  readonly total: Money
  readonly tax: Money
  readonly exact: {
    readonly subtotal: Units
    readonly subtotalTax: Units
    readonly discount: Units
    readonly discountTax: Units
    /** For each of `coupons`. */
    readonly coupons: readonly { readonly net: Units; readonly tax: Units }[]
    readonly total: Units
    readonly tax: Units
    readonly taxByRate: ReadonlyMap<number, Units>
    readonly totalByClass: ReadonlyMap<string | null, Units>
  }
}

export function itemTotals(input: ItemsInput): ItemTotals {
  const precision = precisionFor(input.currency, input.switches)
  const priced = input.lines.map((line) => pricedLine(line, input, precision))
  const discounts = discountsOf(priced, input, precision)
  const taken = priced.map((line) => discountsOfLine(discounts, line, precision))
  const stated = priced.map((line) => (input.coupons.length > 0 ? 0n : statedDiscount(line, precision)))
  const lines = priced.map((line, index) =>
    lineTotals(line, total(taken[index]?.values() ?? []) + (stated[index] ?? 0n), precision),
  )

  const taxByRate = new Map<number, Units>()
  const totalByClass = new Map<string | null, Units>()
  let subtotal = 0n
  let subtotalTax = 0n
  let net = 0n
  lines.forEach((line, index) => {
    const source = priced[index]
    subtotal += precision.lineAmount(line.exact.subtotal)
    subtotalTax += line.exact.subtotalTax
    net += precision.lineAmount(line.exact.total)
    for (const [rateId, tax] of line.roundedTaxes) addTo(taxByRate, rateId, tax)
    const taxClass = source?.line.taxable ? source.line.taxClass : null
    addTo(totalByClass, taxClass, line.exact.total)
  })
  const tax = total(taxByRate.values())
  const coupons = input.coupons.map((coupon) => couponTotals(coupon, priced, taken))
  const own = partsOf(priced, stated)
  const discount = total(coupons.map((coupon) => coupon.net)) + own.net
  const discountTax = total(coupons.map((coupon) => coupon.tax)) + own.tax

  return {
    input,
    precision,
    lines: lines.map(({ roundedTaxes: _, ...line }) => line),
    subtotal: precision.money(subtotal),
    subtotalTax: precision.taxMoney(subtotalTax),
    discount: precision.money(discount),
    discountTax: precision.taxMoney(discountTax),
    coupons: coupons.map(({ id, code, net: off, tax: offTax }) => ({
      id,
      code,
      discount: precision.money(off),
      discountTax: precision.taxMoney(offTax),
    })),
    total: precision.money(net),
    tax: precision.taxMoney(tax),
    exact: { subtotal, subtotalTax, discount, discountTax, coupons, total: net, tax, taxByRate, totalByClass },
  }
}

/** A line with its taxable price and tax mode. */
type PricedLine = {
  readonly line: TotalsLine
  /** Whole line, before discounts; with tax when `includesTax`. */
  readonly price: Units
  readonly includesTax: boolean
  readonly rates: readonly TaxRate[]
}

function pricedLine(line: TotalsLine, { switches, rates }: ItemsInput, precision: Precision): PricedLine {
  const price = precision.units(line.unitPrice) * BigInt(line.quantity)
  const taxed = line.taxable && switches.taxesEnabled
  const customerRates = taxed ? (rates.customer[line.taxClass] ?? []) : []
  if (line.stated) {
    const { subtotal, includesTax } = line.stated
    return { line, price: precision.units(subtotal), includesTax, rates: switches.vatExempt ? [] : customerRates }
  }
  if (!switches.pricesIncludeTax || !switches.taxesEnabled) {
    return { line, price, includesTax: false, rates: switches.vatExempt ? [] : customerRates }
  }
  if (!taxed) return { line, price, includesTax: true, rates: [] }

  const baseRates = rates.base[line.taxClass] ?? []
  if (switches.vatExempt) {
    const contained = total(taxesOn(price, switches.sameGrossEverywhere ? customerRates : baseRates, true))
    return { line, price: precision.whole(price - contained), includesTax: false, rates: [] }
  }
  if (switches.sameGrossEverywhere || sameRates(customerRates, baseRates))
    return { line, price, includesTax: true, rates: customerRates }
  const net = price - total(taxesOn(price, baseRates, true))
  return { line, price: net + total(taxesOn(net, customerRates, false)), includesTax: true, rates: customerRates }
}

function sameRates(left: readonly TaxRate[], right: readonly TaxRate[]): boolean {
  return left.length === right.length && left.every((rate, index) => rate.id === right[index]?.id)
}

function discountsOf(
  priced: readonly PricedLine[],
  { coupons, switches }: ItemsInput,
  precision: Precision,
): CouponDiscounts {
  if (coupons.length === 0) return new Map()
  const lines = priced.map(({ line, price }) => ({
    ...line,
    price: toSafeNumber(precision.whole(price) / precision.unitsPerMinor),
  }))
  return couponDiscounts(coupons, lines, switches.sequentialDiscounts)
}

/**
 * Returns the discount of each coupon on one line, by code. Coupons count in whole minor units; a line whose price was
 * moved to other rates need not, and is never negative.
 */
function discountsOfLine(
  discounts: CouponDiscounts,
  { line, price }: PricedLine,
  precision: Precision,
): ReadonlyMap<string, Units> {
  let left = price
  const taken = new Map<string, Units>()
  for (const [code, byLine] of discounts) {
    const wanted = BigInt(byLine.get(line.key) ?? 0) * precision.unitsPerMinor
    const amount = wanted < left ? wanted : left
    left -= amount
    if (amount > 0n) taken.set(code, amount)
  }
  return taken
}

/** Returns the merchant's own discount of a line, in the tax mode of its price. */
function statedDiscount({ line: { stated } }: PricedLine, precision: Precision): Units {
  return stated ? precision.units(stated.subtotal) - precision.units(stated.total) : 0n
}

type RoundedLine = LineTotals & { readonly roundedTaxes: ReadonlyMap<number, Units> }

function lineTotals(
  { line, price, includesTax, rates }: PricedLine,
  discount: Units,
  precision: Precision,
): RoundedLine {
  const before = taxed(price, rates, includesTax, precision)
  const after = discount === 0n ? before : taxed(price - discount, rates, includesTax, precision)
  return {
    key: line.key,
    subtotal: precision.money(before.net),
    subtotalTax: precision.taxMoney(before.tax),
    discount: precision.money(discount),
    total: precision.money(after.net),
    totalTax: precision.taxMoney(after.tax),
    taxes: rates.map((rate, index) => ({
      rateId: rate.id,
      subtotal: precision.taxMoney(before.rounded[index] ?? 0n),
      total: precision.taxMoney(after.rounded[index] ?? 0n),
    })),
    exact: {
      subtotal: before.net,
      subtotalTax: before.tax,
      total: after.net,
      totalTax: after.tax,
      taxes: rates.map((_, index) => ({ subtotal: before.rounded[index] ?? 0n, total: after.rounded[index] ?? 0n })),
    },
    roundedTaxes: new Map(rates.map((rate, index) => [rate.id, after.rounded[index] ?? 0n])),
  }
}

/** Splits a price: the net is the rest after unrounded taxes, so that taxing it again gives the same result. */
function taxed(
  price: Units,
  rates: readonly TaxRate[],
  includesTax: boolean,
  precision: Precision,
): { net: Units; rounded: Units[]; tax: Units } {
  const taxes = taxesOn(price, rates, includesTax)
  const rounded = taxes.map((tax) => precision.lineTax(tax))
  return { net: includesTax ? price - total(taxes) : price, rounded, tax: total(rounded) }
}

function couponTotals(
  { id, code }: { id: number; code: string },
  priced: readonly PricedLine[],
  taken: readonly ReadonlyMap<string, Units>[],
): { id: number; code: string; net: Units; tax: Units } {
  const parts = partsOf(
    priced,
    taken.map((byCode) => byCode.get(code) ?? 0n),
  )
  return { id, code, ...parts }
}

/** Splits amounts off the lines into net and tax. */
function partsOf(priced: readonly PricedLine[], amounts: readonly Units[]): { net: Units; tax: Units } {
  let net = 0n
  let tax = 0n
  priced.forEach(({ rates, includesTax }, index) => {
    const amount = amounts[index] ?? 0n
    const part = total(taxesOn(amount, rates, includesTax))
    net += includesTax ? amount - part : amount
    tax += part
  })
  return { net, tax }
}
