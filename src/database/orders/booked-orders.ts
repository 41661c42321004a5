import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import type { RefundRow } from '../payments/refunds.ts'
import type { OrderItemRow, OrderRow } from './orders.ts'

type Db = Kysely<Schema>

/** A period of the books; `to` is exclusive. */
export type BookedPeriod = { readonly from: Date; readonly to: Date }

export type BookedSale = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  /** Fee of the payment provider in minor units of the order's currency; null: unknown or none. */
  readonly fee: number | null
}

export type BookedRefund = BookedSale & {
  readonly refund: RefundRow
  readonly refundItems: readonly { readonly item_id: number; readonly total: number; readonly total_tax: number }[]
}

// History was booked by the shop that sold it. The trash counts in no report.
const sold = ({ from, to }: BookedPeriod) => sql`o.paid_at >= ${from} and o.paid_at < ${to} and o.imported_from is null
    and o.trashed_at is null`
const givenBack = ({ from, to }: BookedPeriod) => sql`r.state = 'done' and not r.stray and r.amount > 0
  and coalesce(r.settled_at, r.created_at) >= ${from} and coalesce(r.settled_at, r.created_at) < ${to}
  and exists (select from orders o where o.id = r.order_id and o.imported_from is null and o.trashed_at is null)`

/** Lists orders that were paid in a period, after an id, in the order of their ids. */
export async function listBookedSales(
  db: Db,
  period: BookedPeriod,
  after: number,
  limit: number,
): Promise<BookedSale[]> {
  const { rows } = await sql<OrderRow>`select o.* from orders o where o.id > ${after}::bigint and ${sold(period)}
    order by o.id limit ${limit}::int`.execute(db)
  return withParts(db, rows)
}

/** Lists refunds that were paid out in a period, after an id, in the order of their ids. */
export async function listBookedRefunds(
  db: Db,
  period: BookedPeriod,
  after: number,
  limit: number,
): Promise<BookedRefund[]> {
  const { rows: refunds } = await sql<RefundRow>`select r.* from refunds r
    where r.id > ${after}::bigint and ${givenBack(period)} order by r.id limit ${limit}::int`.execute(db)
  if (refunds.length === 0) return []
  const ids = [...new Set(refunds.map(({ order_id: id }) => id))]
  const [orders, refundItems] = await Promise.all([
    db.selectFrom('orders').selectAll().where('id', 'in', ids).execute(),
    db
      .selectFrom('refund_items')
      .select(['refund_id', 'item_id', 'total', 'total_tax'])
      .where(
        'refund_id',
        'in',
        refunds.map(({ id }) => id),
      )
      .execute(),
  ])
  const sales = new Map((await withParts(db, orders)).map((sale) => [sale.order.id, sale]))
  return refunds.flatMap((refund) => {
    const sale = sales.get(refund.order_id)
    return sale ? [{ ...sale, refund, refundItems: refundItems.filter(({ refund_id: id }) => id === refund.id) }] : []
  })
}

/** Returns the tax rates of a period's orders and refunds, in parts per million, the lowest first. */
export async function bookedRates(db: Db, period: BookedPeriod): Promise<number[]> {
  const { rows } = await sql<{ rate: number }>`
    select distinct (i.facts ->> 'ratePpm')::int as rate from order_items i
    where i.type = 'tax' and i.facts ->> 'ratePpm' is not null and (
      exists (select from orders o where o.id = i.order_id and ${sold(period)})
      or exists (select from refunds r where r.order_id = i.order_id and ${givenBack(period)}))
    order by 1`.execute(db)
  return rows.map(({ rate }) => rate)
}

async function withParts(db: Db, orders: readonly OrderRow[]): Promise<BookedSale[]> {
  if (orders.length === 0) return []
  const ids = orders.map(({ id }) => id)
  const [items, captures] = await Promise.all([
    db.selectFrom('order_items').selectAll().where('order_id', 'in', ids).orderBy('position').execute(),
    db
      .selectFrom('captures')
      .select(['order_id', 'fee'])
      .where('order_id', 'in', ids)
      .where('stray', '=', false)
      .where('fee', 'is not', null)
      .execute(),
  ])
  const itemsOf = Map.groupBy(items, (item) => item.order_id)
  const feesOf = Map.groupBy(captures, (capture) => capture.order_id)
  return orders.map((order) => {
    const fees = feesOf.get(order.id)
    const fee = fees ? fees.reduce((sum, capture) => sum + (capture.fee ?? 0), 0) : null
    return { order, items: itemsOf.get(order.id) ?? [], fee }
  })
}
