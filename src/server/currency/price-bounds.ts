import { readListingFilters } from '#contract/catalog/listing-query.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { countable } from '#shop/currency/offered-currencies.ts'

/**
 * Converts the price bounds in a listing's address to another currency: 25 to 60 dollars differ from 25 to 60 yen. They
 * become whole numbers and rather wider, so that the same products are found again.
 * @param path with its query
 */
export function convertPriceBounds(path: string, from: Exchange, to: Exchange): string {
  if (from.to === to.to) return path
  const url = new URL(path, 'http://shop.invalid')
  const { minPrice, maxPrice } = readListingFilters(url.searchParams)
  if (minPrice === null && maxPrice === null) return path
  const bounds = [['min_price', minPrice, Math.floor] as const, ['max_price', maxPrice, Math.ceil] as const]
  for (const [name, text, whole] of bounds) {
    const entered = text === null ? null : enteredOf(text, from)
    if (entered === null) url.searchParams.delete(name)
    else url.searchParams.set(name, String(whole(to.price(entered) / 10 ** currencyExponent(to.to))))
  }
  return url.pathname + url.search
}

/** Returns minor units of the shop's own currency; null for a text that is no price, or out of range. */
function enteredOf(text: string, from: Exchange): number | null {
  const read = parseAmount(text, currencyExponent(from.to))
  const entered = read.ok ? from.back(read.minor) : null
  return entered === null || entered > countable * 10 ** currencyExponent(from.from) ? null : entered
}
