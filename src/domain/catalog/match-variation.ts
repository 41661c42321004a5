/** Attribute slug → value. In a variation `''` means any; in a choice, not chosen yet. */
export type AttributeValues = Readonly<Record<string, string>>

/** What the rules need of a variation; callers keep their own richer type. */
export type VariationChoice = {
  readonly attributes: AttributeValues
  /** False: it exists but cannot be chosen, so its options are shown disabled. */
  readonly active: boolean
}

export type OptionState = { readonly value: string; readonly enabled: boolean }

/** Whether nothing chosen contradicts the variation: an empty value on either side agrees with everything. */
export function variationMatches(variation: AttributeValues, chosen: AttributeValues): boolean {
  return Object.entries(variation).every(([slug, value]) => {
    const choice = valueAt(chosen, slug)
    return value === '' || choice === '' || value === choice
  })
}

/** How many of a product's attributes have a value. */
export function chosenCount(slugs: readonly string[], chosen: AttributeValues): number {
  return slugs.filter((slug) => valueAt(chosen, slug) !== '').length
}

/** The first match in the merchant's order once every attribute is chosen, else undefined. */
export function matchVariation<Variation extends VariationChoice>(
  variations: readonly Variation[],
  slugs: readonly string[],
  chosen: AttributeValues,
): Variation | undefined {
  if (chosenCount(slugs, chosen) < slugs.length) return undefined
  return variations.find(({ attributes }) => variationMatches(attributes, chosen))
}

/**
 * The options of one attribute that go with what is chosen in the others, in their first order. Options that no
 * variation offers are left out; those that only inactive variations offer are there, disabled.
 */
export function availableOptions(
  variations: readonly VariationChoice[],
  slug: string,
  options: readonly string[],
  chosen: AttributeValues,
): OptionState[] {
  const others = { ...chosen, [slug]: '' }
  const attached = new Map<string, boolean>()
  for (const { attributes, active } of variations) {
    if (!variationMatches(attributes, others)) continue
    const value = valueAt(attributes, slug)
    for (const option of value === '' ? options : [value])
      attached.set(option, active || (attached.get(option) ?? false))
  }
  return options
    .filter((option) => attached.has(option))
    .map((value) => ({ value, enabled: attached.get(value) ?? false }))
}

/** The choice without the values that have become impossible, attribute by attribute. */
export function keepPossible(
  variations: readonly VariationChoice[],
  optionsBySlug: Readonly<Record<string, readonly string[]>>,
  chosen: AttributeValues,
): AttributeValues {
  const kept: Record<string, string> = { ...chosen }
  for (const [slug, options] of Object.entries(optionsBySlug)) {
    const value = valueAt(kept, slug)
    if (value === '') continue
    const possible = availableOptions(variations, slug, options, kept)
    if (!possible.some((option) => option.value === value && option.enabled)) kept[slug] = ''
  }
  return kept
}

/**
 * The variation that a posted choice means, on the server: the first whose every attribute is any or equals what was
 * posted. A choice that leaves out an attribute which the variation fixes does not match.
 */
export function lookUpVariation<Variation extends { readonly attributes: AttributeValues }>(
  variations: readonly Variation[],
  posted: AttributeValues,
): Variation | undefined {
  return variations.find(({ attributes }) =>
    Object.entries(attributes).every(
      ([slug, value]) => value === '' || (Object.hasOwn(posted, slug) && posted[slug] === value),
    ),
  )
}

function valueAt(values: AttributeValues, slug: string): string {
  return Object.hasOwn(values, slug) ? (values[slug] ?? '') : ''
}
