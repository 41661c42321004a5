import type { Sql } from '../engine/driver/sql.ts'
import { type CardRow, cardMembers, imageJson, type StoredImage } from './product-rows.ts'

/** Data for search engines that the page itself does not show. */
export type OfferRow = {
  gtin: string
  shippingClass: string
  /** End of the current price; null: open-ended. */
  saleEnds: string | null
}

export type VariationRow = {
  id: number
  sku: string
  description: string
  regularPrice: number | null
  price: number | null
  onSale: boolean
  taxClass: string
  stock: 'instock' | 'outofstock' | 'onbackorder'
  /** Stock of the variation, or of the parent that manages it. */
  stockQuantity: number | null
  backorders: 'no' | 'notify' | 'yes'
  virtual: boolean
  downloadable: boolean
  weightGrams: number | null
  lengthMm: number | null
  widthMm: number | null
  heightMm: number | null
  chosen: Readonly<Record<string, string>>
  image: StoredImage | null
} & OfferRow

export type ProductPageRow = CardRow &
  OfferRow & {
    visibility: 'visible' | 'catalog' | 'search' | 'hidden'
    description: string
    shortDescription: string
    /** Null: unmanaged. */
    stockQuantity: number | null
    backorders: 'no' | 'notify' | 'yes'
    lowStockAmount: number | null
    weightGrams: number | null
    lengthMm: number | null
    widthMm: number | null
    heightMm: number | null
    images: StoredImage[]
    attributes: {
      slug: string
      label: string
      visible: boolean
      forVariations: boolean
      options: { value: string; label: string }[]
      defaultOption: string
    }[]
    /** By name. */
    brands: { name: string; slug: string }[]
    variationCount: number
    /** Empty if there are more than `inline`. */
    variations: VariationRow[]
    grouped: number[]
    upsells: number[]
    related: number[]
  }

/** Members of a variation `v` of the product `p`, from which it inherits missing values. */
const variationMembers = `
  'id', v.id, 'sku', coalesce(v.sku, p.sku, ''), 'description', v.description,
  'regularPrice', v.regular_price, 'price', v.min_price, 'onSale', v.on_sale,
  'taxClass', case when v.tax_class <> '' then v.tax_class else p.tax_class end,
  'stock', v.stock_status,
  'stockQuantity', case when v.manage_stock = 'yes' then v.stock_quantity when p.manage_stock = 'yes' then p.stock_quantity end,
  'backorders', case when v.manage_stock <> 'yes' and p.manage_stock = 'yes' then p.backorders else v.backorders end,
  'virtual', v.virtual, 'downloadable', v.downloadable,
  'weightGrams', coalesce(v.weight_grams, p.weight_grams), 'lengthMm', coalesce(v.length_mm, p.length_mm),
  'widthMm', coalesce(v.width_mm, p.width_mm), 'heightMm', coalesce(v.height_mm, p.height_mm),
  'gtin', v.gtin, 'shippingClass', coalesce(nullif(v.shipping_class, ''), p.shipping_class),
  'saleEnds', case when v.on_sale then v.sale_to end,
  'chosen', (select coalesce(json_object_agg(a.slug, a.value), '{}') from variation_attributes a where a.product_id = v.id),
  'image', (select ${imageJson} from product_images pi join images i on i.id = pi.image_id
    where pi.product_id in (v.id, p.id) order by pi.product_id = p.id, pi.position limit 1)`

const linked = (kind: string) => `
  (select coalesce(json_agg(l.linked_id order by l.position), '[]') from product_links l
   where l.product_id = p.id and l.kind = '${kind}')`

/**
 * Reads a published product by slug, with everything on its page, in one round trip.
 * @param inline maximum number of included variations
 */
