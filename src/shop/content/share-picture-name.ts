import type { ShopSettings } from '#contract/shared/settings.ts'
import { type SetTokens, schemeColours } from '#contract/theme/scheme-colours.ts'
import { canonicalJson, sha256 } from '../shared/digest.ts'

export const sharePictureSize = { width: 1200, height: 630 } as const

/** Raise it when the drawing changes, so that every image is created again. */
const drawing = 1

/** The data drawn in the image of a product, a category or the shop. */
export type SharedFacts = {
  /** The hash of the drawn image; null: text only. */
  readonly image: string | null
  /** '' for the shop itself, whose name is always drawn. */
  readonly name: string
}

/** Returns a digest of all drawn data. An existing file of that name is current; a missing one has to be created. */
export function sharePictureDigest(
  settings: Pick<ShopSettings, 'name' | 'tagline' | 'theme'>,
  shared: SharedFacts,
): string {
  return sha256(canonicalJson({ drawing, ...shared, ...shopOfPicture(settings) })).slice(0, 32)
}

/** Returns the data that all of a shop's images share. */
export function shopOfPicture({ name, tagline, theme }: Pick<ShopSettings, 'name' | 'tagline' | 'theme'>) {
  const set: SetTokens = theme
  return { shop: name, tagline, colours: schemeColours(set, 'light') }
}

export const sharePictureFile = (digest: string): string => `share-${digest}.jpg`
