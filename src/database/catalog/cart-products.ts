import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** What a cart must know of one product or variation. Prices are whole minor units; a variation takes what it lacks from its parent. */
export type CartProduct = {
  id: number
  parentId: number | null
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  name: string
  slug: string
  sku: string
  status: 'publish' | 'private' | 'draft' | 'trash'
  regularPrice: number | null
  salePrice: number | null
  saleFrom: Date | null
  saleTo: Date | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
  /** The product that manages the stock, this one or its parent; null when none does. */
  stockOwner: number | null
  /** On hand at the owner; null when not managed. */
  stockQuantity: number | null
  /** Held by unpaid orders of others. */
  reserved: number
  stockStatus: 'instock' | 'outofstock' | 'onbackorder'
  backorders: 'no' | 'notify' | 'yes'
  soldIndividually: boolean
  virtual: boolean
  downloadable: boolean
  weightGrams: number | null
  shippingClass: string
  /** Of the product or its parent, with all ancestors. */
  categoryIds: number[]
  image: { hash: string; width: number; height: number; alt: string; placeholder: string; widths: number[] } | null
  /** What fixes a variation: attribute slug → value, '' for any. Empty for others. */
  fixed: Record<string, string>
  /** The attributes that a variation varies in, in their order, with the words of each option. */
  attributes: { slug: string; label: string; options: { value: string; label: string }[] }[]
}

/**
 * The facts of products and variations by id, in one round trip; ids that do not exist are left out.
 * @param exceptSession the visitor whose own pending orders hold nothing against them
 */
export async function cartProducts(
  db: Kysely<Schema>,
  ids: readonly number[],
  { now, exceptSession }: { now: Date; exceptSession: string },
): Promise<Map<number, CartProduct>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<CartProduct>`
    select p.id, p.parent_id as "parentId", p.type,
      coalesce(parent.name, p.name) as name, coalesce(parent.slug, p.slug) as slug,
      coalesce(p.sku, parent.sku, '') as sku,
      case when parent.status in ('draft', 'trash', 'private') then parent.status else p.status end as status,
      p.regular_price as "regularPrice", p.sale_price as "salePrice", p.sale_from as "saleFrom", p.sale_to as "saleTo",
      p.tax_status as "taxStatus", case when p.tax_class = 'parent' then coalesce(parent.tax_class, '') else p.tax_class end as "taxClass",
      owner.id as "stockOwner", owner.stock_quantity as "stockQuantity", coalesce(held.quantity, 0)::int as reserved,
      coalesce(owner.stock_status, p.stock_status) as "stockStatus", coalesce(owner.backorders, p.backorders) as backorders,
      coalesce(parent.sold_individually, p.sold_individually) as "soldIndividually", p.virtual, p.downloadable,
      coalesce(p.weight_grams, parent.weight_grams) as "weightGrams",
      coalesce(nullif(p.shipping_class, ''), parent.shipping_class, '') as "shippingClass",
      coalesce(filed.ids, '{}') as "categoryIds", picture.facts as image,
      coalesce(fixed.pairs, '{}') as fixed, coalesce(varies.list, '[]') as attributes
    from products p
    left join products parent on parent.id = p.parent_id
    left join products owner on owner.id = case
      when p.manage_stock = 'yes' then p.id
      when p.parent_id is not null and parent.manage_stock = 'yes' then parent.id end
    left join lateral (
      select sum(r.quantity) as quantity from stock_reservations r join orders o on o.id = r.order_id
      where r.product_id = owner.id and r.expires_at > ${now} and o.session_id <> ${exceptSession}
    ) held on true
    left join lateral (
      with recursive up as (
        select c.id, c.parent_id from product_categories pc join categories c on c.id = pc.category_id
        where pc.product_id = coalesce(p.parent_id, p.id)
        union
        select c.id, c.parent_id from categories c join up on c.id = up.parent_id
      ) select array_agg(id) as ids from up
    ) filed on true
    left join lateral (
      select jsonb_build_object('hash', i.hash, 'width', i.width, 'height', i.height, 'alt', i.alt,
        'placeholder', i.placeholder, 'widths', i.widths) as facts
      from product_images pi join images i on i.id = pi.image_id
      where pi.product_id in (p.id, p.parent_id)
      order by (pi.product_id = p.id) desc, pi.position limit 1
    ) picture on true
    left join lateral (
      select jsonb_object_agg(v.slug, v.value) as pairs from variation_attributes v where v.product_id = p.id
    ) fixed on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('slug', a.slug, 'label', a.name, 'options', (
          select coalesce(jsonb_agg(jsonb_build_object('value', o.value, 'label', coalesce(t.name, o.value)) order by o.at), '[]')
          from unnest(a.options) with ordinality as o (value, at)
          left join attribute_terms t on t.attribute_id = a.attribute_id and t.slug = o.value
        )) order by a.position) as list
      from product_attributes a where a.product_id = coalesce(p.parent_id, p.id) and a.for_variations
    ) varies on true
    where p.id = any(${[...new Set(ids)]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The enabled variations of a product in the order in which the first match wins. */
export async function variationsOf(
  db: Kysely<Schema>,
  productId: number,
): Promise<{ id: number; attributes: Record<string, string> }[]> {
  const { rows } = await sql<{ id: number; attributes: Record<string, string> }>`
    select v.id, coalesce((select jsonb_object_agg(a.slug, a.value) from variation_attributes a where a.product_id = v.id), '{}') as attributes
    from products v where v.parent_id = ${productId}::bigint and v.status = 'publish'
    order by v.menu_order, v.id`.execute(db)
  return rows
}
