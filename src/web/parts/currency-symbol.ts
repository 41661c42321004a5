const symbols = new Map<string, string>()

/** The short sign of a currency, the same in every language: $, €, kr. A currency without one gives its code. */
export function currencySymbol(currency: string): string {
  const known = symbols.get(currency)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0)
  const symbol = parts.find((part) => part.type === 'currency')?.value ?? currency
  symbols.set(currency, symbol)
  return symbol
}