export async function productPage(
  sql: Sql,
  slug: string,
  inline: number,
  related: number,
): Promise<ProductPageRow | null> {
  const rows = await sql<{ product: ProductPageRow }[]>`
    select json_build_object(${sql.unsafe(cardMembers)}) ::jsonb || jsonb_build_object(
      'description', p.description, 'shortDescription', p.short_description, 'visibility', p.visibility,
      'gtin', p.gtin, 'shippingClass', p.shipping_class, 'saleEnds', case when p.on_sale then p.sale_to end,
      'stockQuantity', case when p.manage_stock = 'yes' then p.stock_quantity end,
      'backorders', p.backorders, 'lowStockAmount', p.low_stock_amount,
      'weightGrams', p.weight_grams, 'lengthMm', p.length_mm, 'widthMm', p.width_mm, 'heightMm', p.height_mm,
      'images', (select coalesce(json_agg(${sql.unsafe(imageJson)} order by pi.position), '[]')
        from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id),
      'attributes', (select coalesce(json_agg(json_build_object('slug', a.slug, 'label', a.name, 'visible', a.visible,
          'forVariations', a.for_variations, 'defaultOption', a.default_option, 'options', (
            select coalesce(json_agg(json_build_object('value', option.value, 'label', coalesce(term.name, option.value))
              order by option.nr), '[]')
            from unnest(a.options) with ordinality as option (value, nr)
            left join attribute_terms term on term.attribute_id = a.attribute_id and term.slug = option.value
          )) order by a.position), '[]') from product_attributes a where a.product_id = p.id),
      'brands', (select coalesce(json_agg(json_build_object('name', b.name, 'slug', b.slug) order by b.name, b.id), '[]')
        from product_brands pb join brands b on b.id = pb.brand_id where pb.product_id = p.id),
      'variationCount', counted.number,
      'variations', case when counted.number > ${inline}::int then '[]' else (
        select coalesce(json_agg(json_build_object(${sql.unsafe(variationMembers)}) order by v.menu_order, v.id), '[]')
        from products v where v.parent_id = p.id and v.status = 'publish') end,
      'grouped', ${sql.unsafe(linked('grouped'))},
      'upsells', ${sql.unsafe(linked('upsell'))},
      -- The next products of the same categories by id, then from the start, so that each product links to others.
      'related', (select coalesce(json_agg(near.id order by near.round, near.id), '[]')
        from product_categories mine cross join lateral (
          (select n.id, 1 as round from product_categories other join products n on n.id = other.product_id
           where other.category_id = mine.category_id and other.product_id > p.id
             and n.status = 'publish' and n.visibility in ('visible', 'catalog')
           order by other.product_id limit ${related * 2}::int)
          union all
          (select n.id, 2 from product_categories other join products n on n.id = other.product_id
           where other.category_id = mine.category_id and other.product_id < p.id
             and n.status = 'publish' and n.visibility in ('visible', 'catalog')
           order by other.product_id limit ${related * 2}::int)
        ) near where mine.product_id = p.id)
    ) as product
    from products p
    cross join lateral (
      select count(*) as number from products v where v.parent_id = p.id and v.status = 'publish') counted
    where p.slug = ${slug} and p.status = 'publish' and p.parent_id is null`
  return rows[0]?.product ?? null
}

/**
 * Finds the first published variation, in menu order, that matches the choices: each of its attributes is open or has
 * the given value. `parent` has the values shared with its product.
 */
export async function matchingVariation(
  sql: Sql,
  productId: number,
  chosen: Readonly<Record<string, string>>,
): Promise<{ variation: VariationRow; parent: VariationParent } | null> {
  const rows = await sql<{ variation: VariationRow; parent: VariationParent }[]>`
    select json_build_object(${sql.unsafe(variationMembers)}) as variation,
      json_build_object('soldIndividually', p.sold_individually, 'taxStatus', p.tax_status) as parent
    from products p join products v on v.parent_id = p.id and v.status = 'publish'
    where p.id = ${productId}::bigint and p.status = 'publish' and not exists (
      select from variation_attributes a where a.product_id = v.id and a.value <> ''
        and a.value is distinct from (${JSON.stringify(chosen)}::text::jsonb ->> a.slug))
    order by v.menu_order, v.id limit 1`
  return rows[0] ?? null
}

export type VariationParent = { soldIndividually: boolean; taxStatus: 'taxable' | 'shipping' | 'none' }
