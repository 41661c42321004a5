import type { V3Product } from '#contract/catalog/v3-products.ts'
import type { V3Variation } from '#contract/catalog/v3-variations.ts'
import { urls } from '#contract/shared/urls.ts'
import type { RestImage, RestProductRow } from '#database/catalog/rest-products.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { uploadPrefix } from '../content/media-library.ts'
import { localTime } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'
import type { PriceFacts } from './catalog-facts.ts'
import { type DisplayPrice, priceFacts } from './read-product-prices.ts'

type RestTools = Pick<Tools, 'settings' | 'publicUrl'>

/** Restricts the meta data of a record. */
export type MetaChoice = { readonly include: readonly string[]; readonly exclude: readonly string[] }

/** Returns the displayed price of a product or variation. */
export function restPrice(row: RestProductRow, display: DisplayPrice): PriceFacts {
  const prices = {
    regularPrice: row.regular_price,
    minPrice: row.min_price,
    maxPrice: row.max_price,
    onSale: row.on_sale,
    sharedRegular: row.on_sale ? row.shared_regular : null,
    taxStatus: row.parent?.tax_status ?? row.tax_status,
    taxClass: row.tax_class || (row.parent?.tax_class ?? ''),
  }
  return priceFacts(prices, row.type, display)
}

/** Returns a product of the REST API: amounts are decimals of the shop's currency, sizes kilograms and centimetres. */
export function restProduct(
  tools: RestTools,
  row: RestProductRow,
  { priceHtml, meta }: { priceHtml: string; meta?: MetaChoice | undefined },
): V3Product {
  const images = row.images.map((image) => restImage(tools, image, row))
  return {
    id: row.id,
    name: row.name,
    slug: row.parent ? '' : row.slug,
    permalink: permalink(tools, row),
    ...times(tools, row),
    type: row.type,
    status: row.status,
    featured: row.featured,
    catalog_visibility: row.visibility,
    description: row.description,
    short_description: row.short_description,
    ...sellable(tools, row, meta),
    purchasable: isPurchasable(row),
    total_sales: row.total_sales,
    external_url: row.external_url,
    button_text: row.button_text,
    manage_stock: row.manage_stock === 'parent' ? 'parent' : row.manage_stock === 'yes',
    sold_individually: row.sold_individually,
    shipping_required: !row.virtual && row.type !== 'external' && row.type !== 'grouped',
    shipping_taxable: !row.virtual && (row.tax_status === 'taxable' || row.tax_status === 'shipping'),
    reviews_allowed: row.reviews_allowed,
    average_rating: Number(row.average_rating).toFixed(2),
    rating_count: row.rating_count,
    upsell_ids: row.upsells,
    cross_sell_ids: row.crosssells,
    parent_id: row.parent_id ?? 0,
    purchase_note: row.purchase_note,
    categories: row.categories,
    brands: row.brands,
    tags: row.tags,
    images,
    attributes: row.attributes.map(({ id, name, slug, position, visible, variation, options }) => ({
      id,
      name,
      slug,
      position,
      visible,
      variation,
      options: options.map(({ label }) => label),
    })),
    default_attributes: row.attributes.flatMap(({ id, name, preset }) =>
      preset === '' ? [] : [{ id, name, option: preset }],
    ),
    variations: row.type === 'variable' ? row.variations : [],
    grouped_products: row.grouped,
    price_html: priceHtml,
    related_ids: row.related,
    has_options: row.type === 'variable',
  }
}

/** Returns a variation of the REST API. */
export function restVariation(tools: RestTools, row: RestProductRow, meta?: MetaChoice): V3Variation {
  const [image] = row.images
  return {
    id: row.id,
    type: 'variation',
    name: row.name,
    parent_id: row.parent_id ?? 0,
    permalink: permalink(tools, row),
    ...times(tools, row),
    status: row.status,
    description: row.description,
    ...sellable(tools, row, meta),
    purchasable: isPurchasable(row),
    manage_stock: row.manage_stock === 'parent' ? 'parent' : row.manage_stock === 'yes',
    image: image ? restImage(tools, image, row) : null,
    attributes: row.chosen.flatMap(({ id, name, slug, value, label }) =>
      value === '' ? [] : [{ id, name, slug, option: label }],
    ),
  }
}

