import { urls } from '#contract/shared/urls.ts'
import type { CardRow } from '#database/catalog/product-rows.ts'
import type { ProductCardFacts } from './catalog-facts.ts'
import { type CatalogTree, categoryTerm } from './catalog-tree.ts'
import { type DisplayPrice, priceFacts } from './read-product-prices.ts'

/** Returns the card of a catalog row. */
export function cardFacts(row: CardRow, tree: CatalogTree, display: DisplayPrice): ProductCardFacts {
  return {
    id: row.id,
    type: row.type,
    sku: row.sku,
    name: row.name,
    url: urls.product(encodeURIComponent(row.slug)),
    image: row.image,
    price: priceFacts(row, row.type, display),
    onSale: row.onSale,
    featured: row.featured,
    stock: row.stock,
    purchasable: (row.type === 'simple' || row.type === 'variable') && row.minPrice !== null,
    virtual: row.virtual,
    downloadable: row.downloadable,
    soldIndividually: row.soldIndividually,
    taxable: row.taxStatus === 'taxable',
    hasDefaultAttributes: row.hasDefaults,
    categories: row.categoryIds.flatMap((id) => {
      const category = tree.category(id)
      return category ? [categoryTerm(tree, category)] : []
    }),
    tags: row.tags.map(({ name, slug }) => ({ name, slug, url: urls.tag(encodeURIComponent(slug)) })),
    averageRating: row.averageRating,
    ratingCount: row.ratingCount,
    externalUrl: row.externalUrl,
    buttonText: row.buttonText,
  }
}
