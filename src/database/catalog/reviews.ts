import { type Kysely, type RawBuilder, sql } from 'kysely'
import { provingStatuses } from '#domain/catalog/review-rules.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { columnOf, listOf } from '../engine/array-parameter.ts'
import type { ReviewStatus } from '../engine/schema/catalog-terms.ts'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'

type Tx = Kysely<Schema>

export type ReviewRow = Row<'reviews'>
export type NewReview = Omit<NewRow<'reviews'>, 'id' | 'updated_at'>

/** A review with the product's name, the slug of its page, and its first image. */
export type ListedReview = ReviewRow & { product_name: string; product_slug: string; product_image: number | null }

export type ReviewFilter = {
  /** Empty: every status except the trash. */
  readonly statuses?: readonly ReviewStatus[]
  /** Empty: all. */
  readonly products?: readonly number[]
  /** Slugs or ids, with their subcategories. */
  readonly categories?: readonly string[]
  /** Only reviews of published products. */
  readonly published?: boolean
  readonly include?: readonly number[]
  readonly exclude?: readonly number[]
  readonly customers?: readonly number[]
  readonly withoutCustomers?: readonly number[]
  readonly email?: string | undefined
  readonly text?: string
  readonly after?: Date | null
  readonly before?: Date | null
}

export type ReviewSort = 'date' | 'id' | 'include' | 'product' | 'rating'

