import { currencyExponent } from '../money/currency-exponent.ts'
import type { CurrencyCode } from '../money/money.ts'
import { toSafeNumber } from '../money/round.ts'
import { addExact, divideExact, type Exact, exact, multiplyExact, subtractExact, toWhole, whole } from './fraction.ts'

/** Fee on a rate: a percentage of it, or a fixed figure. */
export type RateFee = { readonly type: 'percentage' | 'fixed'; readonly value: string }

/** Rounding of prices in a currency. */
export type PriceEnding = {
  readonly type: 'disabled' | 'up' | 'down' | 'nearest'
  /** Prices become multiples of it, in whole currency. */
  readonly step: string
  /** Subtracted afterwards: 0.01 makes 24.99 of 25. */
  readonly subtract: string
}

export type ExchangeRule = {
  readonly code: CurrencyCode
  /** Units of the currency for one of the shop's own, a decimal. */
  readonly rate: string
  readonly fee: RateFee
  readonly ending: PriceEnding
  /** Decimals of displayed prices; amounts are rounded to no more of them. */
  readonly decimals: number
}

/** Conversion from the shop's own currency, in which the merchant enters amounts, to the displayed one. */
export type Exchange = {
  readonly from: CurrencyCode
  readonly to: CurrencyCode
  /** Units of `to` per unit of `from`, with the fee; exact. */
  readonly factor: Exact
  /** Converts a unit price in minor units, rounded by the price ending of the currency. Zero stays zero. */
  readonly price: (minor: number) => number
  /** Converts any other amount (a coupon, a fee, a shipping cost), rounded half up once. Minor units. */
  readonly amount: (minor: number) => number
  /** Maximum deviation of a price above or below its exact conversion, in whole `to`, by endings and rounding. */
  readonly maxExcess: Exact
  readonly maxShortfall: Exact
  /** Smallest displayed amount, in minor units of `to`. */
  readonly shownUnit: number
  /** Converts an amount of `to` back to `from`, for the merchant's accounts; rounded half up. Minor units. */
  readonly back: (minor: number) => number
}

/**
 * Returns the rate with its fee (CUR-04). @throws RangeError when a figure is not a decimal, or the result is not
 * positive
 */
export function effectiveRate(rate: string, fee: RateFee): Exact {
  const plain = exact(rate)
  const value = exact(fee.value)
  const factor =
    fee.type === 'percentage'
      ? multiplyExact(plain, addExact(whole(1), divideExact(value, whole(100))))
      : addExact(plain, value)
  if (factor.n <= 0n) throw new RangeError(`the rate ${rate} with its fee is not positive`)
  return factor
}

/** @throws RangeError when rate, fee, step or subtracted amount are invalid */
export function exchangeOf(from: CurrencyCode, { code: to, rate, fee, ending, decimals }: ExchangeRule): Exchange {
  const factor = effectiveRate(rate, fee)
  const step = exact(ending.step)
  const subtract = exact(ending.subtract)
  if (step.n <= 0n) throw new RangeError(`the step ${ending.step} is not positive`)
  if (subtract.n < 0n) throw new RangeError(`${ending.subtract} cannot be subtracted`)
  const exponent = currencyExponent(to)
  // Hidden decimals are not charged.
  const chargedDecimals = Math.min(decimals, exponent)
  const scale = 10n ** BigInt(chargedDecimals)
  const rest = 10n ** BigInt(exponent - chargedDecimals)
  const fromScale = 10n ** BigInt(currencyExponent(from))
  const toMinor = (value: Exact): number => {
    const minor = toWhole({ n: value.n * scale, d: value.d }, 'nearest') * rest
    return minor < 0n ? 0 : toSafeNumber(minor)
  }
  const converted = (minor: number): Exact => ({ n: BigInt(minor) * factor.n, d: fromScale * factor.d })
  const amount = (minor: number) => (minor < 0 ? -toMinor(converted(-minor)) + 0 : toMinor(converted(minor)))
  const { type } = ending
  const halfUnit = { n: 1n, d: 2n * scale }
  const deviation = deviationOf(type, step)
  // Prices that would be negative become zero, which is no further from their conversion.
  const above = type === 'disabled' ? whole(0) : subtractExact(deviation.up, subtract)
  const below = type === 'disabled' ? whole(0) : addExact(deviation.down, subtract)
  return {
    from,
    to,
    factor,
    amount,
    maxExcess: addExact(above.n > 0n ? above : whole(0), halfUnit),
    maxShortfall: addExact(below, halfUnit),
    shownUnit: toSafeNumber(rest),
    price(minor) {
      if (minor <= 0 || type === 'disabled') return amount(minor)
      const steps = whole(toWhole(divideExact(converted(minor), step), type))
      return toMinor(subtractExact(multiplyExact(steps, step), subtract))
    },
    back(minor) {
      const value = { n: BigInt(minor) * factor.d * fromScale, d: factor.n * 10n ** BigInt(exponent) }
      return toSafeNumber(toWhole(value, 'nearest'))
    },
  }
}

/** Returns the maximum deviation of rounding to a step, up and down. */
function deviationOf(type: PriceEnding['type'], step: Exact): { readonly up: Exact; readonly down: Exact } {
  const half = divideExact(step, whole(2))
  switch (type) {
    case 'disabled':
      return { up: whole(0), down: whole(0) }
    case 'up':
      return { up: step, down: whole(0) }
    case 'down':
      return { up: whole(0), down: step }
    case 'nearest':
      return { up: half, down: half }
  }
}

/** Returns the identity exchange of the shop's own currency. */
export function noExchange(currency: CurrencyCode): Exchange {
  const same = (minor: number) => minor
  return {
    ...{ from: currency, to: currency, factor: whole(1), price: same, amount: same, back: same },
    ...{ maxExcess: whole(0), maxShortfall: whole(0), shownUnit: 1 },
  }
}

/** Reports whether amounts are displayed as entered. */
export function isOwnCurrency({ from, to }: Exchange): boolean {
  return from === to
}
