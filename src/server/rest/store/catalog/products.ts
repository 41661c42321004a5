import { z } from 'zod'
import { storeProduct, storeProductInput, storeProductsInput } from '#contract/catalog/store-products.ts'
import { numberIn } from '#contract/shared/number-text.ts'
import { catalogVersionNow } from '#database/catalog/product-rows.ts'
import { productIdBySlug, storeProducts, storeRowsKeptMs } from '#database/catalog/store-products.ts'
import { cachedCatalog } from '#shop/catalog/cached-catalog.ts'
import { listStoreProducts } from '#shop/catalog/listing/store-listing.ts'
import { displayPrices } from '#shop/catalog/read-product-prices.ts'
import type { Visit } from '../../../http/visit.ts'
import { pagingHeaders } from '../../pagination-headers.ts'
import { storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { productRecords } from './product-record.ts'

type Query = (typeof storeProductsInput)['_output']

/** `products` */
export const storeProductsCall = storeCall({
  name: 'products',
  method: 'GET',
  summary: 'List products',
  tag: 'products',
  about: 'catalogue',
  input: storeProductsInput,
  output: z.array(storeProduct),
  async answer({ visit }, query) {
    const { page, per_page: perPage, offset } = query
    const { records, total } = await listed(visit, query)
    return { body: records, headers: pagingHeaders(visit, { page, perPage, total, offset }) }
  },
})

/** `products/<id or slug>`, also of a variation by its id. */
export const storeProductCall = storeCall({
  name: 'products/:id',
  members: { id: /^[^/\0]{1,200}$/ },
  method: 'GET',
  summary: 'Read a product by its id or slug',
  tag: 'products',
  about: 'catalogue',
  input: storeProductInput,
  output: storeProduct,
  async answer({ visit, tools }, { id: named }) {
    const { sql } = tools.db
    const id = numberIn(named) ?? (await productIdBySlug(sql, named))
    const { rows } = id === null ? { rows: [] } : await storeProducts(sql, [id], visit.now)
    const [record] = await productRecords(visit, rows)
    if (!record) throw new StoreError(404, 'woocommerce_rest_product_invalid_id', 'Invalid product ID.')
    return { body: record }
  },
})

type Listed = { readonly records: readonly unknown[]; readonly total: number }
type Kept = { readonly version: number; readonly at: number; readonly listed: Promise<Listed> }

/**
 * Lists of the last seconds by their query. The key's objects are new after a change of settings, taxes, exchange rates
 * or translations.
 */
const lists = new WeakMap<object, WeakMap<object, Map<string, Kept>>>()
const mostLists = 300

/** Returns one page; the same query is answered once per catalog version, for a few seconds. */
async function listed(visit: Visit, query: Query): Promise<Listed> {
  const { tools } = visit.app
  const display = displayPrices(tools)
  const [version, translator] = await Promise.all([catalogVersionNow(tools.db.sql), tools.translator()])
  const byDisplay = lists.get(display) ?? new WeakMap<object, Map<string, Kept>>()
  lists.set(display, byDisplay)
  const memory = byDisplay.get(translator) ?? new Map<string, Kept>()
  byDisplay.set(translator, memory)
  const key = JSON.stringify(query)
  const now = visit.now.getTime()
  const known = memory.get(key)
  if (known && known.version === version && now - known.at >= 0 && now - known.at < storeRowsKeptMs) return known.listed
  const made = { version, at: now, listed: list(visit, query, version) }
  memory.delete(key)
  memory.set(key, made)
  // A failure must not be cached.
  made.listed.catch(() => memory.delete(key))
  for (const oldest of memory.keys()) {
    if (memory.size <= mostLists) break
    memory.delete(oldest)
  }
  return made.listed
}

async function list(visit: Visit, query: Query, version: number): Promise<Listed> {
  const { tools } = visit.app
  const catalog = await cachedCatalog(tools, version)
  const { ids, total } = await listStoreProducts(tools, catalog, query, displayPrices(tools))
  const { rows } = await storeProducts(tools.db.sql, ids, visit.now)
  return { records: await productRecords(visit, rows), total }
}
