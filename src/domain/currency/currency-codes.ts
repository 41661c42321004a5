/** Asked once: the list has some three hundred codes, historic ones among them. */
let known: ReadonlySet<string> | undefined

/** Whether there is or was such a currency (ISO 4217, as the runtime knows it). */
export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'))
  return known.has(code)
}
