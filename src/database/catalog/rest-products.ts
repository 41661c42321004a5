import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { sold, withSalesNews } from './desk-products.ts'

type Db = Kysely<Schema>
type Product = Row<'products'>

/** Filters of the lists of products and variations in the REST API. Empty lists and null do not filter. */
export type RestProductFilter = {
  /** `products`: with a page of their own; `both`: a search by SKU finds variations as well. */
  readonly kind: 'products' | 'variations' | 'both'
  readonly types: readonly string[]
  readonly withoutTypes: readonly string[]
  /** Null: every status except the trash. */
  readonly statuses: readonly string[] | null
  readonly withoutStatuses: readonly string[]
  readonly text: string
  readonly slug: string
  readonly skus: readonly string[]
  readonly partOfSku: string
  readonly partOfNameOrSku: string
  readonly gtins: readonly string[]
  readonly after: Date | null
  readonly before: Date | null
  readonly modifiedAfter: Date | null
  readonly modifiedBefore: Date | null
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly parents: readonly number[]
  readonly withoutParents: readonly number[]
  readonly featured: boolean | null
  readonly onSale: boolean | null
  readonly virtual: boolean | null
  readonly downloadable: boolean | null
  readonly hasPrice: boolean | null
  /** Ids, with their subcategories. */
  readonly categories: readonly number[]
  readonly tags: readonly number[]
  readonly brands: readonly number[]
  readonly shippingClasses: readonly number[]
  /** A shop-wide attribute, and ids of its terms. */
  readonly attribute: { readonly slug: string; readonly terms: readonly number[] } | null
  readonly taxClass: string | null
  /** Whole minor units. */
  readonly minPrice: number | null
  readonly maxPrice: number | null
  readonly stock: readonly string[]
}

export type RestProductSort =
  | 'date'
  | 'modified'
  | 'id'
  | 'include'
  | 'title'
  | 'slug'
  | 'price'
  | 'popularity'
  | 'rating'
  | 'menu_order'

/** Returns the ids of one page of the filtered products, and their total number. */
export async function listRestProducts(
  db: Db,
  filter: RestProductFilter,
  { sort, descending, limit, offset }: { sort: RestProductSort; descending: boolean; limit: number; offset: number },
): Promise<{ total: number; ids: number[] }> {
  const where = sql.join(conditions(filter), sql` and `)
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from products p where ${where}`.execute(db),
    sql<{ id: number }>`
      select p.id from ${withSalesNews} where ${where} order by ${sequence(sort, descending, filter.include)}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, ids: listed.rows.map(({ id }) => id) }
}

function sequence(sort: RestProductSort, descending: boolean, include: readonly number[]): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  switch (sort) {
    case 'include':
      // In the requested order, whatever the direction.
      return include.length > 0 ? sql`array_position(${[...include]}::bigint[], p.id)` : sql`p.id ${direction}`
    case 'date':
      return sql`p.created_at ${direction}, p.id ${direction}`
    case 'modified':
      return sql`p.updated_at ${direction}, p.id ${direction}`
    case 'id':
      return sql`p.id ${direction}`
    case 'title':
      return sql`p.name ${direction}, p.id ${direction}`
    case 'slug':
      return sql`p.slug ${direction}, p.id ${direction}`
    case 'price':
      return descending ? sql`p.max_price desc nulls last, p.id desc` : sql`p.min_price nulls last, p.id`
    case 'popularity':
      return sql`${sold} ${direction}, p.id ${direction}`
    case 'rating':
      return sql`p.average_rating ${direction}, p.rating_count ${direction}, p.id ${direction}`
    case 'menu_order':
      return sql`p.menu_order ${direction}, p.name ${direction}, p.id ${direction}`
  }
}

const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The product with the page: categories, tags and brands of a variation are its parent's. */
const pageId = sql`coalesce(p.parent_id, p.id)`

