import { compare, isLess, type Money, sameMoney } from '../money/money.ts'

/** Prices as entered by the merchant. A missing price is not zero: the product is not for sale, zero is free. */
export type EnteredPrice = {
  readonly regular: Money | null
  readonly sale: Money | null
  /** Start of the first day and end of the last one, in the shop's time zone, as moments; null: unlimited. */
  readonly saleFrom: Date | null
  readonly saleTo: Date | null
}

export type ActivePrice = { readonly price: Money; readonly regular: Money; readonly onSale: boolean }

/**
 * Returns the current price; null: not for sale. A sale price counts only below the regular one and within its dates.
 */
export function activePrice({ regular, sale, saleFrom, saleTo }: EnteredPrice, now: Date): ActivePrice | null {
  if (regular === null) return null
  const running = (saleFrom === null || saleFrom <= now) && (saleTo === null || now <= saleTo)
  const onSale = sale !== null && running && isLess(sale, regular)
  return { price: onSale ? sale : regular, regular, onSale }
}

/** Content of a price line. */
export type PriceLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'single'; readonly price: Money }
  | { readonly kind: 'sale'; readonly regular: Money; readonly price: Money }
  | { readonly kind: 'range'; readonly from: Money; readonly to: Money }

/** Returns the price line of a product, or of its variations or children. */
export function priceLine(prices: readonly (ActivePrice | null)[]): PriceLine {
  const known = prices.filter((price) => price !== null)
  const ordered = known.map(({ price }) => price).sort(compare)
  const from = ordered.at(0)
  const to = ordered.at(-1)
  if (!from || !to) return { kind: 'none' }
  if (!sameMoney(from, to)) return { kind: 'range', from, to }
  const [first] = known
  const alike = first !== undefined && known.every(({ regular }) => sameMoney(regular, first.regular))
  return alike && first.onSale ? { kind: 'sale', regular: first.regular, price: from } : { kind: 'single', price: from }
}
