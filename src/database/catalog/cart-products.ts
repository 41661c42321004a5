import type postgres from 'postgres'
import type { Database } from '../connect.ts'
import type { StoredImage } from './product-rows.ts'
import { catalogVersionKey } from './version.ts'

/** A product or variation with all that a cart line asks of it. What a variation leaves open comes from its parent. */
export type CartProduct = {
  id: number
  /** Set for a variation. */
  parentId: number | null
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  /** Of the product that has the page: a variation's is its parent's. */
  name: string
  slug: string
  sku: string
  /** The stricter one of the variation's own and its parent's. */
  status: 'publish' | 'private' | 'draft' | 'trash'
  /** Whole minor units, as the merchant entered them. Null: none, so it cannot be bought. */
  regularPrice: number | null
  salePrice: number | null
  saleFrom: Date | null
  saleTo: Date | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
  /** The product whose pieces are counted; null: nobody counts, and `stockStatus` decides. */
  stockOwner: number | null
  stockQuantity: number | null
  /** Pieces of the stock owner that unpaid orders other than the visitor's own hold. */
  reservedByOthers: number
  backorders: 'no' | 'notify' | 'yes'
  stockStatus: 'instock' | 'outofstock' | 'onbackorder'
  soldIndividually: boolean
  virtual: boolean
  downloadable: boolean
  /** Bought only with a way to pay that is kept, also when nothing is due yet. */
  keepsMethod: boolean
  weightGrams: number | null
  lengthMm: number | null
  widthMm: number | null
  heightMm: number | null
  shippingClass: string
  /** With all categories above them. */
  categoryIds: readonly number[]
  image: StoredImage | null
  attributes: readonly {
    slug: string
    label: string
    forVariations: boolean
    options: readonly { value: string; label: string }[]
  }[]
  /** What fixes the variation: attribute slug → value, '' for any. Empty for other products. */
  chosen: Readonly<Record<string, string>>
}

export type OwnReservations = {
  /** The order and the session whose own reservations do not count against them. */
  readonly orderId?: number | null
  readonly sessionId?: string | null
}

/** A product as it was read last, without what changes with every order. */
type Remembered = {
  readonly asOf: string
  readonly product: Omit<CartProduct, 'reservedByOthers'>
  /** As it was when somebody last asked. */
  reservedByOthers: number
}

/** What is known of products, by the pool that they were read through. Who came first leaves first. */
const memories = new WeakMap<Database, Map<number, Remembered>>()
const mostRemembered = 2_000

/**
 * Products and variations by id, in one round trip whatever their number; in two when one of them is new or has changed.
 * Ids that are not there are left out. The rows are asked each time which version of them is the present one: only what has
 * not changed since comes from memory.
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
  for (const { id, asOf, reservedByOthers } of await readVersions(db, ids, now, own)) {
    const known = memory.get(id)
    if (known?.asOf !== asOf) return readProducts(db, memory, ids, now, own)
    known.reservedByOthers = reservedByOthers
    products.set(id, { ...known.product, reservedByOthers })
  }
  return products
}

/** Products from memory. Nothing may be told or kept of them before `stillHolds` has been asked with the writing. */
export type RecalledProducts = {
  readonly products: ReadonlyMap<number, CartProduct>
  /** A condition for a statement: these products are in the database as they are here. */
  readonly stillHolds: postgres.Fragment
}

/** What is remembered of products, without a round trip; null when one of them is not, or none is asked for. */
export function recallProducts(
  db: Database,
  ids: readonly number[],
  now: Date,
  own: OwnReservations = {},
): RecalledProducts | null {
  const memory = memories.get(db)
  if (!memory) return null
  const products = new Map<number, CartProduct>()
  const seen: string[] = []
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const known = memory.get(id)
    if (!known) return null
    products.set(id, { ...known.product, reservedByOthers: known.reservedByOthers })
    seen.push(`${id} ${known.asOf} ${known.reservedByOthers}`)
  }
  if (seen.length === 0) return null
  const { sql } = db
  const stillHolds = sql`(
    select string_agg(concat_ws(' ', id, "asOf", "reservedByOthers"), ',' order by id)
    from (${versions(sql, [...products.keys()], now, own)}) present
  ) = ${seen.join(',')}`
  return { products, stillHolds }
}

type Version = { readonly id: number; readonly asOf: string; readonly reservedByOthers: number }

/**
 * Which version of products is the present one. `xmin` is another one after each change of a row, whoever made it; what
 * stands in other tables (pictures, categories, attributes) changes together with the catalogue's version.
 */
function readVersions({ sql }: Database, ids: readonly number[], now: Date, own: OwnReservations): Promise<Version[]> {
  return sql<Version[]>`${versions(sql, ids, now, own)}`
}

function versions(
  sql: postgres.Sql,
  ids: readonly number[],
  now: Date,
  { orderId = null, sessionId = null }: OwnReservations,
): postgres.Fragment {
  return sql`
    select p.id, concat_ws(' ', p.xmin, page.xmin, (select value from settings where key = ${catalogVersionKey})) as "asOf",
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
  // The dates of a sale travel as they are, the rest as JSON: one row per product, already in its final shape.
  // The list of ids is hidden in a subquery: seen, its length would make PostgreSQL plan this anew for every cart, which
  // takes five times as long as carrying it out.
  const rows = await sql<
    {
      facts: Omit<CartProduct, 'saleFrom' | 'saleTo' | 'reservedByOthers'>
      saleFrom: Date | null
      saleTo: Date | null
      asOf: string
      reservedByOthers: number
    }[]
  >`
    select p.sale_from as "saleFrom", p.sale_to as "saleTo", coalesce(held.quantity, 0)::int as "reservedByOthers",
      concat_ws(' ', p.xmin, page.xmin, (select value from settings where key = ${catalogVersionKey})) as "asOf",
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
      'stockQuantity', owner.stock_quantity,
      'backorders', coalesce(owner.backorders, p.backorders),
      'stockStatus', p.stock_status,
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
        'placeholder', i.placeholder, 'widths', i.widths) as image
      from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id order by pi.position limit 1
    ) own_image on true
    left join lateral (
      select json_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
        'placeholder', i.placeholder, 'widths', i.widths) as image
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
  for (const { facts, saleFrom, saleTo, asOf, reservedByOthers } of rows) {
    const product = { ...facts, saleFrom, saleTo }
    memory.delete(facts.id)
    memory.set(facts.id, { asOf, product, reservedByOthers })
    products.set(facts.id, { ...product, reservedByOthers })
  }
  for (const oldest of memory.keys()) {
    if (memory.size <= mostRemembered) break
    memory.delete(oldest)
  }
  return products
}
