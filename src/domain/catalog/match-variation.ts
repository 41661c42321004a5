/** Attribute slug → value. In a variation `''` means any; in a choice, not chosen yet. */
export type AttributeValues = Readonly<Record<string, string>>

/** The members of a variation that the rules need; callers use their own richer type. */
export type VariationChoice = {
  readonly attributes: AttributeValues
  /** False: it exists but cannot be chosen, so its options are disabled. */
  readonly active: boolean
}

export type OptionState = { readonly value: string; readonly enabled: boolean }

/** Returns true if no chosen value contradicts the variation: an empty value on either side matches everything. */
export function variationMatches(variation: AttributeValues, chosen: AttributeValues): boolean {
  return Object.entries(variation).every(([slug, value]) => {
    const choice = valueAt(chosen, slug)
    return value === '' || choice === '' || value === choice
  })
}

/** Returns the number of a product's attributes with a value. */
export function chosenCount(slugs: readonly string[], chosen: AttributeValues): number {
  return slugs.filter((slug) => valueAt(chosen, slug) !== '').length
}

/** Returns the first match in the merchant's order once every attribute is chosen, else undefined. */
export function matchVariation<Variation extends VariationChoice>(
  variations: readonly Variation[],
  slugs: readonly string[],
  chosen: AttributeValues,
): Variation | undefined {
  if (chosenCount(slugs, chosen) < slugs.length) return undefined
  return variations.find(({ attributes }) => variationMatches(attributes, chosen))
}

/**
 * Returns the options of an attribute that combine with the other choices, in their original order. Options without a
 * variation are left out; those of only inactive variations are included, disabled.
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

/** Returns the choice without impossible values, attribute by attribute. */
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
 * Returns the variation of a posted choice, on the server: the first whose attributes are all "any" or equal to the
 * posted values. A choice without an attribute that the variation fixes does not match.
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
