import { type CurrencyCode, type Money, money } from '../money/money.ts'

/** Prices as the merchant entered them, in minor units. A missing price is not zero: it cannot be bought, zero is free. */
export type EnteredPrice = {
  readonly regular: number | null
  readonly sale: number | null
  /** Start of the first day and end of the last one, in the shop's time zone, already as moments; null: open. */
  readonly saleFrom: Date | null
  readonly saleTo: Date | null
}

export type ActivePrice = {
  /** Null: not purchasable. */
  readonly price: number | null
  readonly regular: number | null
  readonly onSale: boolean
}

/** The price that counts now. A sale price counts only below the regular one and within its dates. */
export function activePrice({ regular, sale, saleFrom, saleTo }: EnteredPrice, now: Date): ActivePrice {
  if (regular === null) return { price: null, regular, onSale: false }
  const running = (saleFrom === null || saleFrom <= now) && (saleTo === null || now <= saleTo)
  const onSale = sale !== null && running && sale < regular
  return { price: onSale ? sale : regular, regular, onSale }
}

/** What a price line shows. */
export type PriceLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'single'; readonly price: Money }
  | { readonly kind: 'sale'; readonly regular: Money; readonly price: Money }
  | { readonly kind: 'range'; readonly from: Money; readonly to: Money }

/** The price line of one product, or of the variations or children of one that has them. */
export function priceLine(prices: readonly ActivePrice[], currency: CurrencyCode): PriceLine {
  const known = prices.filter((each): each is ActivePrice & { price: number } => each.price !== null)
  const [first] = known
  if (!first) return { kind: 'none' }
  const from = Math.min(...known.map(({ price }) => price))
  const to = Math.max(...known.map(({ price }) => price))
  if (from < to) return { kind: 'range', from: money(from, currency), to: money(to, currency) }
  const alike = known.every(({ regular }) => regular === first.regular)
  return alike && first.onSale && first.regular !== null
    ? { kind: 'sale', regular: money(first.regular, currency), price: money(from, currency) }
    : { kind: 'single', price: money(from, currency) }
}
