import type { Sql } from '../engine/driver/sql.ts'
import { catalogVersionNow, imageJson, type StoredImage } from './product-rows.ts'

/** An image with its id in the media library. */
export type StoreImage = StoredImage & { readonly id: number; readonly name: string }

/** A published product or variation as the Store API describes it. A variation inherits missing values. */
export type StoreProductRow = {
  id: number
  /** 0: it has a page of its own. */
  parentId: number
  type: 'simple' | 'variable' | 'variation' | 'grouped' | 'external'
  name: string
  slug: string
  /** Slug of the page. */
  pageSlug: string
  sku: string
  visibility: 'visible' | 'catalog' | 'search' | 'hidden'
  featured: boolean
  shortDescription: string
  description: string
  /** Whole minor units as entered; of a variable or grouped product the lowest. */
  regularPrice: number | null
  minPrice: number | null
  maxPrice: number | null
  maxRegularPrice: number | null
  onSale: boolean
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
  stock: 'instock' | 'outofstock' | 'onbackorder'
  /** Null: not managed. */
  stockQuantity: number | null
  backorders: 'no' | 'notify' | 'yes'
  lowStockAmount: number | null
  soldIndividually: boolean
  virtual: boolean
  weightGrams: number | null
  lengthMm: number | null
  widthMm: number | null
  heightMm: number | null
  averageRating: number
  ratingCount: number
  externalUrl: string
  buttonText: string
  categoryIds: readonly number[]
  tags: readonly { id: number; name: string; slug: string }[]
  brands: readonly { id: number; name: string; slug: string }[]
  images: readonly StoreImage[]
  attributes: readonly {
    /** 0: only this product has it. */
    id: number
    slug: string
    name: string
    forVariations: boolean
    options: readonly { id: number; slug: string; name: string; default: boolean }[]
  }[]
  /** Attribute slug → value of a variation, '' for any. */
  chosen: Readonly<Record<string, string>>
  variations: readonly { id: number; chosen: Readonly<Record<string, string>> }[]
  grouped: readonly number[]
}

type Kept = { readonly version: number; readonly readAt: number; readonly row: StoreProductRow }

/** Rows by connection pool. The oldest entry is evicted first. */
const memories = new WeakMap<Sql, Map<number, Kept>>()
const maxEntries = 2_000
/** Stock counts change without a new catalog version. */
export const storeRowsKeptMs = 5_000

/**
 * Reads published products and variations by id, in the order of the ids; unknown ids are left out. A cached row is at
 * most five seconds older than its stock, and never older than the catalog version.
 * @param known the catalog version that the caller has just read
 */
export async function storeProducts(
  sql: Sql,
  ids: readonly number[],
  now: Date,
  known?: number,
): Promise<{ version: number; rows: StoreProductRow[] }> {
  const memory = memories.get(sql) ?? new Map<number, Kept>()
  memories.set(sql, memory)
  const version = known ?? (await catalogVersionNow(sql))
  const since = now.getTime() - storeRowsKeptMs
  const current = (id: number) => {
    const kept = memory.get(id)
    return kept && kept.version === version && kept.readAt >= since && kept.readAt <= now.getTime() ? kept.row : null
  }
  const missing = [...new Set(ids)].filter((id) => current(id) === null)
  const found = new Map<number, StoreProductRow>()
  for (const id of ids) {
    const row = current(id)
    if (row) found.set(id, row)
  }
  for (const row of missing.length > 0 ? await readRows(sql, missing) : []) {
    memory.delete(row.id)
    memory.set(row.id, { version, readAt: now.getTime(), row })
    found.set(row.id, row)
  }
  for (const oldest of memory.keys()) {
    if (memory.size <= maxEntries) break
    memory.delete(oldest)
  }
  return { version, rows: ids.flatMap((id) => found.get(id) ?? []) }
}

