import { currencyExponent } from '../money/currency-exponent.ts'
import { type CurrencyCode, type Money, money } from '../money/money.ts'
import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { TotalsSwitches } from './totals-input.ts'

/** Amount in the engine's unit: `precision.unitsPerMinor` of them are one minor unit. */
export type Units = bigint

/** Unit and roundings of the totals engine in one cart. */
export type Precision = {
  readonly unitsPerMinor: bigint
  units(amount: Money): Units
  /** To whole minor units, half away from zero. */
  whole(value: Units): Units
  /** Rounds tax to whole minor units: halves down when prices include tax, neutral between net and tax. */
  wholeTax(value: Units): Units
  /** `whole` and `wholeTax` of a line; unrounded when the shop rounds at the subtotal. */
  lineAmount(value: Units): Units
  lineTax(value: Units): Units
  money(value: Units): Money
  taxMoney(value: Units): Money
}

/** Returns the precision: with P decimals of a currency the engine keeps max(P + 2, 6), a ten-thousandth of a cent. */
export function precisionFor(currency: CurrencyCode, { pricesIncludeTax, roundAtSubtotal }: TotalsSwitches): Precision {
  const decimals = currencyExponent(currency)
  const scale = 10n ** BigInt(Math.max(decimals + 2, 6) - decimals)
  const taxRounding = pricesIncludeTax ? 'half-down' : 'half-up'
  const whole = (value: Units) => divideRounded(value, scale, 'half-up') * scale
  const wholeTax = (value: Units) => divideRounded(value, scale, taxRounding) * scale
  const unchanged = (value: Units) => value
  return {
    unitsPerMinor: scale,
    units(amount) {
      if (amount.currency !== currency) throw new RangeError(`a cart in ${currency} cannot hold ${amount.currency}`)
      return BigInt(amount.minor) * scale
    },
    whole,
    wholeTax,
    lineAmount: roundAtSubtotal ? unchanged : whole,
    lineTax: roundAtSubtotal ? unchanged : wholeTax,
    money: (value) => money(toSafeNumber(divideRounded(value, scale, 'half-up')), currency),
    taxMoney: (value) => money(toSafeNumber(divideRounded(value, scale, taxRounding)), currency),
  }
}

export function total(values: Iterable<Units>): Units {
  let result = 0n
  for (const value of values) result += value
  return result
}
