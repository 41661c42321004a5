import { ProductCard, type ProductCardProps } from '../../parts/catalog/product-card.tsx'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { asBytes } from './markup-bytes.ts'
import { markupCache, numberOf, sharedMarkup } from './markup-cache.tsx'

/** A card takes about three kilobytes. */
const maxCacheEntries = 1_000

const byContent = markupCache(maxCacheEntries, (_card: Uint8Array) => 1)

/** The same markup by its facts, which usually are the same objects on all pages: then their values are not read. */
let byFacts = new WeakMap<ProductCardProps['product'], Map<string, Uint8Array>>()
let held = 0

/**
 * Caches the markup of cards, with localized links, for all pages: cards are three quarters of a listing. The key
 * contains all of a card's data, so no invalidation is needed: a changed card has another key.
 */
export function cachedCards(shop: ShopContextValue): (card: ProductCardProps) => Uint8Array {
  const number = numberOf(shop)
  return (card) => {
    const place = `${number} ${card.columns} ${card.column} ${card.priority}`
    const known = byFacts.get(card.product)?.get(place)
    if (known !== undefined) return known
    const markup = byContent(`${number} ${JSON.stringify(card)}`, () =>
      asBytes(sharedMarkup(shop, <ProductCard {...card} />)),
    )
    if (held >= maxCacheEntries) {
      byFacts = new WeakMap()
      held = 0
    }
    held += 1
    const ofProduct = byFacts.get(card.product) ?? new Map<string, Uint8Array>()
    byFacts.set(card.product, ofProduct.set(place, markup))
    return markup
  }
}
