import type { CurrencyCode } from './money.ts'

/**
 * ISO 4217 exponents other than two. Forint and Taiwan dollar count in whole units here: their hundredths are out of
 * use, and PayPal accepts none.
 */
const exponents: Readonly<Record<string, number>> = {
  HUF: 0,
  TWD: 0,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
}

/** Returns the decimals of a currency's minor unit: 2 for USD, 0 for JPY, 3 for KWD. */
export function currencyExponent(currency: CurrencyCode): number {
  return Object.hasOwn(exponents, currency) ? (exponents[currency] ?? 2) : 2
}
