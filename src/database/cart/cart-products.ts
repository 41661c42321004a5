import { sql as kyselySql, type RawBuilder, type Transaction } from 'kysely'
import { catalogVersionKey } from '../catalog/catalog-version.ts'
import type { StoredImage } from '../catalog/product-rows.ts'
import type { Database } from '../engine/connect.ts'
import type { Fragment, Sql } from '../engine/driver/sql.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** A product or variation with all that a cart line needs. A variation inherits missing values from its parent. */
export type CartProduct = {
  id: number
  /** Set for a variation. */
  parentId: number | null
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  /** The name of the product with the page: a variation has its parent's. */
  name: string
  slug: string
  sku: string
  /** The stricter status of the variation and its parent. */
  status: 'publish' | 'private' | 'draft' | 'trash'
  /** Whole minor units, as the merchant entered them. Null: no price, so it cannot be bought. */
  regularPrice: number | null
  salePrice: number | null
  saleFrom: Date | null
  saleTo: Date | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
  /** The product whose stock is managed; null: unmanaged, and `stockStatus` decides. */
  stockOwner: number | null
  stockQuantity: number | null
  /** Quantity of the stock owner that other visitors' unpaid orders reserve. */
  reservedByOthers: number
  backorders: 'no' | 'notify' | 'yes'
  stockStatus: 'instock' | 'outofstock' | 'onbackorder'
  soldIndividually: boolean
  virtual: boolean
  downloadable: boolean
  /** Requires a saved payment method, even if nothing is due yet. */
  keepsMethod: boolean
  weightGrams: number | null
  lengthMm: number | null
  widthMm: number | null
  heightMm: number | null
  shippingClass: string
  /** Including all ancestor categories. */
  categoryIds: readonly number[]
  image: StoredImage | null
  attributes: readonly {
    slug: string
    label: string
    forVariations: boolean
    options: readonly { value: string; label: string }[]
  }[]
  /** The attributes of a variation: attribute slug → value, '' for any. Empty for other products. */
  chosen: Readonly<Record<string, string>>
}

export type OwnReservations = {
  /** The order and session whose own reservations do not count. */
  readonly orderId?: number | null
  readonly sessionId?: string | null
}

/** The values of a product that change with every order. */
type Availability = Pick<CartProduct, 'stockQuantity' | 'stockStatus' | 'reservedByOthers'>

/** A cached product. */
type Remembered = {
  readonly asOf: string
  readonly product: Omit<CartProduct, keyof Availability>
}

/** Cached products by connection pool. The oldest entry is evicted first. */
const memories = new WeakMap<Database, Map<number, Remembered>>()
const maxCacheEntries = 2_000

/**
 * Reads products and variations by id in one round trip; in two if one is not cached or has changed. Unknown ids are
 * left out. Each call reads the current version of every row: only unchanged products come from the cache.
 */
export async function productsForCart(
  db: Database,
  ids: readonly number[],
  now: Date,
  own: OwnReservations = {},
): Promise<Map<number, CartProduct>> {
  if (ids.length === 0) return new Map()
  const memory = memories.get(db) ?? new Map<number, Remembered>()
  memories.set(db, memory)
  if (!ids.every((id) => memory.has(id))) return readProducts(db, memory, ids, now, own)

  const products = new Map<number, CartProduct>()
  for (const { id, asOf, ...availability } of await db.sql<
    PresentProduct[]
  >`${present(fragments(db.sql), ids, now, own)}`) {
    const known = memory.get(id)
    if (known?.asOf !== asOf) return readProducts(db, memory, ids, now, own)
    products.set(id, made({ ...known.product, ...availability }, asOf))
  }
  return products
}

/** The row version of each product. */
const rowVersions = new WeakMap<CartProduct, string>()

function made(product: CartProduct, asOf: string): CartProduct {
  rowVersions.set(product, asOf)
  return product
}

/** Returns the versions of products, for comparison with `currentProductVersions`. */
export function versionsOf(products: ReadonlyMap<number, CartProduct>): Map<number, string> {
  return new Map([...products].flatMap(([id, product]) => [[id, rowVersions.get(product) ?? '']]))
}

