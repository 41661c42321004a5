import type { ShopSettings } from '#contract/shared/settings.ts'
import type { SwatchFacts } from './catalog-facts.ts'

/**
 * Returns the merchant's colour of an option, or null.
 * @param slug of the attribute, as in the settings: with `pa_` for a shop-wide one or without
 */
export function swatchOf(
  { swatches }: Pick<ShopSettings, 'swatches'>,
  slug: string,
  value: string,
): SwatchFacts | null {
  const own = (key: string) => (Object.hasOwn(swatches, key) ? swatches[key] : undefined)
  const colours = own(slug) ?? own(slug.replace(/^pa_/, ''))
  const colour = colours && Object.hasOwn(colours, value) ? colours[value] : undefined
  return colour ? { kind: 'colour', colour } : null
}
