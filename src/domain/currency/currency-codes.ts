/** Cached: the list has some three hundred codes, historic ones among them. */
let known: ReadonlySet<string> | undefined

/** Reports whether a code is or was a currency (ISO 4217, as the runtime knows it). */
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'))
  return known.has(code)
}
