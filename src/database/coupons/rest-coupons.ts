import { type Kysely, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'

type CouponRow = Row<'coupons'>

/** Filters of the REST list of coupons. Bounds are exclusive. */
export type RestCouponFilter = {
  readonly code: string | null
  /** Found in the code or the description. */
  readonly text: string
  /** Null: all outside the trash. */
  readonly statuses: readonly CouponRow['status'][] | null
  /** Also those in the trash. */
  readonly trash: boolean
  readonly after: Date | null
  readonly before: Date | null
  readonly modifiedAfter: Date | null
  readonly modifiedBefore: Date | null
  /** Empty: all. */
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly orderBy: 'created' | 'modified' | 'id' | 'code' | 'include'
  readonly descending: boolean
}

/** Returns one page of the filtered coupons, and their total number. */
export async function listRestCoupons(
  db: Kysely<Schema>,
  filter: RestCouponFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; coupons: CouponRow[] }> {
  const where = conditions(filter)
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from coupons c where ${where}`.execute(db),
    sql<CouponRow>`select c.* from coupons c where ${where} order by ${sequence(filter)}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, coupons: listed.rows }
}

function conditions(filter: RestCouponFilter) {
  const { code, text, statuses, trash, after, before, modifiedAfter, modifiedBefore, include, exclude } = filter
  const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql.join(
    [
      sql`(c.trashed_at is null ${statuses ? sql`and c.status = any(${[...statuses]}::text[])` : sql``}
        ${trash ? sql`or c.trashed_at is not null` : sql``})`,
      ...(code === null ? [] : [sql`c.code = ${code}`]),
      ...(text === '' ? [] : [sql`(c.code ilike ${anywhere} or c.description ilike ${anywhere})`]),
      ...(after ? [sql`c.created_at > ${after}`] : []),
      ...(before ? [sql`c.created_at < ${before}`] : []),
      ...(modifiedAfter ? [sql`c.updated_at > ${modifiedAfter}`] : []),
      ...(modifiedBefore ? [sql`c.updated_at < ${modifiedBefore}`] : []),
      ...(include.length > 0 ? [sql`c.id = any(${listOf(include, 'bigint')})`] : []),
      ...(exclude.length > 0 ? [sql`c.id <> all(${listOf(exclude, 'bigint')})`] : []),
    ],
    sql` and `,
  )
}

function sequence({ orderBy, descending, include }: RestCouponFilter) {
  const direction = descending ? sql`desc` : sql`asc`
  switch (orderBy) {
    case 'include':
      // In the requested order, whatever the direction.
      return include.length > 0 ? sql`array_position(${[...include]}::bigint[], c.id)` : sql`c.id ${direction}`
    case 'id':
      return sql`c.id ${direction}`
    case 'code':
      return sql`c.code ${direction}`
    case 'modified':
      return sql`c.updated_at ${direction}, c.id ${direction}`
    case 'created':
      return sql`c.created_at ${direction}, c.id ${direction}`
  }
}

/** Returns the customers that used each coupon: an account's id, or a guest's email address. */
export async function findCouponUsers(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; users: string[] }>`
    select u.coupon_id as id, array_agg(coalesce(o.customer_id::text, u.used_by) order by u.order_id) as users
    from coupon_uses u join orders o on o.id = u.order_id
    where u.coupon_id = any(${listOf(ids, 'bigint')}) and (o.customer_id is not null or u.used_by <> '')
    group by u.coupon_id`.execute(db)
  return new Map(rows.map(({ id, users }) => [id, users]))
}
