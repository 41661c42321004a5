import type { TaxPlace } from './tax-rate.ts'

export type TaxablePlaceFacts = {
  readonly basedOn: 'shipping' | 'billing' | 'base'
  readonly base: TaxPlace
  readonly shipping: TaxPlace
  readonly billing: TaxPlace
  /** The chosen shipping method is collection at the shop, and the shop taxes that where it stands (the default). */
  readonly collectedAtBase: boolean
  readonly pricesIncludeTax: boolean
  readonly defaultLocation: 'none' | 'base'
}

/** Where an order is taxed; null: the place is unknown and nothing is taxed yet. */
export function taxablePlace(facts: TaxablePlaceFacts): TaxPlace | null {
  if (facts.basedOn === 'base' || facts.collectedAtBase) return facts.base
  const place = facts.basedOn === 'billing' ? facts.billing : facts.shipping
  if (place.country !== '') return place
  // Prices with tax contain the base tax until we know better; without, an unknown visitor sees no tax.
  return facts.pricesIncludeTax || facts.defaultLocation === 'base' ? facts.base : null
}
