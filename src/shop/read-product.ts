import {
  matchingVariation,
  type ProductPageRow,
  productPage,
  type VariationParent,
  type VariationRow,
} from '#database/catalog/product-page.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import type { ProductFacts, VariationFacts } from './catalog-facts.ts'
import { type CatalogTools, type CatalogTree, catalogTree, categoryTerm } from './catalog-tree.ts'
import { cardFacts } from './read-product-card.ts'
import { type DisplayPrice, displayPrices, priceFacts } from './read-product-prices.ts'

/** More variations than this are not sent along: the browser asks for the one that was chosen. */
export const inlineVariations = 30
const relatedShown = 4

/** All that a product's page shows; null when nothing published has the slug. */
export async function readProduct(
  tools: CatalogTools,
  slug: string,
  display: DisplayPrice = displayPrices(tools.settings, tools.taxRates),
): Promise<ProductFacts | null> {
  if (slug.includes('\0')) return null
  const { db, settings } = tools
  const row = await productPage(db.sql, slug, inlineVariations, relatedShown)
  if (!row) return null
  const near = row.related.filter((id) => id !== row.id && !row.upsells.includes(id))
  const related = [...new Set(near)].slice(0, relatedShown)
  const [tree, linked] = await Promise.all([
    catalogTree(tools),
    cardsByIds(db.sql, [...row.grouped, ...row.upsells, ...related]),
  ])
  const cards = new Map(linked.cards.map((card) => [card.id, card]))
  const cardsOf = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const card = cards.get(id)
      return card ? [cardFacts(card, tree, display)] : []
    })
  const counted = row.stockQuantity !== null && row.backorders === 'no'
  return {
    ...cardFacts(row, tree, display),
    description: row.description,
    shortDescription: row.shortDescription,
    images: row.images,
    stockQuantity: row.stockQuantity,
    backorders: row.backorders,
    maxQuantity: row.soldIndividually ? 1 : counted ? Math.max(0, row.stockQuantity ?? 0) : null,
    lowStockAmount: row.lowStockAmount ?? settings.lowStockAmount,
    attributes: row.attributes,
    variations: row.variations
      .map((variation) => variationFacts(variation, row, display))
      .filter(shownInList(settings.hideOutOfStock)),
    variationsInline: row.variationCount <= inlineVariations,
    grouped: cardsOf(row.grouped),
    upsells: cardsOf(row.upsells),
    related: cardsOf(related),
    weightGrams: row.weightGrams,
    dimensionsMm: dimensionsOf(row),
    ancestors: breadcrumb(row, tree),
  }
}

/** The variation that a set of chosen values (attribute slug → value) stands for; null when there is none. */
export async function readVariation(
  { db, settings, taxRates }: CatalogTools,
  productId: number,
  chosen: Readonly<Record<string, string>>,
  display: DisplayPrice = displayPrices(settings, taxRates),
): Promise<VariationFacts | null> {
  if (!Number.isSafeInteger(productId) || Object.values(chosen).some((value) => value.includes('\0'))) return null
  const found = await matchingVariation(db.sql, productId, chosen)
  return found && variationFacts(found.variation, found.parent, display)
}

function variationFacts(row: VariationRow, parent: VariationParent, display: DisplayPrice): VariationFacts {
  const prices = {
    regularPrice: row.regularPrice,
    minPrice: row.price,
    maxPrice: row.price,
    onSale: row.onSale,
    sharedRegular: null,
    taxStatus: parent.taxStatus,
    taxClass: row.taxClass,
  }
  const counted = row.stockQuantity !== null && row.backorders === 'no'
  return {
    id: row.id,
    sku: row.sku,
    attributes: row.chosen,
    price: priceFacts(prices, 'variation', display),
    displayPrice: row.price === null ? null : display(row.price, prices),
    displayRegularPrice: row.regularPrice === null ? null : display(row.regularPrice, prices),
    stock: row.stock,
    stockQuantity: row.stockQuantity,
    backorders: row.backorders,
    purchasable: row.price !== null,
    soldIndividually: parent.soldIndividually,
    virtual: row.virtual,
    downloadable: row.downloadable,
    maxQuantity: parent.soldIndividually ? 1 : counted ? Math.max(0, row.stockQuantity ?? 0) : null,
    description: row.description,
    weightGrams: row.weightGrams,
    dimensionsMm: dimensionsOf(row),
    image: row.image,
  }
}

function shownInList(hideOutOfStock: boolean) {
  return ({ purchasable, stock }: VariationFacts) => purchasable && !(hideOutOfStock && stock === 'outofstock')
}

function dimensionsOf({ lengthMm, widthMm, heightMm }: Pick<ProductPageRow, 'lengthMm' | 'widthMm' | 'heightMm'>) {
  if (lengthMm === null || widthMm === null || heightMm === null) return null
  return { length: lengthMm, width: widthMm, height: heightMm }
}

/** From the top to the deepest category of the product: the one that says most about it. */
function breadcrumb(row: ProductPageRow, tree: CatalogTree) {
  const lines = row.categoryIds.map((id) => tree.line(id))
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), lines[0] ?? [])
  return longest.map((category) => categoryTerm(tree, category))
}