/** Returns the id of a published product by the slug of its page; null without one. */
export async function productIdBySlug(sql: Sql, slug: string): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from products where slug = ${slug} and status = 'publish' and parent_id is null`
  return row?.id ?? null
}

const image = `(${imageJson})::jsonb || jsonb_build_object('id', i.id, 'name', regexp_replace(i.source, '^.*/', ''))`

async function readRows(sql: Sql, ids: readonly number[]): Promise<StoreProductRow[]> {
  const rows = await sql<{ row: StoreProductRow }[]>`
    select jsonb_build_object(
      'id', p.id, 'parentId', coalesce(p.parent_id, 0), 'type', p.type, 'name', page.name, 'slug', p.slug,
      'pageSlug', page.slug, 'sku', coalesce(p.sku, page.sku, ''), 'visibility', page.visibility,
      'featured', page.featured,
      'shortDescription', page.short_description,
      'description', coalesce(nullif(p.description, ''), page.description),
      'regularPrice', coalesce(p.regular_price, below.lowest), 'maxRegularPrice', coalesce(p.regular_price, below.highest),
      'minPrice', p.min_price, 'maxPrice', p.max_price, 'onSale', p.on_sale,
      'taxStatus', page.tax_status, 'taxClass', coalesce(nullif(p.tax_class, ''), page.tax_class),
      'stock', p.stock_status) || jsonb_build_object(
      'stockQuantity', case when p.manage_stock = 'yes' then p.stock_quantity
        when page.manage_stock = 'yes' then page.stock_quantity end,
      'backorders', case when p.manage_stock <> 'yes' and page.manage_stock = 'yes' then page.backorders else p.backorders end,
      'lowStockAmount', coalesce(p.low_stock_amount, page.low_stock_amount),
      'soldIndividually', page.sold_individually, 'virtual', p.virtual,
      'weightGrams', coalesce(p.weight_grams, page.weight_grams), 'lengthMm', coalesce(p.length_mm, page.length_mm),
      'widthMm', coalesce(p.width_mm, page.width_mm), 'heightMm', coalesce(p.height_mm, page.height_mm),
      'averageRating', page.average_rating, 'ratingCount', page.rating_count,
      'externalUrl', p.external_url, 'buttonText', p.button_text,
      'categoryIds', (select coalesce(jsonb_agg(pc.category_id order by pc.category_id), '[]')
        from product_categories pc where pc.product_id = page.id),
      'tags', (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'slug', t.slug) order by t.name), '[]')
        from product_tags pt join tags t on t.id = pt.tag_id where pt.product_id = page.id),
      'brands', (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'slug', b.slug) order by b.name), '[]')
        from product_brands pb join brands b on b.id = pb.brand_id where pb.product_id = page.id),
      'images', coalesce(own.images, whole.images, '[]'),
      'attributes', (select coalesce(jsonb_agg(jsonb_build_object('id', coalesce(a.attribute_id, 0), 'slug', a.slug,
          'name', a.name, 'forVariations', a.for_variations, 'options', (
            select coalesce(jsonb_agg(jsonb_build_object('id', coalesce(term.id, 0), 'slug', option.value,
              'name', coalesce(term.name, option.value), 'default', option.value = a.default_option)
              order by option.nr), '[]')
            from unnest(a.options) with ordinality as option (value, nr)
            left join attribute_terms term on term.attribute_id = a.attribute_id and term.slug = option.value
          )) order by a.position), '[]') from product_attributes a where a.product_id = page.id and (a.visible or a.for_variations)),
      'chosen', (select coalesce(jsonb_object_agg(v.slug, v.value), '{}') from variation_attributes v where v.product_id = p.id),
      'variations', case when p.type = 'variable' then (
        select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'chosen', (
            select coalesce(jsonb_object_agg(a.slug, a.value), '{}') from variation_attributes a where a.product_id = v.id
          )) order by v.menu_order, v.id), '[]')
        from products v where v.parent_id = p.id and v.status = 'publish' and v.min_price is not null) else '[]' end,
      'grouped', (select coalesce(jsonb_agg(l.linked_id order by l.position), '[]')
        from product_links l where l.product_id = p.id and l.kind = 'grouped')
    ) as row
    from products p
    join products page on page.id = coalesce(p.parent_id, p.id) and page.status = 'publish'
    left join lateral (
      select min(v.regular_price) as lowest, max(v.regular_price) as highest from products v
      where p.type = 'variable' and v.parent_id = p.id and v.status = 'publish' and v.min_price is not null
    ) below on true
    left join lateral (
      select jsonb_agg(${sql.unsafe(image)} order by pi.position) as images
      from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id
    ) own on true
    left join lateral (
      select jsonb_agg(${sql.unsafe(image)} order by pi.position) as images
      from product_images pi join images i on i.id = pi.image_id where p.parent_id is not null and pi.product_id = page.id
    ) whole on true
    where p.id = any((select ${[...ids]}::bigint[])::bigint[]) and p.status = 'publish'`
  return rows.map(({ row }) => row)
}
