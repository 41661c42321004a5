import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import { announceChange, announceChanges, mayBeAnnounced } from '../operations/announce-change.ts'

type Tx = Kysely<Schema>

/** Columns that an import may set, with their types: rows travel as one JSON parameter and are decoded by these. */
const columnTypes = {
  parent_id: 'bigint',
  type: 'text',
  sku: 'text',
  gtin: 'text',
  name: 'text',
  status: 'text',
  featured: 'boolean',
  visibility: 'text',
  short_description: 'text',
  description: 'text',
  regular_price: 'bigint',
  sale_price: 'bigint',
  sale_from: 'timestamptz',
  sale_to: 'timestamptz',
  tax_status: 'text',
  tax_class: 'text',
  manage_stock: 'text',
  stock_quantity: 'integer',
  stock_status: 'text',
  low_stock_amount: 'integer',
  backorders: 'text',
  sold_individually: 'boolean',
  keeps_method: 'boolean',
  virtual: 'boolean',
  downloadable: 'boolean',
  downloads: 'jsonb',
  download_limit: 'integer',
  download_expiry_days: 'integer',
  weight_grams: 'integer',
  length_mm: 'integer',
  width_mm: 'integer',
  height_mm: 'integer',
  reviews_allowed: 'boolean',
  purchase_note: 'text',
  shipping_class: 'text',
  external_url: 'text',
  button_text: 'text',
  menu_order: 'integer',
  meta: 'jsonb',
  imported_id: 'bigint',
} as const

export type ProductColumn = keyof typeof columnTypes
export type ProductColumns = Partial<Record<ProductColumn, unknown>>

export type ExistingProduct = {
  id: number
  imported_id: number | null
  sku: string | null
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  name: string
  parent_id: number | null
  manage_stock: 'no' | 'yes' | 'parent'
  stock_quantity: number | null
  stock_status: 'instock' | 'outofstock' | 'onbackorder'
  backorders: 'no' | 'notify' | 'yes'
  regular_price: number | null
  sale_price: number | null
}

/**
 * Finds products by SKU or id. With `lock` it locks them in the order of their ids, with `anyCase` it ignores the case of
 * SKUs.
 * @param importedIds IDs in another shop's file: products imported from it
 */
export async function findProducts(
  tx: Tx,
  skus: readonly string[],
  ids: readonly number[],
  {
    lock = false,
    anyCase = false,
    importedIds = [],
  }: { lock?: boolean; anyCase?: boolean; importedIds?: readonly number[] } = {},
): Promise<ExistingProduct[]> {
  if (skus.length === 0 && ids.length === 0 && importedIds.length === 0) return []
  const { rows } = await sql<ExistingProduct>`
    select id, imported_id, sku, type, name, parent_id, manage_stock, stock_quantity, stock_status, backorders, regular_price, sale_price
    from products
    where ${anyCase ? sql`lower(sku) = any(array(select lower(name) from unnest(${[...skus]}::text[]) as given (name)))` : sql`sku = any(${[...skus]}::text[])`} or id = any(${[...ids]}::bigint[])
      or imported_id = any(${[...importedIds]}::bigint[])
    order by id ${sql.raw(lock ? 'for no key update' : '')}`.execute(tx)
  return rows
}

/** Advances the sequence of product ids past `id`, so that an imported id is never assigned again. */
export async function keepIdsFree(tx: Tx, id: number): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('products', 'id'), greatest(${id}::bigint,
      (select last_value from pg_sequences
       where format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence('products', 'id')::regclass), 1))`.execute(
    tx,
  )
}

export async function newProductIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('products', 'id')) as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns the existing ones of these slugs. */
export async function takenSlugs(tx: Tx, slugs: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    select slug from products where slug = any(${[...slugs]}::text[])`.execute(tx)
  return new Set(rows.map(({ slug }) => slug))
}

