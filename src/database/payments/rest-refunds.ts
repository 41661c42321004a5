import { type Kysely, sql } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { RefundItemRow, RefundRow } from './refunds.ts'

/** Filters of the REST lists of refunds. Bounds are exclusive. */
export type RestRefundFilter = {
  /** Null: of all orders. */
  readonly orderId: number | null
  readonly after: Date | null
  readonly before: Date | null
  /** Empty: all. */
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly text: string
  readonly descending: boolean
}

/** Refunds that programs see: made, or accepted by the provider; not those of a second payment, nor in the trash. */
const shown = sql`r.state in ('pending', 'done') and not r.stray
  and exists (select from orders o where o.id = r.order_id and o.deleted_at is null)`

/** Returns one page of the filtered refunds, and their total number. */
export async function listRestRefunds(
  db: Kysely<Schema>,
  filter: RestRefundFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; refunds: RefundRow[] }> {
  const { orderId, after, before, include, exclude, text, descending } = filter
  const where = sql.join(
    [
      shown,
      orderId === null
        ? sql`exists (select from orders o where o.id = r.order_id and o.trashed_at is null)`
        : sql`r.order_id = ${orderId}::bigint`,
      ...(after ? [sql`r.created_at > ${after}`] : []),
      ...(before ? [sql`r.created_at < ${before}`] : []),
      ...(include.length > 0 ? [sql`r.id = any(${listOf(include, 'bigint')})`] : []),
      ...(exclude.length > 0 ? [sql`r.id <> all(${listOf(exclude, 'bigint')})`] : []),
      ...(text === '' ? [] : [sql`r.reason ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`]),
    ],
    sql` and `,
  )
  const direction = descending ? sql`desc` : sql`asc`
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from refunds r where ${where}`.execute(db),
    sql<RefundRow>`select r.* from refunds r where ${where} order by r.created_at ${direction}, r.id ${direction}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, refunds: listed.rows }
}

export async function findRestRefund(db: Kysely<Schema>, orderId: number, id: number): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    select r.* from refunds r where ${shown} and r.order_id = ${orderId}::bigint and r.id = ${id}::bigint`.execute(db)
  return rows[0]
}

export async function findItemsOfRefunds(db: Kysely<Schema>, ids: readonly number[]): Promise<RefundItemRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('refund_items')
    .selectAll()
    .where('refund_id', 'in', [...ids])
    .orderBy('refund_id')
    .orderBy('item_id')
    .execute()
}
