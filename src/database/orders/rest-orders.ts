import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { RefundRow } from '../payments/refunds.ts'
import { holdsText } from './desk-orders.ts'
import type { OrderItemRow, OrderRow } from './orders.ts'

type Db = Kysely<Schema>

/** Filters of the REST list of orders. `after` and similar bounds are exclusive. */
export type RestOrderFilter = {
  /** Null: all but drafts. */
  readonly statuses: readonly OrderRow['status'][] | null
  /** Orders in the trash, which are in none of the statuses. */
  readonly trash: boolean
  readonly after: Date | null
  readonly before: Date | null
  readonly modifiedAfter: Date | null
  readonly modifiedBefore: Date | null
  /** Empty: all. */
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  /** 0: guests; null: everybody. */
  readonly customerId: number | null
  readonly productId: number | null
  readonly text: string
  readonly orderBy: 'created' | 'id' | 'modified' | 'include'
  readonly descending: boolean
}

/** Returns one page of the filtered orders, and their total number. */
export async function listRestOrders(
  db: Db,
  filter: RestOrderFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; orders: OrderRow[] }> {
  const where = conditions(filter)
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from orders o where ${where}`.execute(db),
    sql<OrderRow>`select o.* from orders o where ${where} order by ${sequence(filter)}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, orders: listed.rows }
}

function conditions(filter: RestOrderFilter) {
  const { statuses, trash, after, before, modifiedAfter, modifiedBefore, include, exclude } = filter
  const { customerId, productId, text } = filter
  return sql.join(
    [
      sql`o.deleted_at is null`,
      sql`(o.trashed_at is null and ${statuses ? sql`o.status = any(${[...statuses]}::text[])` : sql`o.status <> 'checkout-draft'`}
        ${trash ? sql`or o.trashed_at is not null` : sql``})`,
      ...(after ? [sql`o.created_at > ${after}`] : []),
      ...(before ? [sql`o.created_at < ${before}`] : []),
      ...(modifiedAfter ? [sql`o.updated_at > ${modifiedAfter}`] : []),
      ...(modifiedBefore ? [sql`o.updated_at < ${modifiedBefore}`] : []),
      ...(include.length > 0 ? [sql`o.id = any(${[...include]}::bigint[])`] : []),
      ...(exclude.length > 0 ? [sql`o.id <> all(${[...exclude]}::bigint[])`] : []),
      ...(customerId === null
        ? []
        : [customerId === 0 ? sql`o.customer_id is null` : sql`o.customer_id = ${customerId}`]),
      ...(productId === null
        ? []
        : [
            sql`exists (select from order_items p where p.order_id = o.id and ${productId} in (p.product_id, p.variation_id))`,
          ]),
      ...(text === '' ? [] : [holdsText(text)]),
    ],
    sql` and `,
  )
}

function sequence({ orderBy, descending, include }: RestOrderFilter) {
  const direction = descending ? sql`desc` : sql`asc`
  switch (orderBy) {
    case 'include':
      // In the requested order, whatever the direction.
      return include.length > 0 ? sql`array_position(${[...include]}::bigint[], o.id)` : sql`o.id ${direction}`
    case 'id':
      return sql`o.id ${direction}`
    case 'modified':
      return sql`o.updated_at ${direction}, o.id ${direction}`
    case 'created':
      return sql`o.created_at ${direction}, o.id ${direction}`
  }
}

/** Related rows of orders, each list in its usual order. */
export type OrderParts = {
  readonly items: readonly OrderItemRow[]
  /** Done or pending. */
  readonly refunds: readonly RefundRow[]
  /** Time of the first completion of each order. */
  readonly completed: readonly { order_id: number; at: Date }[]
}

export async function findOrderParts(db: Db, ids: readonly number[]): Promise<OrderParts> {
  if (ids.length === 0) return { items: [], refunds: [], completed: [] }
  const wanted = [...ids]
  const [items, refunds, completed] = await Promise.all([
    db
      .selectFrom('order_items')
      .selectAll()
      .where('order_id', 'in', wanted)
      .orderBy('order_id')
      .orderBy('position')
      .execute(),
    db
      .selectFrom('refunds')
      .selectAll()
      .where('order_id', 'in', wanted)
      .where('state', 'in', ['pending', 'done'])
      .where('stray', '=', false)
      .orderBy('id')
      .execute(),
    sql<{ order_id: number; at: Date }>`select order_id, min(at) as at from ledger
      where order_id = any(${wanted}::bigint[]) and data ->> 'status' = 'completed' group by order_id`.execute(db),
  ])
  return { items, refunds, completed: completed.rows }
}
