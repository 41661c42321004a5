import type { Exchange } from '../currency/exchange.ts'
import { add, compare, larger, type Money, money, subtract, sum } from '../money/money.ts'
import { formulaCost, longestFormula, parseCostFormula } from './cost-formula.ts'

/** A shipping method of a zone. Costs are formulas (`parseCostFormula`); blank: no cost. */
export type ShippingMethod = { readonly instanceId: number; readonly title: string } & (
  | {
      readonly method: 'flat_rate'
      readonly taxable: boolean
      readonly cost: string
      /** Extra cost by shipping class; `''` is the cost of goods without one. */
      readonly classCosts: Readonly<Record<string, string>>
      /** Charges each class, or only the dearest one of the order. */
      readonly classMode: 'class' | 'order'
    }
  | {
      readonly method: 'free_shipping'
      readonly requires: '' | 'coupon' | 'min_amount' | 'either' | 'both'
      readonly minimum: Money | null
      readonly ignoreDiscounts: boolean
    }
  | { readonly method: 'local_pickup'; readonly taxable: boolean; readonly cost: string }
)

/** Goods of a package; never virtual. */
export type PackageItem = {
  readonly key: string
  readonly quantity: number
  readonly shippingClass: string
  /** Weight of one piece; null: unknown, and counted as zero. */
  readonly weightGrams: number | null
  /** Line total after discounts, without tax. */
  readonly total: Money
}

/**
 * Cart facts of free shipping: the whole cart, not the package. Amounts in the cart's display tax mode, but in the
 * currency of the entered minimums.
 */
export type CartForShipping = {
  readonly subtotal: Money
  readonly discount: Money
  readonly freeShippingCoupon: boolean
}

export type ShippingRate = {
  /** `method:instance`, the value of the radio button. */
  readonly id: string
  readonly method: ShippingMethod['method']
  readonly instanceId: number
  readonly label: string
  readonly cost: Money
  readonly taxable: boolean
}

/** Returns all shipped goods as one package; null without any. */
export function packageOf<Item extends PackageItem & { readonly virtual: boolean }>(
  items: readonly Item[],
): readonly Item[] | null {
  const shippable = items.filter((item) => !item.virtual)
  return shippable.length > 0 ? shippable : null
}

/** Conversion from the currency of entered costs to that of the goods. */
type CostExchange = Pick<Exchange, 'factor' | 'to'>

/**
 * Returns the rates of a zone's enabled methods for a package, in the zone's order. A method with an invalid formula
 * has none.
 * @param exchange default: costs were entered in the currency of the goods
 */
export function shippingRates(
  methods: readonly ShippingMethod[],
  items: readonly PackageItem[],
  cart: CartForShipping,
  { hideOthersWhenFree, exchange }: { readonly hideOthersWhenFree: boolean; readonly exchange?: CostExchange },
): ShippingRate[] {
  const rates = methods.flatMap((method) => {
    const cost = costOf(method, items, cart, exchange)
    if (cost === null) return []
    const taxable = method.method !== 'free_shipping' && method.taxable
    const { instanceId, title } = method
    return { id: rateId(method.method, instanceId), method: method.method, instanceId, label: title, cost, taxable }
  })
  const free = rates.filter((rate) => rate.method === 'free_shipping')
  return hideOthersWhenFree && free.length > 0 ? free : rates
}

export function rateId(method: string, instanceId: number): string {
  return `${method}:${instanceId}`
}

/**
 * Splits `prefix:value` at the first colon: `0:flat_rate:1` is the rate `flat_rate:1` of package 0.
 * Null when either side is missing.
 */
export function splitOption(option: string): { readonly key: string; readonly value: string } | null {
  const colon = option.indexOf(':')
  if (colon < 1 || colon === option.length - 1) return null
  return { key: option.slice(0, colon), value: option.slice(colon + 1) }
}

