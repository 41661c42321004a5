import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

export type StoreReviewQuery = {
  readonly productIds: readonly number[]
  /** Categories themselves, without those below them. */
  readonly categoryIds: readonly number[]
  readonly after: Date | null
  readonly before: Date | null
  readonly orderBy: 'date' | 'id' | 'rating' | 'product'
  readonly descending: boolean
}

export type StoreReviewRow = {
  id: number
  productId: number
  author: string
  content: string
  /** 0: without stars. */
  rating: number
  verified: boolean
  createdAt: Date
}

/** Returns one page of the approved reviews of published products, and their total number. */
export async function storeReviews(
  db: Kysely<Schema>,
  query: StoreReviewQuery,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; reviews: StoreReviewRow[] }> {
  const { productIds, categoryIds, after, before, descending } = query
  const where = sql.join(
    [
      sql`r.status = 'approved' and p.status = 'publish' and p.visibility <> 'hidden'`,
      ...(productIds.length > 0 ? [sql`r.product_id = any(${[...productIds]}::bigint[])`] : []),
      ...(categoryIds.length > 0
        ? [
            sql`exists (select from product_categories pc where pc.product_id = r.product_id
              and pc.category_id = any(${[...categoryIds]}::bigint[]))`,
          ]
        : []),
      ...(after ? [sql`r.created_at > ${after}`] : []),
      ...(before ? [sql`r.created_at < ${before}`] : []),
    ],
    sql` and `,
  )
  const columns = { date: sql`r.created_at`, id: sql`r.id`, rating: sql`r.rating`, product: sql`r.product_id` }
  const direction = descending ? sql`desc nulls last` : sql`asc nulls last`
  const from = sql`reviews r join products p on p.id = r.product_id where ${where}`
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db),
    sql<StoreReviewRow>`
      select r.id, r.product_id as "productId", r.author, r.content, coalesce(r.rating, 0) as rating, r.verified,
        r.created_at as "createdAt"
      from ${from} order by ${columns[query.orderBy]} ${direction}, r.id ${direction}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, reviews: listed.rows }
}
