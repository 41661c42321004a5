import type { ShopSettings } from '#contract/shared/settings.ts'
import { type SetTokens, schemeColours } from '#contract/theme/scheme-colours.ts'
import { canonicalJson, sha256 } from '../shared/digest.ts'

export const sharePictureSize = { width: 1200, height: 630 } as const

/** Raised when the drawing changes, so that every picture is made anew. */
const drawing = 1

/** All that is drawn of a product, a category or the shop. */
export type SharedFacts = {
  /** The hash of the picture that it is made of; null: words alone. */
  readonly image: string | null
  /** '' for the shop itself: its name stands there anyway. */
  readonly name: string
}

/**
 * Whatever is drawn is in the digest. A file of that name that is there is right; one that is not has yet to be made.
 */
export function sharePictureDigest(
  settings: Pick<ShopSettings, 'name' | 'tagline' | 'theme'>,
  shared: SharedFacts,
): string {
  return sha256(canonicalJson({ drawing, ...shared, ...shopOfPicture(settings) })).slice(0, 32)
}

/** What all of a shop's pictures share. */
export function shopOfPicture({ name, tagline, theme }: Pick<ShopSettings, 'name' | 'tagline' | 'theme'>) {
  const set: SetTokens = theme
  return { shop: name, tagline, colours: schemeColours(set, 'light') }
}

export const sharePictureFile = (digest: string): string => `share-${digest}.jpg`
