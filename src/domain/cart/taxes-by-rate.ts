import type { TaxRate } from '../tax/tax-rate.ts'
import { taxesOn } from '../tax/taxes-on.ts'
import type { Units } from './precision.ts'

/** Returns the rounded taxes on a net price, by rate id. */
export function taxesByRate(price: Units, rates: readonly TaxRate[], round: (tax: Units) => Units): Map<number, Units> {
  const taxes = taxesOn(price, rates, false)
  return new Map(rates.map((rate, index) => [rate.id, round(taxes[index] ?? 0n)]))
}

export function addTo<Key>(sums: Map<Key, Units>, key: Key, value: Units): void {
  sums.set(key, (sums.get(key) ?? 0n) + value)
}
