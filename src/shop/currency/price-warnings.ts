import type { ShopSettings } from '#contract/shared/settings.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'

/**
 * Returns a warning for each currency that is displayed with fewer decimals than it has: amounts are charged to the
 * smallest unit, so a displayed total may differ from the charged one.
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
