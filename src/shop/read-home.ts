import { newestIds } from '#database/catalog/product-page.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import type { HomeFacts } from './catalog-facts.ts'
import { type CatalogTools, catalogTree, categoryFacts } from './catalog-tree.ts'
import { cardFacts } from './read-product-card.ts'
import { type DisplayPrice, displayPrices } from './read-product-prices.ts'

/** The home page: its categories and three shelves of up to `shown` products. */
export async function readHome(
  tools: CatalogTools,
  shown = 8,
  display: DisplayPrice = displayPrices(tools.settings, tools.taxRates),
): Promise<HomeFacts> {
  const [tree, newest] = await Promise.all([catalogTree(tools), newestIds(tools.db.sql, shown)])
  const featured = tree.featured.slice(0, shown)
  const onSale = tree.onSale.slice(0, shown)
  const { cards: rows } = await cardsByIds(tools.db.sql, [...new Set([...featured, ...newest, ...onSale])])
  const cards = new Map(rows.map((row) => [row.id, cardFacts(row, tree, display)]))
  const shelf = (ids: readonly number[]) => ids.flatMap((id) => cards.get(id) ?? [])
  return {
    categories: tree.top.filter(({ count }) => count > 0).map((category) => categoryFacts(tree, category)),
    featured: shelf(featured),
    newest: shelf(newest),
    onSale: shelf(onSale),
  }
}
