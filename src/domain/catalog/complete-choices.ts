import { type AttributeValues, lookUpVariation } from './match-variation.ts'

export type ChoosableAttribute = { readonly slug: string; readonly values: readonly string[] }

/**
 * Every complete choice of a product's attributes with the variation that it means: one that leaves an attribute open stands
 * there once for each value. Choices that no variation offers are left out.
 * @param most more than this are not written out: then open attributes have no value in the choice
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
    // An earlier variation may be meant by the same choice: the first one is sold.
    return choices
      .filter((choice) => lookUpVariation(variations, choice) === variation)
      .map((choice) => ({ variation, choice }))
  })
}
