import type { TaxPlace } from './tax-rate.ts'

export type TaxablePlaceFacts = {
  readonly basedOn: 'shipping' | 'billing' | 'base'
  readonly base: TaxPlace
  readonly shipping: TaxPlace
  readonly billing: TaxPlace
  /** The chosen shipping method is local pickup, and the shop taxes it at its own location (the default). */
  readonly collectedAtBase: boolean
  readonly pricesIncludeTax: boolean
  readonly defaultLocation: 'none' | 'base'
}

/** Returns the location of taxation of an order; null: unknown, and nothing is taxed yet. */
export function taxablePlace(facts: TaxablePlaceFacts): TaxPlace | null {
  if (facts.basedOn === 'base' || facts.collectedAtBase) return facts.base
  const place = facts.basedOn === 'billing' ? facts.billing : facts.shipping
  if (place.country !== '') return place
  // Prices with tax include the base tax until the address is known; without, an unknown visitor sees no tax.
  return facts.pricesIncludeTax || facts.defaultLocation === 'base' ? facts.base : null
}