function conditions(filter: RestProductFilter): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = []
  const add = (condition: RawBuilder<unknown> | false) => condition && all.push(condition)
  const among = (column: RawBuilder<unknown>, values: readonly unknown[], type: 'text' | 'bigint') =>
    values.length > 0 && sql`${column} = any(${listOf(values, type)})`
  const notAmong = (column: RawBuilder<unknown>, values: readonly unknown[], type: 'text' | 'bigint') =>
    values.length > 0 && sql`(${column} is null or ${column} <> all(${listOf(values, type)}))`
  const is = (column: RawBuilder<unknown>, value: boolean | null) => value !== null && sql`${column} = ${value}`

  add(filter.kind === 'products' && sql`p.parent_id is null`)
  add(filter.kind === 'variations' && sql`p.parent_id is not null`)
  add(filter.statuses ? among(sql`p.status`, filter.statuses, 'text') || sql`false` : sql`p.status <> 'trash'`)
  add(notAmong(sql`p.status`, filter.withoutStatuses, 'text'))
  add(among(sql`p.type`, filter.types, 'text'))
  add(notAmong(sql`p.type`, filter.withoutTypes, 'text'))
  add(among(sql`p.id`, filter.include, 'bigint'))
  add(notAmong(sql`p.id`, filter.exclude, 'bigint'))
  add(among(sql`coalesce(p.parent_id, 0)`, filter.parents, 'bigint'))
  add(notAmong(sql`p.parent_id`, filter.withoutParents, 'bigint'))
  add(among(sql`p.sku`, filter.skus, 'text'))
  add(among(sql`p.gtin`, filter.gtins, 'text'))
  add(among(sql`p.stock_status`, filter.stock, 'text'))
  add(is(sql`p.featured`, filter.featured))
  add(is(sql`p.on_sale`, filter.onSale))
  add(is(sql`p.virtual`, filter.virtual))
  add(is(sql`p.downloadable`, filter.downloadable))
  add(is(sql`(p.min_price is not null)`, filter.hasPrice))
  add(filter.slug !== '' && sql`p.slug = ${filter.slug}`)
  add(filter.taxClass !== null && sql`p.tax_class = ${filter.taxClass}`)
  add(filter.after !== null && sql`p.created_at > ${filter.after}`)
  add(filter.before !== null && sql`p.created_at < ${filter.before}`)
  add(filter.modifiedAfter !== null && sql`p.updated_at > ${filter.modifiedAfter}`)
  add(filter.modifiedBefore !== null && sql`p.updated_at < ${filter.modifiedBefore}`)
  // A range of prices matches if any of them is within the limits.
  add(filter.minPrice !== null && sql`p.max_price >= ${filter.minPrice}::bigint`)
  add(filter.maxPrice !== null && sql`p.min_price <= ${filter.maxPrice}::bigint`)
  const { text, partOfSku, partOfNameOrSku } = filter
  add(
    text !== '' &&
      sql`(p.name ilike ${anywhere(text)} or p.sku ilike ${anywhere(text)} or p.short_description ilike ${anywhere(text)}
        or p.description ilike ${anywhere(text)})`,
  )
  add(partOfSku !== '' && sql`p.sku ilike ${anywhere(partOfSku)}`)
  add(
    partOfNameOrSku !== '' &&
      sql`(p.name ilike ${anywhere(partOfNameOrSku)} or p.sku ilike ${anywhere(partOfNameOrSku)})`,
  )
  add(
    filter.categories.length > 0 &&
      sql`${pageId} in (
        with recursive below as (
          select id from categories where id = any(${listOf(filter.categories, 'bigint')})
          union select c.id from categories c join below on c.parent_id = below.id
        )
        select product_id from product_categories join below on below.id = category_id)`,
  )
  add(
    filter.brands.length > 0 &&
      sql`${pageId} in (
        with recursive below as (
          select id from brands where id = any(${listOf(filter.brands, 'bigint')})
          union select b.id from brands b join below on b.parent_id = below.id
        )
        select product_id from product_brands join below on below.id = brand_id)`,
  )
  add(
    filter.tags.length > 0 &&
      sql`${pageId} in (select product_id from product_tags where tag_id = any(${listOf(filter.tags, 'bigint')}))`,
  )
  add(
    filter.shippingClasses.length > 0 &&
      sql`p.shipping_class in (select slug from shipping_classes where id = any(${listOf(filter.shippingClasses, 'bigint')}))`,
  )
  add(filter.attribute !== null && attributeCondition(filter.attribute))
  return all
}

/** A variation matches by its own value, a product by its options. */
function attributeCondition({ slug, terms }: { slug: string; terms: readonly number[] }) {
  const values = sql`(select array_agg(t.slug) from attribute_terms t join attributes a on a.id = t.attribute_id
    where a.slug = ${slug.replace(/^pa_/, '')} and t.id = any(${listOf(terms, 'bigint')}))`
  const wire = `pa_${slug.replace(/^pa_/, '')}`
  return sql`exists (
    select from product_attributes has where has.product_id = p.id and has.slug = ${wire} and has.options && ${values}
    union all select from variation_attributes chosen
      where chosen.product_id = p.id and chosen.slug = ${wire} and chosen.value = any(${values}::text[]))`
}

type TermRef = { id: number; name: string; slug: string }
export type RestImage = { id: number; hash: string; source: string; alt: string; widths: number[] }
export type RestAttribute = {
  id: number
  name: string
  slug: string
  position: number
  visible: boolean
  variation: boolean
  options: { value: string; label: string }[]
  preset: string
}

