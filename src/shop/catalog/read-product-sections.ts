import { productIdsBySku } from '#database/catalog/find-references.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import { countBits } from '#domain/catalog/bit-set.ts'
import { type Clause, idsInOrder, type ProductOrder, productsWith } from '#domain/catalog/product-index.ts'
import type { ShelfName } from '../content/home-facts.ts'
import { type CatalogTools, cachedCatalog, listingClauses } from './cached-catalog.ts'
import type { ProductCardFacts } from './catalog-facts.ts'
import { isFeatured, isOnSale } from './catalog-terms.ts'
import { cardFacts } from './read-product-card.ts'
import { displayPrices } from './read-product-prices.ts'

/** A section of products: one of the shop's own, a category, a tag, or hand-picked. */
export type Shelf = {
  readonly from?: ShelfName | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly skus?: readonly string[] | undefined
  readonly count: number
}

const shelves: Readonly<Record<ShelfName, { order: ProductOrder | 'menu_order'; clauses: readonly Clause[] }>> = {
  featured: { order: 'menu_order', clauses: [{ anyOf: [isFeatured] }] },
  newest: { order: 'date', clauses: [] },
  // A bargain that is sold out is none.
  sale: { order: 'menu_order', clauses: [{ anyOf: [isOnSale] }, ...listingClauses(true)] },
  popular: { order: 'popularity', clauses: [] },
  rated: { order: 'rating', clauses: [] },
}

/** Reads the products of several sections together. A missing category or tag yields an empty section. */
export async function readShelves(tools: CatalogTools, wanted: readonly Shelf[]): Promise<ProductCardFacts[][]> {
  const { tree, index, book } = await cachedCatalog(tools)
  const skus = wanted.flatMap((shelf) => shelf.skus ?? [])
  const bySku = skus.length > 0 ? await productIdsBySku(tools.db.sql, skus) : new Map<string, number>()

  const idsOf = ({ from, category, tag, skus, count: limit }: Shelf): readonly number[] => {
    if (skus) return [...new Set(skus.flatMap((sku) => bySku.get(sku.toLowerCase()) ?? []))]
    const { order, clauses } = from ? shelves[from] : { order: 'menu_order' as const, clauses: [] }
    const filed = category === undefined ? undefined : book.category(tree.bySlug(category)?.id ?? -1)
    const term = tag === undefined ? filed : book.tag(tag)?.term
    if (from === undefined && term === undefined) return []
    const own = term === undefined ? [] : [{ anyOf: [term] }]
    const found = productsWith(index, [...listingClauses(tools.settings.hideOutOfStock), ...clauses, ...own])
    return idsInOrder(index, { found, count: countBits(found), order, offset: 0, limit })
  }

  const ids = wanted.map(idsOf)
  const { cards: rows } = await cardsByIds(tools.db.sql, [...new Set(ids.flat())])
  const display = displayPrices(tools)
  const cards = new Map(rows.map((row) => [row.id, cardFacts(row, tree, display)]))
  return ids.map((shelf) => shelf.flatMap((id) => cards.get(id) ?? []))
}
