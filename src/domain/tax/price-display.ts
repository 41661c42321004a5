import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { TaxRate } from './tax-rate.ts'
import { taxesOn } from './taxes-on.ts'

/** Precision of the tax on one displayed price, in parts of a minor unit. */
const precision = 10_000n

/**
 * Returns the price of one piece with and without tax, in whole minor units. Added tax is rounded per rate, as on a
 * cart line, unless the shop rounds at the subtotal; a price that includes it is rounded after its removal.
 */
export function bothPrices(
  entered: number,
  rates: readonly TaxRate[],
  { pricesIncludeTax, roundAtSubtotal }: { readonly pricesIncludeTax: boolean; readonly roundAtSubtotal: boolean },
): { readonly incl: number; readonly excl: number } {
  const price = BigInt(entered) * precision
  const whole = (value: bigint) => toSafeNumber(divideRounded(value, precision, 'half-up'))
  const taxes = taxesOn(price, rates, pricesIncludeTax)
  const sum = taxes.reduce((total, tax) => total + tax, 0n)
  if (pricesIncludeTax) return { incl: entered, excl: whole(price - sum) }
  const added = roundAtSubtotal ? whole(price + sum) - entered : taxes.reduce((total, tax) => total + whole(tax), 0)
  return { incl: entered + added, excl: entered }
}
