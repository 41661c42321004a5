/** A whole number of minor units (cents) with its currency. Compared and added only by functions that check the currency. */
export type Money = { readonly minor: number; readonly currency: CurrencyCode }

/** ISO 4217, upper case. */
export type CurrencyCode = string

/** @throws RangeError when `minor` is not a safe whole number. */
export function money(minor: number, currency: CurrencyCode): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`money needs whole minor units, got ${minor} ${currency}`)
  return { minor, currency }
}
