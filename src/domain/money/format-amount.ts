import { currencyExponent } from './currency-exponent.ts'
import type { Money } from './money.ts'
import { divideRounded } from './round.ts'

/**
 * Price format of the shop. Own rules instead of `Intl`: engines disagree, and server and browser must print the same.
 */
export type PriceFormat = {
  readonly position: 'left' | 'right' | 'left_space' | 'right_space'
  readonly decimals: number
  readonly decimalSeparator: string
  readonly thousandSeparator: string
  /** Replaces the usual symbol of the currency. */
  readonly symbol?: string | undefined
  /** Position of the currency code beside the price; undefined: hidden. */
  readonly codePosition?: 'not_display' | PriceFormat['position'] | undefined
}

/** The pieces of a printed price, for markup that wraps the symbol. `digits` has no sign. */
export type AmountParts = {
  readonly negative: boolean
  readonly symbol: string
  readonly position: PriceFormat['position']
  readonly digits: string
  /** The currency's code with its separating space, before or after the price; '' where there is none. */
  readonly codeBefore: string
  readonly codeAfter: string
}

/**
 * Splits an amount; rounds half up when the shop prints fewer decimals. A price rounded to zero loses its minus sign.
 */
export function amountParts(amount: Money, format: PriceFormat, symbol: string): AmountParts {
  const value = rescale(BigInt(amount.minor), currencyExponent(amount.currency), format.decimals)
  const negative = value < 0n
  const all = (negative ? -value : value).toString().padStart(format.decimals + 1, '0')
  const cut = all.length - format.decimals
  const whole = all.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, () => format.thousandSeparator)
  const digits = format.decimals > 0 ? whole + format.decimalSeparator + all.slice(cut) : whole
  const { codePosition = 'not_display' } = format
  const gap = codePosition.endsWith('_space') ? '\u00a0' : ''
  return {
    negative,
    symbol: format.symbol ?? symbol,
    position: format.position,
    digits,
    codeBefore: codePosition.startsWith('left') ? amount.currency + gap : '',
    codeAfter: codePosition.startsWith('right') ? gap + amount.currency : '',
  }
}

/** The sign of negative amounts in displayed text. Data and machine formats have a hyphen, see `decimalString`. */
export const minusSign = '\u2212'

/** Returns plain text: the minus sign comes first, with a no-break space between symbol and digits. */
export function amountText({ negative, symbol, position, digits, codeBefore, codeAfter }: AmountParts): string {
  const gap = position.endsWith('_space') ? '\u00a0' : ''
  const price = position.startsWith('left') ? symbol + gap + digits : digits + gap + symbol
  return `${negative ? minusSign : ''}${codeBefore}${price}${codeAfter}`
}

export function formatAmount(amount: Money, format: PriceFormat, symbol: string): string {
  return amountText(amountParts(amount, format, symbol))
}

/** Returns the machine form with a dot and all decimals of the currency, for PayPal and JSON: `-12.50`. */
export function decimalString(amount: Money): string {
  const decimals = currencyExponent(amount.currency)
  const digits = Math.abs(amount.minor)
    .toString()
    .padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  return `${amount.minor < 0 ? '-' : ''}${digits.slice(0, cut)}${decimals > 0 ? `.${digits.slice(cut)}` : ''}`
}

function rescale(value: bigint, from: number, to: number): bigint {
  return to >= from ? value * 10n ** BigInt(to - from) : divideRounded(value, 10n ** BigInt(from - to), 'half-up')
}
