import {
  matchingVariation,
  type OfferRow,
  type ProductPageRow,
  productPage,
  type VariationParent,
  type VariationRow,
} from '#database/catalog/product-page.ts'
import { cardsByIds } from '#database/catalog/product-rows.ts'
import { localizeFacts, type Say } from '../translation/localize-facts.ts'
import { type CatalogTools, catalogTree } from './cached-catalog.ts'
import type { OfferFacts, ProductFacts, VariationFacts } from './catalog-facts.ts'
import { brandFacet } from './catalog-terms.ts'
import { type CatalogTree, categoryTerm } from './catalog-tree.ts'
import { localizeProduct, localizeVariation } from './localize-catalog.ts'
import { swatchOf } from './option-swatch.ts'
import { cardFacts } from './read-product-card.ts'
import { type DisplayPrice, displayPrices, priceFacts } from './read-product-prices.ts'

/** With more variations than this the page includes none: the browser requests the chosen one. */
export const inlineVariations = 30
const relatedShown = 4

/** Returns all facts of a product's page, localized; null without a published product of the slug. */
export async function readProduct(
  tools: CatalogTools,
  slug: string,
  display: DisplayPrice = displayPrices(tools),
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
  const facts: ProductFacts = {
    ...cardFacts(row, tree, display),
    ...offerFacts(row, settings.timeZone),
    ownPrice: row.minPrice === null ? null : display.own(row.minPrice, row),
    hidden: row.visibility === 'hidden',
    description: row.description,
    shortDescription: row.shortDescription,
    images: row.images,
    stockQuantity: row.stockQuantity,
    backorders: row.backorders,
    maxQuantity: row.soldIndividually ? 1 : counted ? Math.max(0, row.stockQuantity ?? 0) : null,
    lowStockAmount: row.lowStockAmount ?? settings.lowStockAmount,
    attributes: row.attributes.map((attribute) => ({
      ...attribute,
      options: attribute.options.map((option) => ({
        ...option,
        swatch: swatchOf(settings, attribute.slug, option.value),
      })),
    })),
    variations: row.variations
      .map((variation) => variationFacts(variation, row, display, settings.timeZone))
      .filter(shownInList(settings.hideOutOfStock)),
    variationsInline: row.variationCount <= inlineVariations,
    grouped: cardsOf(row.grouped),
    upsells: cardsOf(row.upsells),
    related: cardsOf(related),
    linked: [...row.grouped, ...row.upsells],
    weightGrams: row.weightGrams,
    dimensionsMm: dimensionsOf(row),
    ancestors: breadcrumb(row, tree),
  }
  return localizeFacts(tools, (say) => withBrands(say, localizeProduct(say, facts), row.brands))
}

/**
 * Adds the row of the brands to the product's attributes. One of the product's own attributes with their slug has them
 * first; if the product varies by it, it names them already.
 */
function withBrands(say: Say, product: ProductFacts, brands: ProductPageRow['brands']): ProductFacts {
  if (brands.length === 0) return product
  const slug = `pa_${brandFacet}`
  const options = brands.map((brand) => ({ value: brand.slug, label: say.text(brand.name) }))
  const own = product.attributes.find((attribute) => attribute.slug === slug)
  if (own?.forVariations) return product
  if (!own) {
    const row = { slug, label: say.t('Brand'), visible: true, forVariations: false, options, defaultOption: '' }
    return { ...product, attributes: [...product.attributes, row] }
  }
  const others = own.options.filter(({ value }) => !options.some((brand) => brand.value === value))
  const merged = { ...own, visible: true, options: [...options, ...others] }
  return { ...product, attributes: product.attributes.map((attribute) => (attribute === own ? merged : attribute)) }
}

/** Returns the variation of the chosen values (attribute slug → value); null without a match. */
export async function readVariation(
  tools: CatalogTools,
  productId: number,
  chosen: Readonly<Record<string, string>>,
  display: DisplayPrice = displayPrices(tools),
): Promise<VariationFacts | null> {
  if (!Number.isSafeInteger(productId) || Object.values(chosen).some((value) => value.includes('\0'))) return null
  const found = await matchingVariation(tools.db.sql, productId, chosen)
  if (!found) return null
  const facts = variationFacts(found.variation, found.parent, display, tools.settings.timeZone)
  return localizeFacts(tools, (say) => localizeVariation(say, facts))
}

function offerFacts({ gtin, shippingClass, saleEnds }: OfferRow, timeZone: string): Omit<OfferFacts, 'ownPrice'> {
  return { gtin, shippingClass, saleEnds: saleEnds === null ? null : dayOf(new Date(saleEnds), timeZone) }
}

/** Returns the day in the shop's time zone: 2026-11-30. */
function dayOf(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const { year, month, day } = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}`
}

function variationFacts(
  row: VariationRow,
  parent: VariationParent,
  display: DisplayPrice,
  timeZone: string,
): VariationFacts {
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
    ...offerFacts(row, timeZone),
    ownPrice: row.price === null ? null : display.own(row.price, prices),
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

/** Returns the path to the product's deepest category, which is the most specific. */
function breadcrumb(row: ProductPageRow, tree: CatalogTree) {
  const lines = row.categoryIds.map((id) => tree.line(id))
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), lines[0] ?? [])
  return longest.map((category) => categoryTerm(tree, category))
}
