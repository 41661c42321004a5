import type { Sql } from '../engine/driver/sql.ts'
import { catalogVersionKey } from './catalog-version.ts'
import { imageJson, type StoredImage } from './product-rows.ts'

/** Rows for the in-memory index. */

export type CategoryRow = {
  id: number
  parentId: number | null
  name: string
  slug: string
  description: string
  image: StoredImage | null
}

export type CatalogTerms = {
  version: number
  categories: CategoryRow[]
  tags: { id: number; name: string; slug: string }[]
  brands: { id: number; parentId: number | null; name: string; slug: string }[]
  /** Shop-wide attributes; slugs without `pa_`. */
  attributes: { id: number; name: string; slug: string; terms: { name: string; slug: string }[] }[]
}

/** Reads categories, tags, brands and attributes in their order, and the catalog version. */
export async function catalogTerms(sql: Sql): Promise<CatalogTerms> {
  const [row] = await sql<CatalogTerms[]>`
    select coalesce((select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}), 0) as version,
      (select coalesce(json_agg(json_build_object('id', c.id, 'parentId', c.parent_id, 'name', c.name, 'slug', c.slug,
          'description', c.description, 'image', case when i.id is not null then ${sql.unsafe(imageJson)} end)
          order by c.position, c.name, c.id), '[]')
        from categories c left join images i on i.id = c.image_id) as categories,
      (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'slug', slug) order by name), '[]')
        from tags) as tags,
      (select coalesce(json_agg(json_build_object('id', id, 'parentId', parent_id, 'name', name, 'slug', slug)
          order by position, name, id), '[]') from brands) as brands,
      (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'slug', a.slug, 'terms', (
          select coalesce(json_agg(json_build_object('name', t.name, 'slug', t.slug) order by t.position, t.id), '[]')
          from attribute_terms t where t.attribute_id = a.id)) order by a.id), '[]')
        from attributes a) as attributes`
  return row ?? { version: 0, categories: [], tags: [], brands: [], attributes: [] }
}

export type IndexRow = {
  id: number
  /** Changes with the menu order and the searchable texts. */
  mark: number
  visibility: 'visible' | 'catalog' | 'search'
  featured: boolean
  onSale: boolean
  stock: 'instock' | 'outofstock' | 'onbackorder'
  minPrice: number | null
  maxPrice: number | null
  taxStatus: 'taxable' | 'shipping' | 'none'
  taxClass: string
  createdMs: number
  sales: number
  rating: number
  ratings: number
  categories: number[]
  tags: number[]
  brands: number[]
  /** Slugs of terms by attribute id; for a variable product those of purchasable variations. */
  attributes: { id: number; values: string[] }[]
}

const shown = `p.status = 'publish' and p.parent_id is null and p.visibility <> 'hidden'`

/** An array; null for a product without variations. */
const variationSkus = `case when p.type = 'variable' then (
  select array_agg(v.sku order by v.id) from products v
  where v.parent_id = p.id and v.status = 'publish' and v.sku is not null) end`

const columns = `p.id, p.visibility, p.featured, p.on_sale as "onSale", p.stock_status as stock,
  p.min_price as "minPrice", p.max_price as "maxPrice", p.tax_status as "taxStatus", p.tax_class as "taxClass",
  (extract(epoch from p.created_at) * 1000)::float8 as "createdMs", p.total_sales as sales,
  p.average_rating::float8 as rating, p.rating_count as ratings, filed.categories, filed.tags, filed.brands, filed.attributes,
  hashtext(concat_ws(' ', p.menu_order, p.name, p.sku, p.short_description, p.description,
    filed.categories::text, filed.tags::text, filed.brands::text, filed.named, ${variationSkus})) as mark`

