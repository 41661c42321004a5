import { apportion } from '../money/apportion.ts'
import { multiplyRounded } from '../money/round.ts'

/** An item of an order with its tax by rate, in minor units. `ratePpm` null: the rate is unknown. */
export type BookedItem = {
  readonly id: number
  readonly kind: 'line' | 'shipping' | 'fee'
  /** Nothing of it is shipped. */
  readonly isService: boolean
  readonly net: number
  readonly tax: number
  readonly shares: readonly TaxByRate[]
}
export type TaxByRate = { readonly ratePpm: number | null; readonly tax: number }

/** The net and the taxes of an item, or of its refund, which is negative. Taxes by rate add up to the tax. */
export type BookedPart = Omit<BookedItem, 'shares'> & { readonly taxes: readonly TaxByRate[] }

/** Returns the parts of an order. Tax that no share explains has an unknown rate. */
export function bookedParts(items: readonly BookedItem[]): BookedPart[] {
  return items.map(({ shares, ...item }) => {
    const rest = item.tax - shares.reduce((sum, { tax }) => sum + tax, 0)
    const unknown = rest === 0 ? [] : [{ ratePpm: null, tax: rest }]
    return { ...item, taxes: mergedByRate([...shares, ...unknown]) }
  })
}

/**
 * Returns the negative parts of a refund. A refund of items is theirs, with their taxes in proportion. A refund of an amount
 * alone is shared by net and taxes of all parts.
 */
export function refundedParts(
  parts: readonly BookedPart[],
  refund: {
    /** Minor units, positive. */
    readonly amount: number
    readonly items: readonly { readonly itemId: number; readonly net: number; readonly tax: number }[]
  },
): BookedPart[] {
  const stated = refund.items.reduce((sum, { net, tax }) => sum + net + tax, 0)
  // A refund that only restocks pieces names items without amounts.
  if (stated !== refund.amount) return scaledParts(parts, -refund.amount)
  return refund.items.flatMap(({ itemId, net, tax }) => {
    const part = parts.find(({ id }) => id === itemId)
    if (!part || (net === 0 && tax === 0)) return []
    const taxes = part.tax === 0 ? [{ ratePpm: null, tax: -tax }] : scaledTaxes(part, -tax)
    return [{ ...part, net: 0 - net, tax: 0 - tax, taxes: taxes.filter((one) => one.tax !== 0) }]
  })
}

function scaledTaxes({ taxes, tax }: BookedPart, wanted: number): TaxByRate[] {
  const figures = taxes.map((one) => BigInt(one.tax) * BigInt(wanted) * sign(tax))
  const scaled = apportion(figures, BigInt(Math.abs(tax)), wanted)
  return taxes.map(({ ratePpm }, place) => ({ ratePpm, tax: scaled[place] ?? 0 }))
}

/**
 * Scales all figures so that they add up to `wanted`: an exchange, or a refund of an amount. Parts of nothing stay
 * nothing, and then the first part takes the amount as net.
 */
export function scaledParts(parts: readonly BookedPart[], wanted: number): BookedPart[] {
  const whole = grossOf(parts)
  if (whole === 0) return parts.map((part, place) => withFigures(part, [place === 0 ? wanted : 0]))
  const figures = parts.flatMap(({ net, taxes }) => [net, ...taxes.map(({ tax }) => tax)])
  const exact = figures.map((figure) => BigInt(figure) * BigInt(wanted) * sign(whole))
  const scaled = apportion(exact, BigInt(Math.abs(whole)), wanted)
  let at = 0
  return parts.map((part) => {
    const own = scaled.slice(at, at + 1 + part.taxes.length)
    at += own.length
    return withFigures(part, own)
  })
}

/**
 * Shares the net of a part among its tax rates, as where shipping follows the rates of the goods: each share in
 * proportion to its tax divided by its rate. The shares add up to the net. Empty without tax.
 */
export function netByRate({ net, taxes }: BookedPart): (TaxByRate & { readonly net: number })[] {
  const rates = taxes.map(({ ratePpm }) => BigInt(ratePpm ?? 0))
  const isKnown = rates.every((rate) => rate > 0n)
  const weights = taxes.map(({ tax }, place) => {
    if (!isKnown) return place === 0 ? 1n : 0n
    return rates.reduce((product, rate, other) => (other === place ? product : product * rate), BigInt(tax))
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  const figures = weights.map((weight) => weight * BigInt(net) * (whole < 0n ? -1n : 1n))
  const shares = whole === 0n ? [net] : apportion(figures, whole < 0n ? -whole : whole, net)
  return taxes.map((one, place) => ({ ...one, net: shares[place] ?? 0 }))
}

/** Converts an amount of an order by its value in the shop's currency, rounded to the nearest unit. */
export function ownAmount(amount: number, order: { readonly total: number; readonly baseTotal: number }): number {
  return order.total === 0 ? 0 : multiplyRounded(amount, order.baseTotal, order.total, 'half-up')
}

function withFigures(part: BookedPart, [net = 0, ...taxes]: readonly number[]): BookedPart {
  const byRate = part.taxes.map(({ ratePpm }, place) => ({ ratePpm, tax: taxes[place] ?? 0 }))
  return { ...part, net, tax: byRate.reduce((sum, { tax }) => sum + tax, 0), taxes: byRate }
}

/** Adds taxes of one rate up; the lowest rate first, unknown ones last. */
export function mergedByRate(taxes: readonly TaxByRate[]): TaxByRate[] {
  const sums = new Map<number | null, number>()
  for (const { ratePpm, tax } of taxes) sums.set(ratePpm, (sums.get(ratePpm) ?? 0) + tax)
  return [...sums]
    .map(([ratePpm, tax]) => ({ ratePpm, tax }))
    .filter(({ tax }) => tax !== 0)
    .toSorted((a, b) => (a.ratePpm ?? Infinity) - (b.ratePpm ?? Infinity))
}

/** Returns net and taxes of all parts together. */
export function grossOf(parts: readonly BookedPart[]): number {
  return parts.reduce((sum, { net, tax }) => sum + net + tax, 0)
}

const sign = (number: number) => (number < 0 ? -1n : 1n)