/** Reads the current versions of products, in a transaction that relies on cached ones. */
export async function currentProductVersions(
  tx: Transaction<Schema>,
  ids: readonly number[],
  now: Date,
): Promise<Map<number, PresentProduct>> {
  if (ids.length === 0) return new Map()
  const { rows } = await present(builders, ids, now, {}).execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

export type PresentProduct = Availability & { readonly id: number; readonly asOf: string }

/** A template tag for SQL of either interface, Kysely or the driver. */
type Tag<Fragment> = (
  text: TemplateStringsArray,
  ...values: (Fragment | number[] | Date | string | number | null)[]
) => Fragment
const fragments = (sql: Sql) => sql as never as Tag<Fragment>
const builders = kyselySql as never as Tag<RawBuilder<PresentProduct>>

/**
 * Returns the version of a product: a digest of the columns of its row and its page's row that go into a `CartProduct`.
 * A sale changes the row, but not the version. Other tables (images, categories, attributes) change together with the
 * catalog version.
 */
const version = <Fragment>(sql: Tag<Fragment>): Fragment => sql`concat_ws(' ',
  hash_record_extended(row(p.parent_id, p.type, p.sku, p.status, p.regular_price, p.sale_price, p.sale_from, p.sale_to,
    p.tax_class, p.manage_stock, p.backorders, p.virtual, p.downloadable, p.keeps_method, p.weight_grams, p.length_mm,
    p.width_mm, p.height_mm, p.shipping_class,
    case when p.manage_stock <> 'yes' and page.manage_stock <> 'yes' then p.stock_status end), 0),
  hash_record_extended(row(page.name, page.slug, page.sku, page.status, page.tax_status, page.tax_class, page.manage_stock,
    page.backorders, page.sold_individually, page.keeps_method, page.weight_grams, page.length_mm, page.width_mm,
    page.height_mm, page.shipping_class), 0),
  (select value from settings where key = ${catalogVersionKey}))`

function present<Fragment>(
  sql: Tag<Fragment>,
  ids: readonly number[],
  now: Date,
  { orderId = null, sessionId = null }: OwnReservations,
): Fragment {
  return sql`
    select p.id, ${version(sql)} as "asOf", p.stock_status as "stockStatus",
      case when p.manage_stock = 'yes' then p.stock_quantity
        when page.manage_stock = 'yes' then page.stock_quantity end as "stockQuantity",
      coalesce((
        select sum(r.quantity) from stock_reservations r join orders o on o.id = r.order_id
        where r.product_id = case when p.manage_stock = 'yes' then p.id else page.id end
          and (p.manage_stock = 'yes' or page.manage_stock = 'yes') and r.expires_at > ${now}::timestamptz
          and r.order_id is distinct from ${orderId}::bigint and o.session_id is distinct from ${sessionId}::text
      ), 0)::int as "reservedByOthers"
    from products p
    join products page on page.id = coalesce(p.parent_id, p.id)
    where p.id = any((select ${[...ids]}::bigint[])::bigint[])`
}

async function readProducts(
  { sql }: Database,
  memory: Map<number, Remembered>,
  ids: readonly number[],
  now: Date,
  { orderId = null, sessionId = null }: OwnReservations,
): Promise<Map<number, CartProduct>> {
  // Sale dates travel as they are, the rest as JSON: one row per product, in its final shape. A subquery hides the list
  // of ids: its length would make PostgreSQL plan this again for every cart, which takes five times as long as
  // execution.
  const rows = await sql<
    ({
      facts: Omit<CartProduct, 'saleFrom' | 'saleTo' | keyof Availability>
      saleFrom: Date | null
      saleTo: Date | null
      asOf: string
    } & Availability)[]
  >`
    select p.sale_from as "saleFrom", p.sale_to as "saleTo", coalesce(held.quantity, 0)::int as "reservedByOthers",
      ${version(fragments(sql))} as "asOf", owner.stock_quantity as "stockQuantity", p.stock_status as "stockStatus",
      json_build_object(
      'id', p.id,
      'parentId', p.parent_id,
      'type', p.type,
      'name', page.name,
      'slug', page.slug,
      'sku', coalesce(p.sku, page.sku, ''),
      'status', case when page.status <> 'publish' then page.status else p.status end,
      'regularPrice', p.regular_price,
      'salePrice', p.sale_price,
      'taxStatus', page.tax_status,
      'taxClass', case when p.tax_class <> '' then p.tax_class else page.tax_class end,
      'stockOwner', owner.id,
      'backorders', coalesce(owner.backorders, p.backorders),
      'soldIndividually', page.sold_individually,
      'virtual', p.virtual,
      'downloadable', p.downloadable,
      'keepsMethod', p.keeps_method or page.keeps_method,
      'weightGrams', coalesce(p.weight_grams, page.weight_grams),
      'lengthMm', coalesce(p.length_mm, page.length_mm),
      'widthMm', coalesce(p.width_mm, page.width_mm),
      'heightMm', coalesce(p.height_mm, page.height_mm),
      'shippingClass', case when p.shipping_class <> '' then p.shipping_class else page.shipping_class end,
      'categoryIds', coalesce(filed.ids, '[]'),
      'image', coalesce(own_image.image, page_image.image),
      'attributes', coalesce(attributes.list, '[]'),
      'chosen', coalesce(chosen.list, '{}')
    ) as facts
    from products p
    join products page on page.id = coalesce(p.parent_id, p.id)
    left join products owner on owner.manage_stock = 'yes'
      and owner.id = case when p.manage_stock = 'yes' then p.id else page.id end
    left join lateral (
      select sum(r.quantity) as quantity from stock_reservations r join orders o on o.id = r.order_id
      where r.product_id = owner.id and r.expires_at > ${now}::timestamptz
        and r.order_id is distinct from ${orderId}::bigint and o.session_id is distinct from ${sessionId}::text
    ) held on true
    left join lateral (
      with recursive above as (
        select c.id, c.parent_id from product_categories pc join categories c on c.id = pc.category_id
        where pc.product_id = page.id
        union select c.id, c.parent_id from above join categories c on c.id = above.parent_id
      )
      select json_agg(id order by id) as ids from above
    ) filed on true
    left join lateral (
      select json_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
        'placeholder', i.placeholder, 'widths', i.widths, 'avif', i.sizes <> 'first') as image
      from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id order by pi.position limit 1
    ) own_image on true
    left join lateral (
      select json_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
        'placeholder', i.placeholder, 'widths', i.widths, 'avif', i.sizes <> 'first') as image
      from product_images pi join images i on i.id = pi.image_id where pi.product_id = page.id order by pi.position limit 1
    ) page_image on own_image.image is null
    left join lateral (
      select json_agg(json_build_object('slug', a.slug, 'label', a.name, 'forVariations', a.for_variations,
        'options', (
          select coalesce(json_agg(json_build_object('value', option.value, 'label', coalesce(term.name, option.value))
            order by option.nr), '[]')
          from unnest(a.options) with ordinality as option (value, nr)
          left join attribute_terms term on term.attribute_id = a.attribute_id and term.slug = option.value
        )) order by a.position) as list
      from product_attributes a where a.product_id = page.id
    ) attributes on p.type in ('variation', 'variable')
    left join lateral (
      select json_object_agg(v.slug, v.value) as list from variation_attributes v where v.product_id = p.id
    ) chosen on p.type = 'variation'
    where p.id = any((select ${[...ids]}::bigint[])::bigint[])`
  const products = new Map<number, CartProduct>()
  for (const { facts, saleFrom, saleTo, asOf, ...availability } of rows) {
    const product = { ...facts, saleFrom, saleTo }
    memory.delete(facts.id)
    memory.set(facts.id, { asOf, product })
    products.set(facts.id, made({ ...product, ...availability }, asOf))
  }
  for (const oldest of memory.keys()) {
    if (memory.size <= maxCacheEntries) break
    memory.delete(oldest)
  }
  return products
}
