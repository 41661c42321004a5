import { readListingFilters } from '#contract/catalog/listing-query.ts'
import type { Exchange } from '#domain/currency/exchange.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import { countable } from '#shop/currency/offered-currencies.ts'

/**
 * The address of a listing with its bounds of prices in another currency: 25 to 60 dollars are no 25 to 60 yen. They become whole
 * ones, wider rather than narrower, so that what was found is found again.
 * @param path with its query
 */
export function boundsIn(path: string, from: Exchange, to: Exchange): string {
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

/** Minor units of the shop's own currency; null where it is no price, or one that nothing has. */
function enteredOf(text: string, from: Exchange): number | null {
  const read = parseAmount(text, currencyExponent(from.to))
  const entered = read.ok ? from.back(read.minor) : null
  return entered === null || entered > countable * 10 ** currencyExponent(from.from) ? null : entered
}
