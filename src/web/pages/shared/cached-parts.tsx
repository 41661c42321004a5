import type { ReactNode } from 'react'
import { LanguagesPlaceholderContext, languagesPlaceholder, placeholderTag } from '../../parts/shared/placeholders.tsx'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { asBytes } from './markup-bytes.ts'
import { markupCache, numberOf, sharedMarkup } from './markup-cache.tsx'

/** Markup in pieces, between which the list of languages stands. */
type Part = readonly Uint8Array[]

/** In bytes: a menu of hundreds of entries is marked otherwise on the page of each. */
const maxCacheEntries = 1_000_000

const byName = markupCache(maxCacheEntries, (part: Part) => part.reduce((sum, piece) => sum + piece.length, 0))

/**
 * What frames every page, rendered once for all pages of a shop as it is.
 * @param name with all that the part says beside what is known of the shop
 */
export function cachedPart(shop: ShopContextValue, name: string, part: ReactNode): Part {
  const open = <LanguagesPlaceholderContext value={true}>{part}</LanguagesPlaceholderContext>
  return byName(`${numberOf(shop)} ${name}`, () => sharedMarkup(shop, open).split(languagesTag).map(asBytes))
}

const languagesTag = `<${placeholderTag}>${languagesPlaceholder}</${placeholderTag}>`
