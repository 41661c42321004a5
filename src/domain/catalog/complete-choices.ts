import { type AttributeValues, lookUpVariation } from './match-variation.ts'

export type ChoosableAttribute = { readonly slug: string; readonly values: readonly string[] }

/**
 * Returns all complete choices of a product's attributes with their variations: a variation with an open attribute is
 * listed once for each value. Choices without a variation are left out.
 * @param most above this number choices are not expanded: open attributes then have no value
 */
export function completeChoices<Variation extends { readonly attributes: AttributeValues }>(
  variations: readonly Variation[],
  attributes: readonly ChoosableAttribute[],
  most: number,
): { readonly variation: Variation; readonly choice: AttributeValues }[] {
  const valuesOf = (variation: Variation, { slug, values }: ChoosableAttribute): readonly string[] => {
    const fixed = Object.hasOwn(variation.attributes, slug) ? (variation.attributes[slug] ?? '') : ''
    if (fixed !== '') return [fixed]
    return values.length > 0 ? values : ['']
  }
  const sizes = variations.map((variation) =>
    attributes.reduce((size, attribute) => size * valuesOf(variation, attribute).length, 1),
  )
  if (sizes.reduce((sum, size) => sum + size, 0) > most) {
    return variations.map((variation) => ({ variation, choice: variation.attributes }))
  }
  return variations.flatMap((variation) => {
    let choices: AttributeValues[] = [{}]
    for (const attribute of attributes) {
      const values = valuesOf(variation, attribute)
      choices = choices.flatMap((choice) => values.map((value) => ({ ...choice, [attribute.slug]: value })))
    }
    // An earlier variation may match the same choice: the first one is sold.
    return choices
      .filter((choice) => lookUpVariation(variations, choice) === variation)
      .map((choice) => ({ variation, choice }))
  })
}
