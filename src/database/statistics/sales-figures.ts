import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

/** One day in the shop's time zone: `2026-11-22`. Revenue is in minor units of the shop's currency. */
export type SalesDay = { readonly day: string; readonly orders: number; readonly revenue: number }

/**
 * Returns the sales of each day with an order. Abandoned, failed, cancelled and imported orders do not count; revenue is what was
 * paid, without refunds and reversals. An order in another currency counts with its value when placed, and its refunds
 * in proportion.
 * @param from,to instants; `to` is exclusive
 */
export async function salesByDay(
  db: Kysely<Schema>,
  { from, to, timeZone, currency }: { from: Date; to: Date; timeZone: string; currency: string },
): Promise<readonly SalesDay[]> {
  const { rows } = await sql<SalesDay>`
    with ${sales({ from, to, currency })}
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, count(*)::int as orders,
      sum(revenue)::bigint as revenue
    from sales group by 1 order by 1`.execute(db)
  return rows
}

/** Returns a CTE `sales` with the counted orders between two instants, each with its revenue. */
export function sales({ from, to, currency }: { from: Date; to: Date; currency: string }) {
  return sql`back as (
      select order_id, sum(amount) as amount from refunds where state in ('done', 'pending') and not stray
      group by order_id),
    sales as (
      select o.id, o.created_at, o.paid_at, o.attribution, case
        when o.paid_at is null or o.total = 0 then 0
        -- Such an order is in manual review until it is settled.
        when o.payment_state = 'attention' and exists (
          select from captures taken where taken.order_id = o.id and taken.status = 'REVERSED' and not taken.stray) then 0
        when o.currency = ${currency} then o.total - coalesce(back.amount, 0)
        when o.base_currency = ${currency} then round(o.base_total::numeric * (o.total - coalesce(back.amount, 0)) / o.total)
        else 0 end as revenue
      from orders o left join back on back.order_id = o.id
      where o.created_at >= ${from} and o.created_at < ${to} and o.trashed_at is null and o.imported_from is null
        and o.status in ('on-hold', 'processing', 'completed', 'refunded'))`
}
