import type { ReactNode } from 'react'
import { LanguagesPlaceholderContext, languagesPlaceholder, placeholderTag } from '../../parts/shared/placeholders.tsx'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { asBytes } from './markup-bytes.ts'
import { markupCache, numberOf, sharedMarkup } from './markup-cache.tsx'

/** Markup in pieces, separated by the list of languages. */
type Part = readonly Uint8Array[]

/** In bytes: a menu of hundreds of entries has other marks on each page. */
const maxCacheEntries = 1_000_000

const byName = markupCache(maxCacheEntries, (part: Part) => part.reduce((sum, piece) => sum + piece.length, 0))

/**
 * Caches a part of the frame for all pages of the current shop.
 * @param name includes everything that the part shows besides the shop's facts
 */
export function cachedPart(shop: ShopContextValue, name: string, part: ReactNode): Part {
  const open = <LanguagesPlaceholderContext value={true}>{part}</LanguagesPlaceholderContext>
  return byName(`${numberOf(shop)} ${name}`, () => sharedMarkup(shop, open).split(languagesTag).map(asBytes))
}

const languagesTag = `<${placeholderTag}>${languagesPlaceholder}</${placeholderTag}>`
