import { divideRounded, toSafeNumber } from '../money/round.ts'
import type { TaxRate } from './tax-rate.ts'
import { taxesOn } from './taxes-on.ts'

/** Parts of a minor unit that the tax on one displayed price is worked out in. */
const precision = 10_000n

/**
 * The price of one piece with tax and without it, in whole minor units. Tax that is added is rounded a rate, as on a line
 * of the cart, unless the shop rounds at the subtotal; a price that contains it is rounded once it is taken out.
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
