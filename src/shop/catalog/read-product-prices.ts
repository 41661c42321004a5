import type { StoredPrices } from '#database/catalog/product-rows.ts'
import { type Exchange, isOwnCurrency } from '#domain/currency/exchange.ts'
import { type Money, money } from '#domain/money/money.ts'
import { bothPrices } from '#domain/tax/price-display.ts'
import { type TaxRate, taxRatesFor } from '#domain/tax/tax-rate.ts'
import type { Tools } from '../shared/tools.ts'
import type { PriceFacts, PriceSuffix } from './catalog-facts.ts'

type Pricing = Pick<Tools, 'settings' | 'taxRates' | 'exchange'>

/** A converter and what it was made of, besides the settings. */
export type KeptDisplay = Omit<Pricing, 'settings'> & { readonly display: DisplayPrice }

type Taxed = Pick<StoredPrices, 'taxStatus' | 'taxClass'>

/** Converts an entered price (whole minor units) to its displayed form. */
export type DisplayPrice = ((entered: number, product: Taxed) => Money) & {
  /** Returns the amounts of the price suffix; null in a shop without a suffix. */
  readonly suffix: (entered: number, product: Taxed) => PriceSuffix | null
  /** Converts to the shop's own currency, which limits are compared with. */
  readonly own: (entered: number, product: Taxed) => Money
}

/**
 * Returns the converter of prices to the current currency, with or without tax, by the rates of the shop's own address:
 * pages are the same for all visitors, so a visitor's location has no effect. The conversion is monotonic.
 */
export function displayPrices({
  settings,
  taxRates,
  exchange,
  catalogCache: { displays },
}: Pricing & Pick<Tools, 'catalogCache'>): DisplayPrice {
  // The same object while its results are the same, so that they can be cached by it.
  const known = displays.get(settings)
  if (known && known.taxRates === taxRates && isSameExchange(known.exchange, exchange)) return known.display
  const display = displayOf({ settings, taxRates, exchange })
  displays.set(settings, { taxRates, exchange, display })
  return display
}

const isSameExchange = (one: Exchange, other: Exchange) =>
  one === other || (isOwnCurrency(one) && isOwnCurrency(other) && one.to === other.to)

function displayOf({ settings, taxRates, exchange }: Pricing): DisplayPrice {
  const { currency, taxes, base } = settings
  const byClass = new Map<string, TaxRate[]>()
  const ratesOf = (taxClass: string) => {
    const rates = byClass.get(taxClass) ?? taxRatesFor(taxRates, base, taxClass)
    byClass.set(taxClass, rates)
    return rates
  }
  const isTaxed = ({ taxStatus }: Taxed) => taxes.enabled && taxStatus === 'taxable'
  const both = (amount: Money, product: Taxed) => {
    const { incl, excl } = bothPrices(amount.minor, isTaxed(product) ? ratesOf(product.taxClass) : [], taxes)
    return { incl: money(incl, amount.currency), excl: money(excl, amount.currency) }
  }
  const shownAsEntered = (taxes.displayShop === 'incl') === taxes.pricesIncludeTax
  const shown = (amount: Money, product: Taxed) =>
    shownAsEntered || !isTaxed(product) ? amount : both(amount, product)[taxes.displayShop]
  const exchanged = (minor: number) => money(exchange.price(minor), currency)
  const price = (minor: number, product: Taxed) => shown(exchanged(minor), product)
  const suffix = (minor: number, product: Taxed) =>
    taxes.priceSuffix !== '' && isTaxed(product) ? both(exchanged(minor), product) : null
  const own = (minor: number, product: Taxed) => shown(money(minor, exchange.from), product)
  return Object.assign(price, { suffix, own })
}

/** Returns the price of a product for display. */
export function priceFacts(prices: StoredPrices, type: string, display: DisplayPrice): PriceFacts {
  const { minPrice, maxPrice, onSale } = prices
  if (minPrice === null) return { kind: 'none' }
  const from = display(minPrice, prices)
  const named = display.suffix(minPrice, prices)
  const suffix = named ? { suffix: named } : {}
  if (maxPrice !== null && maxPrice !== minPrice) {
    return { kind: 'range', from, to: display(maxPrice, prices), ...suffix }
  }
  const regular = type === 'variable' ? prices.sharedRegular : type === 'grouped' ? null : prices.regularPrice
  if (onSale && regular !== null && regular > minPrice)
    return { kind: 'sale', regular: display(regular, prices), price: from, ...suffix }
  return { kind: 'single', price: from, ...suffix }
}
