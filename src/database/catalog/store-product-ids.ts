import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

/** Conditions that the in-memory index cannot answer. Empty lists restrict nothing. */
export type StoreIdQuery = {
  readonly slugs: readonly string[]
  readonly skus: readonly string[]
  readonly type: string
  /** Variations instead of products: of these products, or of any. */
  readonly variations: boolean
  readonly parents: readonly number[]
  readonly notOfParents: readonly number[]
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly modifiedAfter: Date | null
  readonly modifiedBefore: Date | null
  readonly createdAfter: Date | null
  readonly createdBefore: Date | null
  /** Ids or slugs of brands. */
  readonly brands: readonly string[]
  readonly brandOperator: 'in' | 'not_in' | 'and'
  readonly related: number | null
  readonly hidden: boolean
  readonly stock: readonly string[]
  readonly onSale: boolean | null
  readonly orderBy:
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
    | 'comment_count'
  readonly descending: boolean
}

/** Returns the ids of all matching published products or variations, with those of their pages, in order. */
export async function storeProductIds(
  db: Kysely<Schema>,
  query: StoreIdQuery,
): Promise<{ id: number; pageId: number }[]> {
  const { rows } = await sql<{ id: number; pageId: number }>`
    select p.id, coalesce(p.parent_id, p.id) as "pageId" from products p
    join products page on page.id = coalesce(p.parent_id, p.id) and page.status = 'publish'
    where ${sql.join(conditions(query), sql` and `)} order by ${sequence(query)}`.execute(db)
  return rows
}

function conditions(query: StoreIdQuery): RawBuilder<unknown>[] {
  const ids = (list: readonly number[]) => sql`${[...list]}::bigint[]`
  const texts = (list: readonly string[]) => sql`${[...list]}::text[]`
  return [
    sql`p.status = 'publish'`,
    query.variations ? sql`p.parent_id is not null and p.min_price is not null` : sql`p.parent_id is null`,
    ...(query.hidden ? [sql`page.visibility = 'hidden'`] : []),
    ...(query.slugs.length > 0 ? [sql`p.slug = any(${texts(query.slugs)})`] : []),
    ...(query.skus.length > 0
      ? [
          sql`(lower(p.sku) = any(${texts(query.skus.map((sku) => sku.toLowerCase()))}) or exists (select from products v
            where v.parent_id = p.id and v.status = 'publish'
              and lower(v.sku) = any(${texts(query.skus.map((sku) => sku.toLowerCase()))})))`,
        ]
      : []),
    ...(query.type !== '' ? [sql`p.type = ${query.type}`] : []),
    ...(query.parents.length > 0 ? [sql`p.parent_id = any(${ids(query.parents)})`] : []),
    ...(query.notOfParents.length > 0 ? [sql`coalesce(p.parent_id, 0) <> all(${ids(query.notOfParents)})`] : []),
    ...(query.include.length > 0 ? [sql`p.id = any(${ids(query.include)})`] : []),
    ...(query.exclude.length > 0 ? [sql`p.id <> all(${ids(query.exclude)})`] : []),
    ...(query.createdAfter ? [sql`p.created_at > ${query.createdAfter}`] : []),
    ...(query.createdBefore ? [sql`p.created_at < ${query.createdBefore}`] : []),
    ...(query.modifiedAfter ? [sql`p.updated_at > ${query.modifiedAfter}`] : []),
    ...(query.modifiedBefore ? [sql`p.updated_at < ${query.modifiedBefore}`] : []),
    ...(query.stock.length > 0 && query.variations ? [sql`p.stock_status = any(${texts(query.stock)})`] : []),
    ...(query.onSale !== null && query.variations ? [sql`p.on_sale = ${query.onSale}`] : []),
    ...brandConditions(query),
    ...(query.related === null
      ? []
      : [
          sql`p.id <> ${query.related} and exists (select from product_categories mine join product_categories other
            on other.category_id = mine.category_id where mine.product_id = ${query.related} and other.product_id = page.id)`,
        ]),
  ]
}

function brandConditions({ brands, brandOperator }: StoreIdQuery): RawBuilder<unknown>[] {
  if (brands.length === 0) return []
  const has = (
    named: readonly string[],
  ) => sql`exists (select from product_brands pb join brands b on b.id = pb.brand_id
    where pb.product_id = page.id and (b.slug = any(${[...named]}::text[]) or b.id::text = any(${[...named]}::text[])))`
  if (brandOperator === 'and') return brands.map((one) => has([one]))
  return [brandOperator === 'in' ? has(brands) : sql`not ${has(brands)}`]
}

function sequence({ orderBy, descending, include }: StoreIdQuery): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  const by = (column: RawBuilder<unknown>) => sql`${column} ${direction} nulls last, p.id ${direction}`
  switch (orderBy) {
    case 'include':
      return include.length > 0 ? sql`array_position(${[...include]}::bigint[], p.id)` : by(sql`p.id`)
    case 'id':
      return sql`p.id ${direction}`
    case 'modified':
      return by(sql`p.updated_at`)
    case 'title':
      return by(sql`page.name`)
    case 'slug':
      return by(sql`p.slug`)
    case 'price':
      return by(sql`p.min_price`)
    case 'popularity':
      return by(sql`page.total_sales`)
    case 'rating':
      return by(sql`page.average_rating`)
    case 'comment_count':
      return by(sql`page.rating_count`)
    case 'menu_order':
      return sql`p.menu_order ${direction}, page.name ${direction}, p.id ${direction}`
    case 'date':
      return by(sql`p.created_at`)
  }
}
