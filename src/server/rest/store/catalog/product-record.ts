import { attributeParameter } from '#contract/catalog/listing-query.ts'
import type { StoreProductRecord } from '#contract/catalog/store-products.ts'
import { urls } from '#contract/shared/urls.ts'
import type { StoreProductRow } from '#database/catalog/store-products.ts'
import { catalogTree } from '#shop/catalog/cached-catalog.ts'
import { brandFacet } from '#shop/catalog/catalog-terms.ts'
import { categoryTerm } from '#shop/catalog/catalog-tree.ts'
import { type DisplayPrice, displayPrices, priceFacts } from '#shop/catalog/read-product-prices.ts'
import { localizeFacts, type Say } from '#shop/translation/localize-facts.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { buttonTexts } from '#web/parts/catalog/loop-button.tsx'
import { dimensionsText, weightText } from '#web/parts/catalog/product-attributes.tsx'
import { stockText } from '#web/parts/catalog/stock.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Visit } from '../../../http/visit.ts'
import { escapeHtml } from '../../../notices/cart-notices.tsx'
import { currencyMembers, minor, storeImageOf } from '../shared/store-values.ts'
import { priceHtml } from './price-html.tsx'

/** Largest quantity of one request where stock sets no limit. */
export const mostPieces = 9999

type Kept = { readonly of: readonly unknown[]; readonly record: StoreProductRecord }

/** Records by their row, and by what else they are made of: each is a new object after a change. */
const kept = new WeakMap<StoreProductRow, Kept>()

/** Returns the records of products, in their order, localized and in the displayed currency. */
export async function productRecords(visit: Visit, rows: readonly StoreProductRow[]): Promise<StoreProductRecord[]> {
  const { tools } = visit.app
  const [shop, tree, translator] = await Promise.all([visit.app.shop(), catalogTree(tools), tools.translator()])
  const display = displayPrices(tools)
  const of = [shop, tree, translator, display]
  // Another request may replace a kept record during the localization: this one has its own.
  const records = new Map<StoreProductRow, StoreProductRecord>()
  for (const row of rows) {
    const one = kept.get(row)
    if (one?.of.every((part, place) => part === of[place])) records.set(row, one.record)
  }
  const missing = rows.filter((row) => !records.has(row))
  if (missing.length > 0) {
    const around = { visit, shop, display, tree }
    const made = await localizeFacts(tools, (say) => missing.map((row) => recordOf({ ...around, say }, row)))
    for (const [place, row] of missing.entries()) {
      const record = made[place]
      if (!record) continue
      records.set(row, record)
      kept.set(row, { of, record })
    }
  }
  return rows.flatMap((row) => records.get(row) ?? [])
}

type Around = {
  readonly visit: Visit
  readonly shop: ShopContextValue
  readonly say: Say
  readonly display: DisplayPrice
  readonly tree: Awaited<ReturnType<typeof catalogTree>>
}

function recordOf({ visit, shop, say, display, tree }: Around, row: StoreProductRow): StoreProductRecord {
  const { settings, publicUrl } = visit.app.tools
  const link = (path: string) => publicUrl + visit.path(path)
  const name = say.text(row.name)
  const isSold = row.minPrice !== null && row.type !== 'grouped' && row.type !== 'external'
  const isInStock = row.stock !== 'outofstock'
  const dimensionsMm =
    row.lengthMm === null || row.widthMm === null || row.heightMm === null
      ? null
      : { length: row.lengthMm, width: row.widthMm, height: row.heightMm }
  const measured = { weightGrams: row.weightGrams, dimensionsMm }
  const availability = stockText(shop, { ...row, lowStockAmount: row.lowStockAmount ?? settings.lowStockAmount })
  const term = (kind: 'tag') => (one: { id: number; name: string; slug: string }) => ({
    id: one.id,
    name: escapeHtml(say.text(one.name)),
    slug: one.slug,
    link: link(urls[kind](encodeURIComponent(one.slug))),
  })
  return {
    id: row.id,
    name: escapeHtml(name),
    slug: row.slug,
    parent: row.parentId,
    type: row.type,
    variation: row.type === 'variation' ? escapeHtml(variationText(say, row)) : '',
    permalink: permalinkOf(visit, row),
    sku: row.sku,
    short_description: say.markup(row.shortDescription),
    description: say.markup(row.description),
    on_sale: row.onSale,
    prices: pricesOf(shop, display, row),
    price_html: renderPart(
      shop,
      priceHtml(priceFacts({ ...row, sharedRegular: sharedRegular(row) }, row.type, display)),
      'price',
    ),
    average_rating: Number(row.averageRating).toFixed(2),
    review_count: row.ratingCount,
    images: row.images.map((image) => storeImageOf(visit, { ...image, alt: say.text(image.alt) })),
    categories: row.categoryIds.flatMap((id) => {
      const category = tree.category(id)
      if (!category) return []
      const { name: label, slug, url } = categoryTerm(tree, category)
      return { id, name: escapeHtml(say.text(label)), slug, link: link(url) }
    }),
    tags: row.tags.map(term('tag')),
    // Brands have no page of their own: the link is the list of their products.
    brands: row.brands.map(({ id, name: label, slug }) => ({
      id,
      name: escapeHtml(say.text(label)),
      slug,
      link: link(urls.shop({ [attributeParameter(brandFacet)]: slug })),
    })),
    attributes: row.attributes.map((attribute) => ({
      id: attribute.id,
      name: escapeHtml(say.text(attribute.name)),
      taxonomy: attribute.id > 0 ? attribute.slug : null,
      has_variations: attribute.forVariations,
      terms: attribute.options.map((option) => ({ ...option, name: escapeHtml(say.text(option.name)) })),
    })),
    variations: row.variations.map(({ id, chosen }) => ({
      id,
      attributes: row.attributes
        .filter(({ forVariations }) => forVariations)
        .map(({ slug, name: label }) => ({ name: escapeHtml(say.text(label)), value: chosen[slug] || null })),
    })),
    grouped_products: [...row.grouped],
    has_options: row.type === 'variable',
    is_purchasable: isSold,
    is_in_stock: isInStock,
    is_on_backorder: row.stock === 'onbackorder',
    low_stock_remaining: lowStockRemaining(settings.lowStockAmount, row),
    stock_availability: { text: availability?.text ?? '', class: availability?.className ?? '' },
    sold_individually: row.soldIndividually,
    weight: row.weightGrams === null ? '' : String(row.weightGrams / 1000),
    dimensions: {
      length: centimetres(row.lengthMm),
      width: centimetres(row.widthMm),
      height: centimetres(row.heightMm),
    },
    formatted_weight: weightText(measured, shop.language),
    formatted_dimensions: dimensionsText(measured, shop.language),
    add_to_cart: addToCart(shop, row, {
      name,
      permalink: permalinkOf(visit, row),
      isBuyable: isSold && isInStock,
      say,
    }),
    is_password_protected: false,
    extensions: {},
  }
}

