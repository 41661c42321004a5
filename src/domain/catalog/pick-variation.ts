import type { AttributeValues } from './match-variation.ts'

/** The filters of a list that variations can match. */
export type WantedVariation = {
  /** Attribute slug → values, of which one must match. */
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly onSale: boolean
}

export type PickableVariation = {
  readonly attributes: AttributeValues
  readonly onSale: boolean
  /** True if it can be bought now. */
  readonly available: boolean
}

/**
 * Returns the variation that matches the filters: the first in the merchant's order, purchasable ones before others.
 * Its URL selects the filtered values, and values shared by all matching variations. Null: the product does not vary by
 * a filter, or no single variation matches.
 */
export function pickVariation<Variation extends PickableVariation>(
  variations: readonly Variation[],
  { values, onSale }: WantedVariation,
): { readonly variation: Variation; readonly choice: AttributeValues } | null {
  const wanted = Object.entries(values).filter(([slug]) => variations.some((one) => valueAt(one, slug) !== ''))
  const bySale = onSale && variations.some((one) => one.onSale) && variations.some((one) => !one.onSale)
  if (wanted.length === 0 && !bySale) return null

  const meeting = variations.filter(
    (one) =>
      (!bySale || one.onSale) &&
      wanted.every(([slug, any]) => valueAt(one, slug) === '' || any.includes(valueAt(one, slug))),
  )
  const variation = meeting.find(({ available }) => available) ?? meeting[0]
  if (!variation) return null

  const choice: Record<string, string> = {}
  for (const [slug, [first = '']] of wanted) choice[slug] = valueAt(variation, slug) || first
  const alike = meeting.filter((one) => wanted.every(([slug]) => valueAt(one, slug) === valueAt(variation, slug)))
  for (const [slug, value] of Object.entries(variation.attributes)) {
    if (value !== '' && alike.every((one) => valueAt(one, slug) === value)) choice[slug] = value
  }
  return { variation, choice }
}

function valueAt({ attributes }: PickableVariation, slug: string): string {
  return Object.hasOwn(attributes, slug) ? (attributes[slug] ?? '') : ''
}