/** A product or variation with everything that its record shows. */
export type RestProductRow = Product & {
  total_sales: number
  categories: TermRef[]
  tags: TermRef[]
  brands: TermRef[]
  images: RestImage[]
  attributes: RestAttribute[]
  /** Values of a variation, in the order of its parent's attributes. */
  chosen: { id: number; name: string; slug: string; value: string; label: string }[]
  upsells: number[]
  crosssells: number[]
  grouped: number[]
  variations: number[]
  related: number[]
  shipping_class_id: number | null
  /** The regular price shared by all variations. */
  shared_regular: number | null
  parent: Pick<
    Product,
    'name' | 'slug' | 'status' | 'manage_stock' | 'stock_quantity' | 'backorders' | 'tax_status' | 'tax_class'
  > | null
}

const terms = (table: 'category' | 'tag' | 'brand', plural: 'categories' | 'tags' | 'brands') => sql`
  (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'slug', t.slug) order by t.name, t.id), '[]')
    from ${sql.table(`product_${plural}`)} has join ${sql.table(plural)} t on t.id = has.${sql.ref(`${table}_id`)}
    where has.product_id = p.id)`

const links = (kind: 'grouped' | 'upsell' | 'crosssell') => sql`
  (select coalesce(json_agg(l.linked_id order by l.position), '[]') from product_links l
    where l.product_id = p.id and l.kind = ${kind})`

const relatedShown = 5

/** Returns products and variations by id, in the order of the ids. */
export async function findRestProducts(db: Db, ids: readonly number[]): Promise<RestProductRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RestProductRow>`
    select p.*, ${sold} as total_sales, ${terms('category', 'categories')} as categories,
      ${terms('tag', 'tags')} as tags, ${terms('brand', 'brands')} as brands,
      (select coalesce(json_agg(json_build_object('id', i.id, 'hash', i.hash, 'source', i.source, 'alt', i.alt, 'widths', i.widths)
          order by pi.position), '[]')
        from product_images pi join images i on i.id = pi.image_id where pi.product_id = p.id) as images,
      (select coalesce(json_agg(json_build_object('id', coalesce(a.attribute_id, 0), 'name', a.name, 'slug', a.slug,
          'position', a.position, 'visible', a.visible, 'variation', a.for_variations, 'preset', a.default_option, 'options', (
            select coalesce(json_agg(json_build_object('value', option.value, 'label', coalesce(term.name, option.value))
              order by option.nr), '[]')
            from unnest(a.options) with ordinality as option (value, nr)
            left join attribute_terms term on term.attribute_id = a.attribute_id and term.slug = option.value
          )) order by a.position, a.slug), '[]')
        from product_attributes a where a.product_id = p.id) as attributes,
      (select coalesce(json_agg(json_build_object('id', coalesce(a.attribute_id, 0), 'name', coalesce(a.name, v.slug),
          'slug', v.slug, 'value', v.value, 'label', coalesce(term.name, v.value)) order by a.position, v.slug), '[]')
        from variation_attributes v
        left join product_attributes a on a.product_id = p.parent_id and a.slug = v.slug
        left join attribute_terms term on term.attribute_id = a.attribute_id and term.slug = v.value
        where v.product_id = p.id) as chosen,
      ${links('upsell')} as upsells, ${links('crosssell')} as crosssells, ${links('grouped')} as grouped,
      (select coalesce(json_agg(v.id order by v.menu_order, v.id), '[]') from products v
        where v.parent_id = p.id and v.status <> 'trash') as variations,
      (select coalesce(json_agg(near.id), '[]') from (
        select distinct n.id from product_categories mine
        join product_categories other on other.category_id = mine.category_id and other.product_id <> p.id
        join products n on n.id = other.product_id and n.status = 'publish' and n.visibility in ('visible', 'catalog')
        where mine.product_id = p.id order by n.id limit ${relatedShown}::int) near) as related,
      (select id from shipping_classes c where c.slug = p.shipping_class) as shipping_class_id,
      case when p.type = 'variable' then (
        select case when min(v.regular_price) = max(v.regular_price) then min(v.regular_price) end
        from products v where v.parent_id = p.id and v.status = 'publish') end as shared_regular,
      (select json_build_object('name', up.name, 'slug', up.slug, 'status', up.status, 'manage_stock', up.manage_stock,
          'stock_quantity', up.stock_quantity, 'backorders', up.backorders, 'tax_status', up.tax_status, 'tax_class', up.tax_class)
        from products up where up.id = p.parent_id) as parent
    from ${withSalesNews} where p.id = any(${listOf(ids, 'bigint')})
    order by array_position(${[...ids]}::bigint[], p.id)`.execute(db)
  return rows
}