/** Returns one page of the filtered reviews, and their total number. */
export async function listReviews(
  db: Tx,
  filter: ReviewFilter,
  { sort, descending, limit, offset }: { sort: ReviewSort; descending: boolean; limit: number; offset: number },
): Promise<{ total: number; reviews: ListedReview[] }> {
  const where = conditions(filter)
  const direction = descending ? sql`desc` : sql`asc`
  const { include = [] } = filter
  const orders: Readonly<Record<ReviewSort, RawBuilder<unknown>>> = {
    date: sql`r.created_at ${direction}, r.id ${direction}`,
    id: sql`r.id ${direction}`,
    include: include.length > 0 ? sql`array_position(${[...include]}::bigint[], r.id)` : sql`r.id ${direction}`,
    product: sql`r.product_id ${direction}, r.id ${direction}`,
    rating: sql`r.rating ${direction} nulls last, r.id ${direction}`,
  }
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`
      select count(*)::int as total from reviews r join products p on p.id = r.product_id where ${where}`.execute(db),
    sql<ListedReview>`${selected} where ${where} order by ${orders[sort]}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, reviews: listed.rows }
}

const selected = sql`
  select r.*, p.name as product_name, p.slug as product_slug,
    (select image_id from product_images i where i.product_id = p.id order by position limit 1) as product_image
  from reviews r join products p on p.id = r.product_id`

function conditions(filter: ReviewFilter) {
  const { statuses = [], products = [], categories = [], include = [], exclude = [], customers = [] } = filter
  const { withoutCustomers = [], email, text = '', after, before, published } = filter
  const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql.join(
    [
      statuses.length > 0 ? sql`r.status = any(${listOf(statuses, 'text')})` : sql`r.status <> 'trash'`,
      ...(published ? [sql`p.status = 'publish'`] : []),
      ...(products.length > 0 ? [sql`r.product_id = any(${listOf(products, 'bigint')})`] : []),
      ...(categories.length > 0
        ? [
            sql`r.product_id in (
              with recursive below as (
                select id from categories where slug = any(${listOf(categories, 'text')}) or id::text = any(${listOf(categories, 'text')})
                union select c.id from categories c join below on c.parent_id = below.id
              )
              select product_id from product_categories join below on below.id = category_id)`,
          ]
        : []),
      ...(include.length > 0 ? [sql`r.id = any(${listOf(include, 'bigint')})`] : []),
      ...(exclude.length > 0 ? [sql`r.id <> all(${listOf(exclude, 'bigint')})`] : []),
      ...(customers.length > 0 ? [sql`r.customer_id = any(${listOf(customers, 'bigint')})`] : []),
      ...(withoutCustomers.length > 0
        ? [sql`(r.customer_id is null or r.customer_id <> all(${listOf(withoutCustomers, 'bigint')}))`]
        : []),
      ...(email === undefined ? [] : [sql`lower(r.email) = ${emailIdentity(email)}`]),
      ...(text === '' ? [] : [sql`(r.content ilike ${anywhere} or r.author ilike ${anywhere})`]),
      ...(after ? [sql`r.created_at > ${after}`] : []),
      ...(before ? [sql`r.created_at < ${before}`] : []),
    ],
    sql` and `,
  )
}

/** Returns a review with its product. */
export async function findReview(db: Tx, id: number): Promise<ListedReview | undefined> {
  const { rows } = await sql<ListedReview>`${selected} where r.id = ${id}::bigint`.execute(db)
  return rows[0]
}

/** Locks a review for a change. */
export async function lockReview(tx: Tx, id: number): Promise<ReviewRow | undefined> {
  return tx.selectFrom('reviews').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/**
 * Inserts reviews with one statement. A review whose product has its `imported_id` already is left out.
 * @returns the inserted ids
 */
export async function insertReviews(tx: Tx, reviews: readonly NewReview[], now: Date): Promise<number[]> {
  if (reviews.length === 0) return []
  const rows = await tx
    .insertInto('reviews')
    .values(reviews.map((review) => ({ ...review, updated_at: now })))
    .onConflict((on) => on.columns(['product_id', 'imported_id']).where('imported_id', 'is not', null).doNothing())
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateReview(tx: Tx, id: number, change: RowChange<'reviews'>, now: Date): Promise<void> {
  await tx
    .updateTable('reviews')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute()
}

export async function deleteReview(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('reviews').where('id', '=', id).execute()
}

/**
 * Derives average and number of ratings of products from their approved reviews with stars. Products are locked in the
 * order of their ids.
 * @returns the products whose figures changed
 */
export async function deriveRatings(tx: Tx, productIds: readonly number[]): Promise<number[]> {
  if (productIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with locked as materialized (
      select id, average_rating, rating_count from products where id = any(${listOf(productIds, 'bigint')})
      order by id for no key update
    ), fresh as (
      select l.id, coalesce(round(avg(r.rating), 2), 0) as average, count(r.rating)::int as ratings
      from locked l left join reviews r on r.product_id = l.id and r.status = 'approved' group by l.id
    )
    update products p set average_rating = fresh.average, rating_count = fresh.ratings
    from fresh where p.id = fresh.id
      and (p.average_rating, p.rating_count) is distinct from (fresh.average, fresh.ratings)
    returning p.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A product and its possible buyer, known by account or email. */
export type Purchase = { readonly productId: number; readonly customerId: number | null; readonly email: string }

/** Returns for each pair whether an order proves that the person bought the product. */
export async function findPurchases(db: Tx, asked: readonly Purchase[]): Promise<boolean[]> {
  if (asked.length === 0) return []
  const { rows } = await sql<{ bought: boolean }>`
    select exists (
      select from orders o join order_items i on i.order_id = o.id and i.type = 'line_item'
      where i.product_id = wanted.product and o.status = any(${listOf(provingStatuses, 'text')})
        and (o.customer_id = wanted.customer
          or (wanted.email <> '' and lower(o.billing ->> 'email') = wanted.email))) as bought
    from unnest(${columnOf(asked, ({ productId }) => productId, 'bigint')}, ${columnOf(asked, ({ customerId }) => customerId, 'bigint')},
      ${columnOf(asked, ({ email }) => emailIdentity(email), 'text')}) with ordinality as wanted (product, customer, email, nr)
    order by wanted.nr`.execute(db)
  return rows.map(({ bought }) => bought)
}

/** The author of reviews: an account, an email address of guests, or both. */
type ReviewsOf = { readonly customerId: number | null; readonly guest: string | null }

const reviewsOf = ({ customerId, guest }: ReviewsOf) =>
  sql<boolean>`(r.customer_id = ${customerId}::bigint
    or (r.customer_id is null and r.email <> '' and lower(r.email) = ${guest === null ? null : emailIdentity(guest)}::text))`

/** Returns every review of a person, oldest first. */
export async function findReviewsToExport(db: Tx, author: ReviewsOf): Promise<ListedReview[]> {
  const { rows } = await sql<ListedReview>`${selected} where ${reviewsOf(author)} order by r.id`.execute(db)
  return rows
}

/** Removes name and email from a person's reviews. Text and stars stay. @returns the products that showed the name */
export async function eraseReviewAuthors(tx: Tx, author: ReviewsOf, now: Date): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    update reviews r set author = '', email = '', customer_id = null, updated_at = ${now}::timestamptz
    where ${reviewsOf(author)} returning r.product_id`.execute(tx)
  return [...new Set(rows.map(({ product_id: id }) => id))]
}