function costOf(
  method: ShippingMethod,
  items: readonly PackageItem[],
  cart: CartForShipping,
  exchange: CostExchange | undefined,
): Money | null {
  const currency = exchange?.to ?? cart.subtotal.currency
  switch (method.method) {
    case 'flat_rate':
      return flatRate(method, items, currency, exchange)
    case 'free_shipping':
      return shipsFree(method, cart) ? money(0, currency) : null
    case 'local_pickup':
      return method.cost.trim() === '' ? money(0, currency) : formula(method.cost, items, currency, exchange)
  }
}

type FlatRate = Extract<ShippingMethod, { method: 'flat_rate' }>

function flatRate(
  { cost, classCosts, classMode }: FlatRate,
  items: readonly PackageItem[],
  currency: string,
  exchange: CostExchange | undefined,
): Money | null {
  const blank = cost.trim() === ''
  const base = blank ? money(0, currency) : formula(cost, items, currency, exchange)
  if (base === null) return null

  const byClass = [...Map.groupBy(items, (item) => item.shippingClass)].flatMap(([name, goods]) => {
    const text = Object.hasOwn(classCosts, name) ? (classCosts[name] ?? '') : ''
    return text.trim() === '' ? [] : [formula(text, goods, currency, exchange)]
  })
  const extra = byClass.filter((part) => part !== null)
  if (extra.length < byClass.length || (blank && extra.length === 0)) return null
  const nothing = money(0, currency)
  return add(base, classMode === 'class' ? sum(extra, currency) : extra.reduce(larger, nothing))
}

function formula(
  text: string,
  items: readonly PackageItem[],
  currency: string,
  exchange: CostExchange | undefined,
): Money | null {
  const parsed = parseCostFormula(text)
  if (!parsed.ok) return null
  const goods = {
    quantity: items.reduce((count, item) => count + item.quantity, 0),
    weightGrams: items.reduce((grams, item) => grams + (item.weightGrams ?? 0) * item.quantity, 0),
    cost: sum(
      items.map((item) => item.total),
      currency,
    ),
  }
  const result = formulaCost(parsed.formula, goods, exchange?.factor)
  return result.ok ? result.cost : null
}

/** Sample goods on which no reasonable formula fails. */
const sample = { quantity: 1, weightGrams: 1000 }

/** Returns the fault of a cost formula, as text for the merchant; null for a valid or empty one. */
export function formulaFault(text: string, currency: string): string | null {
  if (text.trim() === '') return null
  const parsed = parseCostFormula(text)
  if (!parsed.ok) {
    if (text.length > longestFormula) return `longer than ${longestFormula} characters`
    return parsed.found === ''
      ? 'ends too early'
      : `cannot be read from "${parsed.found}" on (character ${parsed.at + 1})`
  }
  // Two carts: `[qty] - 1` in a denominator fails in some carts only, `1 / 0` in all.
  const costs = [1, 7].map((times) =>
    formulaCost(parsed.formula, {
      quantity: sample.quantity * times,
      weightGrams: sample.weightGrams * times,
      cost: money(10_000 * times, currency),
    }),
  )
  const failed = costs.every(({ ok }) => !ok) ? costs[0] : undefined
  if (!failed || failed.ok) return null
  return failed.reason === 'divided-by-zero' ? 'divides by zero' : 'comes to more than can be charged'
}

function shipsFree(
  { requires, minimum, ignoreDiscounts }: Extract<ShippingMethod, { method: 'free_shipping' }>,
  cart: CartForShipping,
): boolean {
  const spent = ignoreDiscounts ? cart.subtotal : subtract(cart.subtotal, cart.discount)
  const enough = minimum === null || compare(spent, minimum) >= 0
  switch (requires) {
    case '':
      return true
    case 'coupon':
      return cart.freeShippingCoupon
    case 'min_amount':
      return enough
    case 'either':
      return enough || cart.freeShippingCoupon
    case 'both':
      return enough && cart.freeShippingCoupon
  }
}
