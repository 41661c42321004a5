/** An amount as it crosses the wire. */
export type Amount = { currency_code: string; value: string }

/** Currencies that the provider counts without decimals, whatever ISO 4217 says of HUF and TWD. */
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD'])

/** Currencies in which payments are taken. */
const CURRENCIES = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD INR'.split(' '),
)

const MOST_HUNDREDTHS = 99_999_999_999_999_999n

export function hasDecimals(currency: string): boolean {
  return !WITHOUT_DECIMALS.has(currency)
}

export function isKnownCurrency(currency: string): boolean {
  return CURRENCIES.has(currency)
}

/** Hundredths of the unit, for every currency alike; digits behind the second are cut, as `amountFault` refuses them. */
export function hundredths(amount: Amount | undefined): bigint {
  if (!amount) return 0n
  const negative = amount.value.startsWith('-')
  const [whole = '', fraction = ''] = amount.value.replace('-', '').split('.')
  const size = BigInt(whole || '0') * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2))
  return negative ? -size : size
}

/** The amount in its usual form: two decimals, or none where the currency has none. */
export function amountOf(size: bigint, currency: string): Amount {
  const positive = size < 0n ? -size : size
  const whole = positive / 100n
  const fraction = hasDecimals(currency) ? `.${String(positive % 100n).padStart(2, '0')}` : ''
  return { currency_code: currency, value: `${size < 0n ? '-' : ''}${whole}${fraction}` }
}

export function normalizeAmount(amount: Amount): Amount {
  return amountOf(hundredths(amount), amount.currency_code)
}

/** What is wrong with one amount taken alone, as the provider's issue. */
export function amountFault(amount: Amount, least: 'zero' | 'more-than-zero'): string | undefined {
  if (!isKnownCurrency(amount.currency_code)) return 'INVALID_CURRENCY_CODE'
  const fraction = amount.value.split('.')[1]
  if (fraction !== undefined && !hasDecimals(amount.currency_code)) return 'DECIMALS_NOT_SUPPORTED'
  if (fraction !== undefined && fraction.length > 2) return 'DECIMAL_PRECISION'
  const size = hundredths(amount)
  if (size > MOST_HUNDREDTHS) return 'MAX_VALUE_EXCEEDED'
  if (least === 'zero' && size < 0n) return 'CANNOT_BE_NEGATIVE'
  if (least === 'more-than-zero' && size <= 0n) return 'CANNOT_BE_ZERO_OR_NEGATIVE'
  return undefined
}

/** What the seller pays for a payment: 3.49 % and 0.49, as for a US account without special terms. */
export function feeOn(size: bigint, currency: string): bigint {
  const fee = (size * 349n + 5_000n) / 10_000n + 49n
  return hasDecimals(currency) ? fee : ((fee + 50n) / 100n) * 100n
}
