import type { ShopSettings } from '#contract/settings.ts'
import type { StoredPrices } from '#database/catalog/product-rows.ts'
import { type Money, money } from '#domain/money/money.ts'
import { type TaxRate, type TaxRateRow, taxRatesFor } from '#domain/tax/tax-rate.ts'
import { taxesOn } from '#domain/tax/taxes-on.ts'
import type { PriceFacts } from './catalog-facts.ts'

type Taxed = Pick<StoredPrices, 'taxStatus' | 'taxClass'>

/** An entered price (whole minor units) as the shop's pages show it. */
export type DisplayPrice = (entered: number, product: Taxed) => Money

/**
 * Prices as entered while the shop shows them in the mode they are entered in; else with the tax of the shop's own
 * address added or taken off. Pages are the same for all visitors, so no visitor's place plays a part.
 */
export function displayPrices(settings: ShopSettings, taxRates: readonly TaxRateRow[]): DisplayPrice {
  const { currency, taxes, base } = settings
  const entered = taxes.pricesIncludeTax ? 'incl' : 'excl'
  if (!taxes.enabled || taxes.displayShop === entered) return (minor) => money(minor, currency)

  const place = { country: base.country, state: base.state, postcode: '', city: '' }
  const byClass = new Map<string, TaxRate[]>()
  const ratesOf = (taxClass: string) => {
    const rates = byClass.get(taxClass) ?? taxRatesFor(taxRates, place, taxClass)
    byClass.set(taxClass, rates)
    return rates
  }
  return (minor, { taxStatus, taxClass }) => {
    if (taxStatus !== 'taxable') return money(minor, currency)
    const taxes = taxesOn(BigInt(minor), ratesOf(taxClass), entered === 'incl').map(Number)
    const tax = taxes.reduce((sum, part) => sum + part, 0)
    return money(entered === 'incl' ? minor - tax : minor + tax, currency)
  }
}

/** What the price line of a product shows. */
export function priceFacts(prices: StoredPrices, type: string, display: DisplayPrice): PriceFacts {
  const { minPrice, maxPrice, onSale } = prices
  if (minPrice === null) return { kind: 'none' }
  const from = display(minPrice, prices)
  if (maxPrice !== null && maxPrice !== minPrice) return { kind: 'range', from, to: display(maxPrice, prices) }
  const regular = type === 'variable' ? prices.sharedRegular : type === 'grouped' ? null : prices.regularPrice
  if (onSale && regular !== null && regular > minPrice)
    return { kind: 'sale', regular: display(regular, prices), price: from }
  return { kind: 'single', price: from }
}