/** Inserts all rows with one statement. Every row must have the columns of the first. */
export async function insertProducts(
  tx: Tx,
  rows: readonly (ProductColumns & { id: number; slug: string })[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const columns = columnsOf(rows)
  await sql`
    insert into products (id, slug, created_at, updated_at, ${list(columns)})
    select id, slug, ${now}::timestamptz, ${now}::timestamptz, ${list(columns)}
    from ${recordset(rows, columns, 'slug text,')}`.execute(tx)
  await announceNewProducts(tx, rows)
}

/** Announces new products to webhooks. */
function announceNewProducts(tx: Tx, rows: readonly (ProductColumns & { id: number })[]): Promise<void> {
  // The column's default is `publish`.
  const published = rows.filter(({ status = 'publish' }) => status === 'publish')
  return announceChanges(tx, [
    { topic: 'product.created', ids: rows.map(({ id }) => id) },
    { topic: 'product.published', ids: published.map(({ id }) => id) },
  ])
}

const updateTopics = ['product.updated', 'product.deleted', 'product.restored', 'product.published'] as const

/** Reads the statuses of products before a change, where a webhook may depend on them. */
async function statusesBefore(
  tx: Tx,
  rows: readonly (ProductColumns & { id: number })[],
): Promise<ReadonlyMap<number, string>> {
  if (!mayBeAnnounced(tx, updateTopics) || !rows.some(({ status }) => status !== undefined)) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await sql<{ id: number; status: string }>`
    select id, status from products where id = any(${ids}::bigint[])`.execute(tx)
  return new Map(found.rows.map(({ id, status }) => [id, status]))
}

/** Announces changed products to webhooks: a move into the trash is a deletion. */
function announceChangedProducts(
  tx: Tx,
  changed: readonly number[],
  rows: readonly (ProductColumns & { id: number })[],
  before: ReadonlyMap<number, string>,
): Promise<void> {
  const after = new Map(rows.map(({ id, status }) => [id, status]))
  const topics = changed.flatMap((id): { topic: (typeof updateTopics)[number]; id: number }[] => {
    const [was, is] = [before.get(id), after.get(id)]
    if (is === undefined || was === is) return [{ topic: 'product.updated', id }]
    if (is === 'trash') return [{ topic: 'product.deleted', id }]
    return [
      { topic: was === 'trash' ? 'product.restored' : 'product.updated', id },
      ...(is === 'publish' ? [{ topic: 'product.published', id } as const] : []),
    ]
  })
  return announceChanges(
    tx,
    updateTopics.map((topic) => ({ topic, ids: topics.filter((one) => one.topic === topic).map(({ id }) => id) })),
  )
}

/**
 * Updates the given columns where they differ; `meta` is merged, not replaced. Every row must have the columns of the
 * first.
 * @returns the ids of the changed rows
 */
export async function updateProducts(
  tx: Tx,
  rows: readonly (ProductColumns & { id: number })[],
  now: Date,
): Promise<number[]> {
  const columns = rows.length === 0 ? [] : columnsOf(rows)
  if (columns.length === 0) return []
  const fresh = columns.map((column) => (column === 'meta' ? 'p.meta || fresh.meta' : `fresh.${column}`))
  const before = await statusesBefore(tx, rows)
  const { rows: changed } = await sql<{ id: number }>`
    update products p set updated_at = ${now}::timestamptz,
      ${sql.raw(columns.map((column, index) => `${column} = ${fresh[index]}`).join(', '))}
    from ${recordset(rows, columns, '', 'fresh')}
    where p.id = fresh.id
      and row(${sql.raw(columns.map((column) => `p.${column}`).join(', '))}) is distinct from row(${sql.raw(fresh.join(', '))})
    returning p.id`.execute(tx)
  const ids = changed.map(({ id }) => id)
  await announceChangedProducts(tx, ids, rows, before)
  return ids
}

export async function recordStockCounts(
  tx: Tx,
  counts: readonly { productId: number; change: number }[],
  now: Date,
): Promise<void> {
  if (counts.length === 0) return
  await sql`
    insert into stock_movements (product_id, change, kind, at)
    select product_id, change, 'counted', ${now}::timestamptz
    from unnest(${counts.map(({ productId }) => productId)}::bigint[], ${counts.map(({ change }) => change)}::int[])
      as count (product_id, change)`.execute(tx)
}

/** Updates the modification time of products of which only categories, images or links changed. */
export async function touchProducts(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`update products set updated_at = ${now}::timestamptz where id = any(${[...ids]}::bigint[])`.execute(tx)
  await announceChange(tx, 'product.updated', ...ids)
}

function columnsOf(rows: readonly ProductColumns[]): ProductColumn[] {
  const first = rows[0] ?? {}
  // Only names of the table above: they become part of the statement.
  return (Object.keys(columnTypes) as ProductColumn[]).filter((column) => Object.hasOwn(first, column))
}

const list = (columns: readonly string[]) => sql.raw(columns.join(', '))

function recordset(rows: readonly object[], columns: readonly ProductColumn[], more = '', name = 'given') {
  const types = columns.map((column) => `${column} ${columnTypes[column]}`).join(', ')
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as ${sql.raw(`${name} (id bigint, ${more} ${types})`)}`
}