function sellable({ settings }: RestTools, row: RestProductRow, meta: MetaChoice = { include: [], exclude: [] }) {
  const amount = (minor: number | null) => (minor === null ? '' : decimalString(money(minor, settings.currency)))
  const moments = (name: string, at: Date | null) => [
    [name, at && localTime(at, settings.timeZone)],
    [`${name}_gmt`, at && localTime(at, 'UTC')],
  ]
  const saleDates: Pick<
    V3Product,
    'date_on_sale_from' | 'date_on_sale_from_gmt' | 'date_on_sale_to' | 'date_on_sale_to_gmt'
  > = Object.fromEntries([...moments('date_on_sale_from', row.sale_from), ...moments('date_on_sale_to', row.sale_to)])
  const isVariable = row.type === 'variable' || row.type === 'grouped'
  const [backorders, quantity] =
    row.manage_stock === 'parent' && row.parent
      ? [row.parent.backorders, row.parent.stock_quantity]
      : [row.backorders, row.manage_stock === 'yes' ? row.stock_quantity : null]
  const sizes = [row.length_mm, row.width_mm, row.height_mm].map((mm) => (mm === null ? '' : String(mm / 10)))
  const [length = '', width = '', height = ''] = sizes
  return {
    sku: row.sku ?? '',
    global_unique_id: row.gtin,
    price: amount(row.min_price),
    regular_price: isVariable ? '' : amount(row.regular_price),
    sale_price: isVariable ? '' : amount(row.sale_price),
    ...saleDates,
    on_sale: row.on_sale,
    virtual: row.virtual,
    downloadable: row.downloadable,
    downloads: row.downloads.map(({ id, name, url }) => ({ id, name, file: url })),
    download_limit: row.download_limit ?? -1,
    download_expiry: row.download_expiry_days ?? -1,
    tax_status: row.tax_status,
    tax_class: row.tax_class,
    stock_quantity: quantity,
    stock_status: row.stock_status,
    backorders,
    backorders_allowed: backorders !== 'no',
    backordered: row.stock_status === 'onbackorder',
    low_stock_amount: row.low_stock_amount,
    weight: row.weight_grams === null ? '' : String(row.weight_grams / 1000),
    dimensions: { length, width, height },
    shipping_class: row.shipping_class,
    shipping_class_id: row.shipping_class_id ?? 0,
    menu_order: row.menu_order,
    meta_data: Object.entries(row.meta)
      .filter(([key]) => (meta.include.length === 0 || meta.include.includes(key)) && !meta.exclude.includes(key))
      .map(([key, value], index) => ({ id: index + 1, key, value })),
  }
}

/** A price of 0 is one; a missing price is not. */
function isPurchasable({ type, status, min_price: price, parent }: RestProductRow): boolean {
  const isSold = type === 'simple' || type === 'variable' || type === 'variation'
  return isSold && status === 'publish' && price !== null && (parent === null || parent.status === 'publish')
}

function permalink({ publicUrl }: RestTools, row: RestProductRow): string {
  const slug = encodeURIComponent(row.parent?.slug ?? row.slug)
  const chosen = row.chosen.flatMap(({ slug, value }) => (value === '' ? [] : [[`attribute_${slug}`, value]]))
  return publicUrl + urls.product(slug, Object.fromEntries(chosen))
}

function times({ settings }: RestTools, { created_at: created, updated_at: updated }: RestProductRow) {
  return {
    date_created: localTime(created, settings.timeZone),
    date_created_gmt: localTime(created, 'UTC'),
    date_modified: localTime(updated, settings.timeZone),
    date_modified_gmt: localTime(updated, 'UTC'),
  }
}

/** Returns the address of an image in its largest size; '' while its sizes do not exist. */
export function imageAddress({ publicUrl }: Pick<Tools, 'publicUrl'>, { hash, widths }: RestImage): string {
  const largest = widths.at(-1)
  return largest === undefined ? '' : publicUrl + urls.media(hash, largest, 'webp')
}

/** The shop stores no times of an image: those of the product stand for them. */
function restImage(tools: RestTools, image: RestImage, product: RestProductRow): V3Product['images'][number] {
  return {
    id: image.id,
    ...times(tools, product),
    src: imageAddress(tools, image),
    name: imageName(image),
    alt: image.alt,
  }
}

/** Returns the name of the image's file, without its extension. */
export function imageName({ source }: Pick<RestImage, 'source'>): string {
  const name = source.startsWith(uploadPrefix) ? source.slice(uploadPrefix.length) : (source.split('/').at(-1) ?? '')
  return name.replace(/\.\w{1,5}$/, '') || name
}
