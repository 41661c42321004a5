const symbols = new Map<string, string>()

/** Returns the short symbol of a currency, the same in every language: $, €, kr. Without one it returns the code. */
export function currencySymbol(currency: string): string {
  return signOf(currency, 'narrowSymbol')
}

/** Returns the symbol of a currency, distinct from an equal one: CA$ where $ is the shop's own. */
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
