import { lookup } from 'node:dns/promises'
import type { V3Product, V3ProductsInput } from '#contract/catalog/v3-products.ts'
import type { V3Variation } from '#contract/catalog/v3-variations.ts'
import { priceIn, slugOf } from '#contract/import/product-csv-cells.ts'
import { momentIn } from '#contract/shared/rest-moment.ts'
import { findRestProducts, type RestProductFilter, type RestProductRow } from '#database/catalog/rest-products.ts'
import { displayPrices } from '#shop/catalog/read-product-prices.ts'
import { type MetaChoice, restPrice, restProduct, restVariation } from '#shop/catalog/rest-product.ts'
import type { ProductPlaces } from '#shop/catalog/save/draft-files.ts'
import type { SaveResult } from '#shop/catalog/save/save-product.ts'
import { rowRules } from '#shop/import/product-columns.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { PriceHtml } from '#web/parts/currency/price.tsx'
import type { Application } from '../../../operations/startup/application.ts'
import type { V3Context } from '../resource/v3-call.ts'
import { invalidParam, unknownId, V3Error } from '../resource/v3-error.ts'
import type { V3Links } from '../resource/v3-resource.ts'

/** Folders and name resolution for the images and files of written products. */
export function placesOf({ visit }: V3Context): ProductPlaces {
  return {
    mediaDir: visit.app.mediaFolder,
    downloadsDir: visit.app.downloadsFolder,
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  }
}

/** Returns products as records, in the order of the ids. */
export async function productRecords(
  { tools, shop: readShop }: Pick<Application, 'tools' | 'shop'>,
  ids: readonly number[],
  meta?: MetaChoice,
): Promise<V3Product[]> {
  const [rows, shop] = await Promise.all([findRestProducts(tools.db.kysely, ids), readShop()])
  const display = displayPrices(tools)
  const priceHtml = (row: RestProductRow) => {
    const price = restPrice(row, display)
    return price.kind === 'none' ? '' : renderPart(shop, <PriceHtml price={price} />)
  }
  return rows.map((row) => restProduct(tools, row, { priceHtml: priceHtml(row), meta }))
}

/** Returns one product. @throws V3Error 404 */
export async function productRecord(context: V3Context, id: number): Promise<V3Product> {
  const [record] = await productRecords(context.visit.app, [id])
  if (!record || record.type === 'variation') throw unknownId('product')
  return record
}

/** Returns variations as records, in the order of the ids. */
export async function variationRecords(
  { tools }: V3Context,
  ids: readonly number[],
  meta?: MetaChoice,
): Promise<V3Variation[]> {
  return (await findRestProducts(tools.db.kysely, ids)).map((row) => restVariation(tools, row, meta))
}

/** Returns the id of a saved product. @throws V3Error with the refusal */
export function savedId(result: SaveResult, noun: 'product' | 'product_variation'): number {
  if (result.ok) return result.id
  const { fault } = result
  switch (fault.reason) {
    case 'unknown-product':
      throw unknownId(noun)
    case 'unknown-parent':
      throw unknownId('product', 'Invalid ID: there is no variable product of this id.')
    case 'parameter':
      throw invalidParam(fault.name, fault.problem)
    case 'sku-taken':
      throw new V3Error(400, 'product_invalid_sku', `The SKU (${fault.sku}) is used by another product.`, undefined, {
        resource_id: fault.holder,
        unique_sku: `${fault.sku}-1`,
      })
    case 'image':
      throw new V3Error(400, `woocommerce_${noun}_image_upload_error`, `The image ${fault.source} ${fault.problem}.`)
    case 'file':
      throw invalidParam('downloads', `${fault.source} ${fault.problem}`)
  }
}

type Linked = Pick<V3Product, 'parent_id'> &
  Partial<Pick<V3Product, 'upsell_ids' | 'cross_sell_ids' | 'grouped_products'>>

/** Returns the links of a product or variation besides its own. */
export function productLinks({ parent_id: parent, ...record }: Linked): V3Links {
  const embeddable = (group: string, ids: readonly number[] = []) =>
    ids.map((id) => ({ href: `wc/v3/${group}/${id}`, embeddable: true as const }))
  const links: Record<string, V3Links[string]> = {
    ...(parent ? { up: embeddable('products', [parent]) } : {}),
    upsell: embeddable('products', record.upsell_ids),
    cross_sell: embeddable('products', record.cross_sell_ids),
    grouped: embeddable('products', record.grouped_products),
  }
  return Object.fromEntries(Object.entries(links).filter(([, targets]) => targets.length > 0))
}

type Filters = Pick<
  V3ProductsInput,
  | 'status'
  | 'include_status'
  | 'exclude_status'
  | 'search'
  | 'slug'
  | 'sku'
  | 'search_sku'
  | 'search_name_or_sku'
  | 'global_unique_id'
  | 'after'
  | 'before'
  | 'modified_after'
  | 'modified_before'
  | 'dates_are_gmt'
  | 'include'
  | 'exclude'
  | 'tax_class'
  | 'on_sale'
  | 'min_price'
  | 'max_price'
  | 'stock_status'
  | 'virtual'
  | 'downloadable'
>

/** Returns the filter of the parameters that products and variations share. @throws V3Error 400 */
export function filterOf({ tools: { settings } }: V3Context, asked: Filters): RestProductFilter {
  const moment = (text: string | undefined) =>
    text === undefined ? null : momentIn(text, asked.dates_are_gmt ? 'UTC' : settings.timeZone)
  const price = (name: 'min_price' | 'max_price') => {
    const text = asked[name] ?? ''
    if (text === '') return null
    const read = priceIn(text, rowRules(settings).decimals)
    if ('problem' in read) throw invalidParam(name, read.problem)
    return read.value
  }
  const texts = (list: string | undefined) => (list ?? '').split(',').flatMap((one) => one.trim() || [])
  const statuses = asked.include_status ?? asked.status
  // This shop keeps both as drafts.
  const kept = statuses.flatMap((one) => (one === 'pending' || one === 'future' || one === 'any' ? [] : [one]))
  return {
    kind: 'products',
    types: [],
    withoutTypes: [],
    statuses: statuses.length === 0 || statuses.includes('any') ? null : kept,
    withoutStatuses: asked.exclude_status,
    text: asked.search,
    slug: asked.slug ?? '',
    skus: texts(asked.sku),
    partOfSku: asked.search_sku ?? '',
    partOfNameOrSku: asked.search_name_or_sku ?? '',
    gtins: texts(asked.global_unique_id),
    after: moment(asked.after),
    before: moment(asked.before),
    modifiedAfter: moment(asked.modified_after),
    modifiedBefore: moment(asked.modified_before),
    include: asked.include,
    exclude: asked.exclude,
    parents: [],
    withoutParents: [],
    featured: null,
    onSale: asked.on_sale ?? null,
    virtual: asked.virtual ?? null,
    downloadable: asked.downloadable ?? null,
    hasPrice: null,
    categories: [],
    tags: [],
    brands: [],
    shippingClasses: [],
    attribute: null,
    taxClass: asked.tax_class === undefined || asked.tax_class === '' ? null : taxClassOf(asked.tax_class),
    minPrice: price('min_price'),
    maxPrice: price('max_price'),
    stock: asked.stock_status ?? [],
  }
}

/** The standard class has no slug. */
function taxClassOf(text: string): string {
  const slug = slugOf(text)
  return slug === 'standard' ? '' : slug
}
