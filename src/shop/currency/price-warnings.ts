import type { ShopSettings } from '#contract/shared/settings.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'

/**
 * Currencies that are shown with fewer decimals than they have, a sentence each: prices, taxes and percentages are charged to
 * the smallest coin, so that a total which is not whole is shown as another than is charged.
 */
export function priceWarnings({
  currency,
  priceFormat,
  currencies,
}: Pick<ShopSettings, 'currency' | 'priceFormat' | 'currencies'>): string[] {
  const shown = [
    { key: 'priceFormat.decimals', code: currency, decimals: priceFormat.decimals },
    ...currencies.map(({ code, decimals }, index) => ({ key: `currencies[${index}].decimals`, code, decimals })),
  ]
  return shown.flatMap(({ key, code, decimals }) =>
    decimals !== undefined && decimals < currencyExponent(code)
      ? `${key}: ${code} has ${currencyExponent(code)} decimals, and ${decimals} are shown; totals are charged with all of them, so leave it out`
      : [],
  )
}
