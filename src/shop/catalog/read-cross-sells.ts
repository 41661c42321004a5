import { crossSellIds } from '#database/cart/cross-sells.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import type { CartEntry } from '../cart/evaluated-cart.ts'
import { localizeFacts } from '../translation/localize-facts.ts'
import { type CatalogTools, catalogTree } from './cached-catalog.ts'
import type { ProductCardFacts } from './catalog-facts.ts'
import { localizeCard } from './localize-catalog.ts'
import { cardFacts } from './read-product-card.ts'
import { displayPrices } from './read-product-prices.ts'
import { readShelves } from './read-product-sections.ts'

/** Two rows of two. */
const shown = 4

/** Returns purchasable cross-sells of the products in a cart. */
export async function crossSells(tools: CatalogTools, entries: readonly CartEntry[]): Promise<ProductCardFacts[]> {
  const inCart = [...new Set(entries.map(({ line }) => line.productId))]
  // More than are shown: some may not be purchasable.
  const ids = await crossSellIds(tools.db.sql, inCart, shown * 3)
  if (ids.length === 0) return []
  const [tree, { cards }] = await Promise.all([catalogTree(tools), cardsByIds(tools.db.sql, ids)])
  const display = displayPrices(tools)
  const sold = cards.map((row) => cardFacts(row, tree, display)).filter(forSale)
  return localizeFacts(tools, (say) => sold.slice(0, shown).map((card) => localizeCard(say, card)))
}

/** Returns suggestions for an empty cart: featured products, then new ones. */
export async function suggestions(tools: CatalogTools): Promise<ProductCardFacts[]> {
  const shelves = await readShelves(tools, [
    { from: 'featured', count: shown * 2 },
    { from: 'newest', count: shown * 2 },
  ])
  const distinct = new Map(shelves.flat().map((product) => [product.id, product]))
  const sold = [...distinct.values()].filter(forSale)
  return localizeFacts(tools, (say) => sold.slice(0, shown).map((card) => localizeCard(say, card)))
}

function forSale({ purchasable, stock }: ProductCardFacts): boolean {
  return purchasable && stock !== 'outofstock'
}
