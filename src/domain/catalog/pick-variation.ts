import type { AttributeValues } from './match-variation.ts'

/** What a list is narrowed to, as far as variations can meet it. */
export type WantedVariation = {
  /** Attribute slug → values, any of which will do. */
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly onSale: boolean
}

export type PickableVariation = {
  readonly attributes: AttributeValues
  readonly onSale: boolean
  /** Whether it can be bought now. */
  readonly available: boolean
}

/**
 * The variation by which a product meets what is wanted: the first in the merchant's order, one that can be bought before
 * others. With it what its address chooses: the wanted values, and what all variations have that meet them alike.
 * Null: the product varies by nothing that is wanted, or meets it with no single variation.
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
