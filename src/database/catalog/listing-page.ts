import type postgres from 'postgres'

export type ListingOrder = 'menu_order' | 'popularity' | 'rating' | 'date' | 'price' | 'price-desc'

/** Which products a listing holds. Ids of categories are those of the category and all below it. */
export type ListingScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'category'; readonly ids: readonly number[] }
  | { readonly kind: 'tag'; readonly id: number }

export type ListingQuery = {
  readonly scope: ListingScope
  readonly hideOutOfStock: boolean
  readonly order: ListingOrder
  readonly limit: number
  readonly offset: number
  /** How many products the scope holds, as far as known: decides how they are looked for. */
  readonly total: number
}

/** Each order ends with the id, so that pages neither repeat nor lose a product; each but `rating` has an index. */
const orders = {
  menu_order: 'p.menu_order, p.name, p.id',
  popularity: 'p.total_sales desc, p.id desc',
  rating: 'p.average_rating desc, p.rating_count desc, p.id desc',
  date: 'p.created_at desc, p.id desc',
  price: 'p.min_price, p.id',
  'price-desc': 'p.min_price desc, p.id desc',
} as const satisfies Record<ListingOrder, string>

/**
 * Below this a scope's products are all fetched and sorted; above, the index of the order is walked and each product
 * asked whether it belongs. Either way the work stays in the low thousands of rows, however large the shop.
 */
const fewEnoughToSort = 1500

function visible(hideOutOfStock: boolean, place: 'catalog' | 'search'): string {
  return `p.status = 'publish' and p.parent_id is null and p.visibility in ('visible', '${place}')
    ${hideOutOfStock ? "and p.stock_status <> 'outofstock'" : ''}`
}

/** The ids of a stretch of a listing, in its order. */
export async function listingIds(sql: postgres.Sql, query: ListingQuery): Promise<number[]> {
  const ids = query.total > fewEnoughToSort || query.scope.kind === 'all' ? walked(sql, query) : sorted(sql, query)
  return (await ids).map(({ id }) => id)
}

type Ids = postgres.PendingQuery<{ id: number }[]>

function walked(sql: postgres.Sql, { scope, hideOutOfStock, order, limit, offset }: ListingQuery): Ids {
  // `offset 0` keeps the planner from turning the question into a join of everything.
  const belongs =
    scope.kind === 'all'
      ? sql``
      : scope.kind === 'category'
        ? sql`and exists (select from product_categories pc
            where pc.product_id = p.id and pc.category_id = any(${[...scope.ids]}::bigint[]) offset 0)`
        : sql`and exists (select from product_tags pt where pt.product_id = p.id and pt.tag_id = ${scope.id}::bigint offset 0)`
  const where = sql`${sql.unsafe(visible(hideOutOfStock, 'catalog'))} ${belongs}`
  const by = sql.unsafe(orders[order])
  if (order !== 'price-desc') {
    return sql`
      select p.id from products p where ${where}
      order by ${by} limit ${limit}::int offset ${offset}::int`
  }
  // Read backwards the index begins with what has no price; that belongs at the end.
  return sql`
    select id from (
      (select p.id, false as unpriced, row_number() over (order by ${by}) as nr from products p
        where ${where} and p.min_price is not null order by ${by} limit ${limit + offset}::int)
      union all
      (select p.id, true, row_number() over (order by p.id desc) from products p
        where ${where} and p.min_price is null order by p.id desc limit ${limit + offset}::int)
    ) p order by unpriced, nr limit ${limit}::int offset ${offset}::int`
}

function sorted(sql: postgres.Sql, { scope, hideOutOfStock, order, limit, offset }: ListingQuery): Ids {
  const filed =
    scope.kind === 'tag'
      ? sql`select product_id from product_tags where tag_id = ${scope.id}::bigint`
      : sql`select distinct product_id from product_categories
          where category_id = any(${scope.kind === 'category' ? [...scope.ids] : []}::bigint[])`
  const by = sql.unsafe(order === 'price-desc' ? 'p.min_price desc nulls last, p.id desc' : orders[order])
  return sql`
    select p.id from (
      select p.* from (${filed}) filed join products p on p.id = filed.product_id
      where ${sql.unsafe(visible(hideOutOfStock, 'catalog'))} offset 0
    ) p order by ${by} limit ${limit}::int offset ${offset}::int`
}

/** How many products a scope holds. Grows with the shop: keep the answer as long as the catalogue's version stands. */
export async function countListing(sql: postgres.Sql, scope: ListingScope, hideOutOfStock: boolean): Promise<number> {
  const belongs =
    scope.kind === 'all'
      ? sql``
      : scope.kind === 'category'
        ? sql`and p.id in (select product_id from product_categories where category_id = any(${[...scope.ids]}::bigint[]))`
        : sql`and p.id in (select product_id from product_tags where tag_id = ${scope.id}::bigint)`
  const rows = await sql<{ total: number }[]>`
    select count(*) as total from products p where ${sql.unsafe(visible(hideOutOfStock, 'catalog'))} ${belongs}`
  return rows[0]?.total ?? 0
}

export type SearchQuery = {
  readonly term: string
  readonly hideOutOfStock: boolean
  readonly order: ListingOrder | 'relevance'
}

/** A search looks at this many hits at most: who finds more needs another word, not another page. */
export const mostHits = 1000

/**
 * The ids of products that hold every word of the term in name, SKU or texts, the last one also as the beginning of a word;
 * or one of whose variations has the term as its SKU. A term with accents also finds words without.
 */
export async function searchIds(sql: postgres.Sql, { term, hideOutOfStock, order }: SearchQuery): Promise<number[]> {
  const plain = term.normalize('NFKD').replace(/\p{Diacritic}/gu, '')
  const words = (parameter: string) =>
    `regexp_replace(plainto_tsquery('simple', ${parameter})::text, '''$', ''':*')::tsquery`
  const wanted = plain === term ? words('$1') : `(${words('$1')} || ${words('$2')})`
  const where = visible(hideOutOfStock, 'search')
  const by =
    order === 'relevance'
      ? `hits.rank desc, ${orders.menu_order}`
      : order === 'price-desc'
        ? 'p.min_price desc nulls last, p.id desc'
        : orders[order]
  // Not prepared: only with the term at hand the planner knows whether it is rare or in every text.
  const rows = await sql.unsafe<{ id: number }[]>(
    `with found as materialized (
      (select p.id, ts_rank(p.search, ${wanted}) as rank from products p
        where p.search @@ ${wanted} and ${where} limit ${mostHits})
      union all
      (select coalesce(p.parent_id, p.id), 100 from products p where p.sku = any($3::text[]))
    ), hits as (
      select id, max(rank) as rank from found where $2::text <> '' group by id
    )
    select p.id from hits join products p on p.id = hits.id where ${where} order by ${by}`,
    [term, plain, [term, term.toUpperCase(), term.toLowerCase()]],
  )
  return rows.map(({ id }) => id)
}
