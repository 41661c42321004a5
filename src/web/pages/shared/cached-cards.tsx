import { ProductCard, type ProductCardProps } from '../../parts/catalog/product-card.tsx'
import type { ShopContextValue } from '../../parts/shared/shop-context.tsx'
import { asBytes } from './markup-bytes.ts'
import { markupCache, numberOf, sharedMarkup } from './markup-cache.tsx'

/** A card takes some three kilobytes. */
const maxCacheEntries = 1_000

const byContent = markupCache(maxCacheEntries, (_card: Uint8Array) => 1)

/** The same markup by the facts themselves, which mostly are the same objects on all pages: what they say need not be read then. */
let byFacts = new WeakMap<ProductCardProps['product'], Map<string, Uint8Array>>()
let held = 0

/**
 * Markup of cards, with their links in the language of the page, rendered once for all pages that show them: three quarters of a
 * listing are cards. They are known by all that is in them, so that there is nothing to forget: a card that has changed is
 * another card.
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
