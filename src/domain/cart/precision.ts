import { currencyExponent } from '../money/currency-exponent.ts'
import { type CurrencyCode, type Money, money } from '../money/money.ts'
import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { TotalsSwitches } from './totals-input.ts'

/** An amount in the engine's own unit: `precision.unitsPerMinor` of them make one minor unit. */
export type Units = bigint

/** How the totals engine counts in one cart: its unit, and its roundings to whole minor units. */
export type Precision = {
  readonly unitsPerMinor: bigint
  units(amount: Money): Units
  /** To whole minor units, half away from zero. */
  whole(value: Units): Units
  /** Tax to whole minor units: halves go down when prices include tax, so that they favour neither net nor tax. */
  wholeTax(value: Units): Units
  /** `whole` and `wholeTax` of a line, or nothing at all when the shop rounds at the subtotal. */
  lineAmount(value: Units): Units
  lineTax(value: Units): Units
  money(value: Units): Money
  taxMoney(value: Units): Money
}

/** With P decimals to a currency the engine keeps max(P + 2, 6) of them: parts of a cent down to a ten-thousandth. */
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
