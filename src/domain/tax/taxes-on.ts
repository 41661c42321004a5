import { divideRounded } from '../money/round.ts'
import type { TaxRate } from './tax-rate.ts'

/**
 * Returns the tax of each rate on a price, in the order of the rates and in the unit of the price. Intermediate figures
 * are exact fractions; each tax is rounded once, half up, to that unit, so the caller chooses the precision by the
 * unit: the totals engine counts in parts of a cent.
 */
export function taxesOn(price: bigint, rates: readonly TaxRate[], priceIncludesTax: boolean): bigint[] {
  if (rates.length === 0) return []
  return priceIncludesTax ? inclusive(price, rates) : exclusive(price, rates)
}

const million = 1_000_000n

function exclusive(price: bigint, rates: readonly TaxRate[]): bigint[] {
  const taxes: bigint[] = []
  // Regular rates are independent: their sum is price × Σ ppm / 10^6, in any order among the compound ones.
  let numerator = 0n
  let denominator = million
  rates.forEach((rate, index) => {
    if (rate.compound) return
    const product = price * BigInt(rate.ratePpm)
    taxes[index] = divideRounded(product, million, 'half-up')
    numerator += product
  })
  rates.forEach((rate, index) => {
    if (!rate.compound) return
    const taxNumerator = (price * denominator + numerator) * BigInt(rate.ratePpm)
    const taxDenominator = denominator * million
    taxes[index] = divideRounded(taxNumerator, taxDenominator, 'half-up')
    numerator = numerator * million + taxNumerator
    denominator = taxDenominator
  })
  return taxes
}

function inclusive(price: bigint, rates: readonly TaxRate[]): bigint[] {
  const taxes: bigint[] = []
  // Rest of the price without the taxes removed so far: numerator / denominator.
  let numerator = price
  let denominator = 1n
  for (let index = rates.length - 1; index >= 0; index--) {
    const rate = rates[index]
    if (!rate?.compound) continue
    const ppm = BigInt(rate.ratePpm)
    taxes[index] = divideRounded(numerator * ppm, denominator * (million + ppm), 'half-up')
    numerator *= million
    denominator *= million + ppm
  }
  const whole = million + rates.reduce((total, rate) => (rate.compound ? total : total + BigInt(rate.ratePpm)), 0n)
  rates.forEach((rate, index) => {
    if (!rate.compound) taxes[index] = divideRounded(numerator * BigInt(rate.ratePpm), denominator * whole, 'half-up')
  })
  return taxes
}