const relations = `cross join lateral (
  select (select coalesce(json_agg(category_id order by category_id), '[]')
      from product_categories where product_id = p.id) as categories,
    (select coalesce(json_agg(tag_id order by tag_id), '[]') from product_tags where product_id = p.id) as tags,
    (select coalesce(json_agg(brand_id order by brand_id), '[]') from product_brands where product_id = p.id) as brands,
    -- As the merchant entered them, purchasable or not: that changes with each sale.
    (select string_agg(concat_ws(' ', a.slug, array_to_string(a.options, ' ')), ' ' order by a.position)
      from product_attributes a where a.product_id = p.id) as named,
    (select coalesce(json_agg(json_build_object('id', a.attribute_id, 'values', case
        when not a.for_variations or p.type <> 'variable' or '' = any(bought.values) then a.options
        else coalesce(bought.values, '{}') end)), '[]')
      from product_attributes a cross join lateral (
        select array_agg(distinct chosen.value) as values
        from products v join variation_attributes chosen on chosen.product_id = v.id and chosen.slug = a.slug
        where a.for_variations and v.parent_id = p.id and v.status = 'publish'
          and v.min_price is not null and v.stock_status <> 'outofstock'
      ) bought where a.product_id = p.id and a.attribute_id is not null) as attributes
  ) filed`

const chunk = 1000

/** Streams all products that a listing or search may show, in menu order, in batches. */
export function indexRows(sql: Sql): AsyncIterable<IndexRow[]> {
  return sql<IndexRow[]>`
    select ${sql.unsafe(columns)} from products p ${sql.unsafe(relations)}
    where ${sql.unsafe(shown)} order by p.menu_order, p.name, p.id`.cursor(chunk)
}

/** Reads the given products. */
export async function indexRowsOf(sql: Sql, ids: readonly number[]): Promise<IndexRow[]> {
  return sql<IndexRow[]>`
    select ${sql.unsafe(columns)} from products p ${sql.unsafe(relations)}
    where ${sql.unsafe(shown)} and p.id = any(${[...ids]}::bigint[])`
}

export type TextRow = { id: number; name: string; skus: string[]; short: string; text: string; own: string }

/**
 * Streams searchable texts in batches of products. `skus` are those of the product and its variations, `own` the values
 * of attributes that only one product has.
 */
export function textRows(sql: Sql): AsyncIterable<TextRow[]> {
  return sql<TextRow[]>`
    select p.id, p.name, p.short_description as short, p.description as text,
      array_remove(p.sku || ${sql.unsafe(variationSkus)}, null) as skus,
      coalesce((select string_agg(array_to_string(a.options, ' '), ' ') from product_attributes a
        where a.product_id = p.id and a.attribute_id is null), '') as own
    from products p where ${sql.unsafe(shown)} and p.visibility <> 'catalog' order by p.menu_order, p.name, p.id`.cursor(
    chunk,
  )
}

/** Streams names, and options of products' own attributes, in the order of `textRows`. */
export function nameRows(sql: Sql): AsyncIterable<{ id: number; name: string; own: string[] }[]> {
  return sql<{ id: number; name: string; own: string[] }[]>`
    select p.id, p.name,
      coalesce((select array_agg(option) from product_attributes a, unnest(a.options) option
        where a.product_id = p.id and a.attribute_id is null), '{}') as own
    from products p where ${sql.unsafe(shown)} and p.visibility <> 'catalog' order by p.menu_order, p.name, p.id`.cursor(
    chunk,
  )
}

/** Minimum length of a prefix: shorter ones match too many. */
const shortestBeginning = 3

/**
 * Finds products whose SKU, or a variation's, equals the text or begins with it; `whole` marks equal ones. Which of
 * many prefix matches are returned depends on the index.
 */
export async function productsBySku(sql: Sql, text: string, limit: number): Promise<{ id: number; whole: boolean }[]> {
  const begins = text.length >= shortestBeginning ? limit : 0
  const rows = await sql<{ id: number; whole: boolean }[]>`
    select coalesce(parent_id, id) as id, true as whole from products
      where lower(sku) = lower(${text}) and status = 'publish'
    union all (select coalesce(parent_id, id), false from products
      -- These operators instead of "like": a generic plan can use the index.
      where lower(sku) ~>=~ lower(${text}) and lower(sku) ~<~ (lower(${text}) || chr(1114111)) and status = 'publish'
      limit ${begins}::int)`
  return rows
}
