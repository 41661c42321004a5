const symbols = new Map<string, string>()

/** The short sign of a currency, the same in every language: $, €, kr. A currency without one gives its code. */
export function currencySymbol(currency: string): string {
  return signOf(currency, 'narrowSymbol')
}

/** The sign of a currency beside another that has the same: CA$ where $ is the shop's own. */
export function symbolBeside(currency: string, other: string): string {
  const short = currencySymbol(currency)
  return short === currencySymbol(other) && currency !== other ? signOf(currency, 'symbol') : short
}

function signOf(currency: string, currencyDisplay: 'narrowSymbol' | 'symbol'): string {
  const key = `${currencyDisplay} ${currency}`
  const known = symbols.get(key)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay }).formatToParts(0)
  const symbol = parts.find((part) => part.type === 'currency')?.value ?? currency
  symbols.set(key, symbol)
  return symbol
}
