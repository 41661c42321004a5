import type { Amount } from '#contract/paypal/amount.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { type Money, money } from '#domain/money/money.ts'

/** Currencies that PayPal accepts; all others are refused before a call. */
const decimalsByCurrency: Readonly<Record<string, number>> = {
  // No decimals, although ISO 4217 gives the forint and the new dollar two.
  ...Object.fromEntries(['HUF', 'JPY', 'TWD'].map((currency) => [currency, 0])),
  ...Object.fromEntries(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'
      .split(' ')
      .map((currency) => [currency, 2]),
  ),
}

export function isPayableCurrency(currency: string): boolean {
  return Object.hasOwn(decimalsByCurrency, currency)
}

/** Returns PayPal's amount; undefined for a currency that it does not accept. */
export function toAmount({ minor, currency }: Money): Amount | undefined {
  const decimals = isPayableCurrency(currency) ? decimalsByCurrency[currency] : undefined
  if (decimals === undefined) return undefined
  const step = 10 ** (currencyExponent(currency) - decimals)
  if (minor % step !== 0) return undefined
  const units = Math.abs(minor / step)
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return {
    currency_code: currency,
    value: `${minor < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${fraction}` : ''}`,
  }
}

/** Returns the amount in minor units; undefined for an inexact amount or an unsupported currency. */
export function fromAmount({ currency_code: currency, value }: Amount): Money | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(value)
  if (!match || !isPayableCurrency(currency)) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const decimals = currencyExponent(currency)
  if (/[^0]/.test(fraction.slice(decimals))) return undefined
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(minor)) return undefined
  return money(sign && minor > 0 ? -minor : minor, currency)
}