const centimetres = (millimetres: number | null) => (millimetres === null ? '' : String(millimetres / 10))

/** Returns the absolute address of a product's page; a variation is chosen there. */
export function permalinkOf(
  visit: Visit,
  { pageSlug, chosen }: Pick<StoreProductRow, 'pageSlug' | 'chosen'>,
  options: Readonly<Record<string, string>> = {},
): string {
  const query = Object.entries(chosen).flatMap(([slug, value]) => {
    const option = value || options[slug]
    return option ? [[`attribute_${slug}`, option]] : []
  })
  return visit.app.tools.publicUrl + visit.path(urls.product(encodeURIComponent(pageSlug), Object.fromEntries(query)))
}

/** Returns the remaining pieces where few are left; null otherwise. */
export function lowStockRemaining(
  lowAt: number,
  {
    stockQuantity,
    backorders,
    lowStockAmount,
  }: Pick<StoreProductRow, 'stockQuantity' | 'backorders' | 'lowStockAmount'>,
): number | null {
  if (stockQuantity === null || backorders !== 'no') return null
  return stockQuantity <= (lowStockAmount ?? lowAt) ? Math.max(0, stockQuantity) : null
}

const sharedRegular = ({ type, onSale, regularPrice, maxRegularPrice }: StoreProductRow) =>
  type === 'variable' && onSale && regularPrice === maxRegularPrice ? regularPrice : null

/** Returns the displayed prices; of a variable product the lowest, with its range. */
export function pricesOf(
  shop: ShopContextValue,
  display: DisplayPrice,
  row: Pick<StoreProductRow, 'minPrice' | 'maxPrice' | 'regularPrice' | 'onSale' | 'taxStatus' | 'taxClass' | 'type'>,
): StoreProductRecord['prices'] {
  const { currency } = display(0, row)
  const amount = (entered: number | null) => (entered === null ? '0' : minor(display(entered, row).minor))
  const price = amount(row.minPrice)
  const isRange = row.minPrice !== null && row.maxPrice !== null && row.minPrice !== row.maxPrice
  return {
    ...currencyMembers(shop, currency),
    price,
    regular_price: row.regularPrice === null ? price : amount(row.regularPrice),
    sale_price: price,
    price_range: isRange ? { min_amount: price, max_amount: amount(row.maxPrice) } : null,
  }
}

/** `Colour: Red, Size: M`, without open attributes. */
function variationText(say: Say, { attributes, chosen }: StoreProductRow): string {
  return attributes
    .filter(({ forVariations, slug }) => forVariations && chosen[slug])
    .map(({ slug, name, options }) => {
      const value = chosen[slug] ?? ''
      return `${say.text(name)}: ${say.text(options.find((option) => option.slug === value)?.name ?? value)}`
    })
    .join(', ')
}

function addToCart(
  { t }: ShopContextValue,
  row: StoreProductRow,
  { name, permalink, isBuyable, say }: { name: string; permalink: string; isBuyable: boolean; say: Say },
): StoreProductRecord['add_to_cart'] {
  const counted = row.stockQuantity !== null && row.backorders === 'no'
  const maximum = row.soldIndividually ? 1 : counted ? Math.max(0, row.stockQuantity ?? 0) : mostPieces
  const type = row.type === 'variation' ? 'simple' : row.type
  const { text, label } = buttonTexts({ type, name, buttonText: say.text(row.buttonText) }, isBuyable, t)
  const isAdded = isBuyable && type === 'simple'
  return {
    text,
    description: label,
    url: isAdded ? `?add-to-cart=${row.id}` : type === 'external' ? row.externalUrl : permalink,
    single_text: type === 'external' ? text : t('Add to cart'),
    minimum: 1,
    maximum,
    multiple_of: 1,
  }
}
