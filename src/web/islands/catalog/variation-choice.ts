import type { WireVariation } from '#contract/catalog/variation.ts'
import type { VariationChoice } from '#domain/catalog/match-variation.ts'

/** A variation of the wire for the choice rules. Attributes keep their wire names, `attribute_<slug>`. */
export type Choosable = VariationChoice & { readonly wire: WireVariation }

export function choosable(wire: WireVariation): Choosable {
  return { attributes: wire.attributes, active: wire.variation_is_active, wire }
}

export function attributeName(slug: string): string {
  return `attribute_${slug}`
}

/** A minimal check: the server created the list with the type's own function; scripts may pass any other value. */
export function isVariation(value: unknown): value is WireVariation {
  return typeof value === 'object' && value !== null && 'variation_id' in value && 'attributes' in value
}

export function isBuyable(variation: WireVariation): boolean {
  return variation.is_purchasable && variation.is_in_stock && variation.variation_is_visible
}
