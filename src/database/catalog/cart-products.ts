import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import type { StoredImage } from './product-rows.ts'

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

/** Products and variations by id, in one round trip whatever their number. Ids that are not there are left out. */
export async function productsForCart(
  db: Kysely<Schema>,
  ids: readonly number[],
  now: Date,
  { orderId = null, sessionId = null }: OwnReservations = {},
): Promise<Map<number, CartProduct>> {
  if (ids.length === 0) return new Map()
  // The dates of a sale travel as they are, the rest as JSON: one row per product, already in its final shape.
  // The list of ids is hidden in a subquery: seen, its length would make PostgreSQL plan this anew for every cart, which
  // takes five times as long as carrying it out.
  const { rows } = await sql<{
    facts: Omit<CartProduct, 'saleFrom' | 'saleTo'>
    saleFrom: Date | null
    saleTo: Date | null
  }>`
    select p.sale_from as "saleFrom", p.sale_to as "saleTo", json_build_object(
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
      'reservedByOthers', coalesce(held.quantity, 0),
      'backorders', coalesce(owner.backorders, p.backorders),
      'stockStatus', p.stock_status,
      'soldIndividually', page.sold_individually,
      'virtual', p.virtual,
      'downloadable', p.downloadable,
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
    where p.id = any((select ${[...ids]}::bigint[])::bigint[])`.execute(db)
  return new Map(rows.map(({ facts, saleFrom, saleTo }) => [facts.id, { ...facts, saleFrom, saleTo }]))
}
