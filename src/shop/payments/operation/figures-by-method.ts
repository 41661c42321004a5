import { type SettledFees, settleFees } from '#domain/cart/settle-fees.ts'
import { type RateShare, settleFeeRates } from '#domain/cart/settle-rates.ts'
import type { SettledTotals } from '#domain/cart/settle-totals.ts'
import type { CartTotals } from '#domain/cart/totals.ts'
import { type Exchange, isOwnCurrency } from '#domain/currency/exchange.ts'
import { decimalText } from '#domain/currency/fraction.ts'
import type { ExchangedTotal, OwnWords, Quote, TaxShare } from '../../cart/quote.ts'

/** Figures of an order that depend on the payment method, in whole minor units of its currency. */
export type FiguresOfMethod = Pick<Quote, 'fees' | 'taxes' | 'totalTax' | 'total'> & {
  /** Tax of lines and fees. */
  readonly cartTax: number
  /** Total in the shop's own currency, where the order is in another. */
  readonly baseTotal: number | null
}

/** Figures by payment method id; '' stands for methods that were not offered when the order was placed. */
export type FiguresByMethod = Readonly<Record<string, FiguresOfMethod>>

/**
 * Returns the totals of a cart per payment method, in settled figures; null where every method costs the same.
 * @param written the same totals in the shop's language, where the cart is localized
 */
export function figuresByMethod(
  byMethod: ReadonlyMap<string, CartTotals>,
  settled: SettledTotals,
  exchange: Exchange,
  written?: ReadonlyMap<string, CartTotals>,
): FiguresByMethod | null {
  const figures = [...byMethod].flatMap(([id, totals]): [string, FiguresOfMethod][] => {
    const own = settleFees(settled, totals)
    if (!own) return []
    const cartTax = settled.linesTax.minor + own.feesTax.minor
    const [totalTax, total] = [own.tax.minor, own.total.minor]
    const baseTotal = exchangedTotal(exchange, total)?.baseTotal ?? null
    return [[id, { ...feeFigures(totals, own, written?.get(id)), cartTax, totalTax, total, baseTotal }]]
  })
  return figures.length === 0 ? null : Object.fromEntries(figures)
}

/**
 * Returns fees and taxes with their names.
 * @param settled the same totals in whole minor units
 * @param written the same totals in the shop's language, where the cart is localized
 */
export function feeFigures(
  totals: CartTotals,
  settled: Pick<SettledFees, 'fees' | 'taxes'>,
  written?: CartTotals,
): Pick<Quote, 'fees' | 'taxes'> {
  const byRate = totals.taxes.length > 1 ? settleFeeRates(totals, settled) : null
  return {
    fees: settled.fees.map(({ amount, tax }, place) => ({
      name: totals.fees[place]?.name ?? '',
      ...ownWords(written?.fees[place]?.name),
      amount: amount.minor,
      tax: tax.minor,
      ...(byRate && { taxes: minorShares(byRate[place]) }),
    })),
    taxes: totals.taxes.map(({ rateId, code, label, ratePpm, compound }, place) => ({
      ...{ rateId, code, label, ratePpm, compound },
      ...ownWords(written?.taxes[place]?.label),
      items: settled.taxes[place]?.items.minor ?? 0,
      shipping: settled.taxes[place]?.shipping.minor ?? 0,
    })),
  }
}

/** @param before the same before discounts, in the same order */
export function minorShares(shares: readonly RateShare[] = [], before?: readonly RateShare[]): TaxShare[] {
  return shares.map(({ rateId, amount }, place) => ({
    rateId,
    total: amount.minor,
    ...(before && { subtotal: before[place]?.amount.minor ?? 0 }),
  }))
}

export const ownWords = (name: string | undefined): { own?: OwnWords } => (name === undefined ? {} : { own: { name } })

/** Decimals that represent any effective rate exactly: those of a rate, of its fee, and two for the percentage. */
const rateDecimals = 40

export function exchangedTotal(exchange: Exchange, total: number): ExchangedTotal | null {
  if (isOwnCurrency(exchange)) return null
  const { factor, from, back } = exchange
  return { rate: decimalText(factor, rateDecimals), base: from, baseTotal: back(total) }
}
