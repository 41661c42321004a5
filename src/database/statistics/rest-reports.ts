import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import { sales } from './sales-figures.ts'

type Db = Kysely<Schema>
type Period = { readonly from: Date; readonly to: Date; readonly timeZone: string; readonly currency: string }

/**
 * Sales of one day in the shop's time zone, in minor units of its currency. Amounts are what was paid and not refunded;
 * tax, shipping and discount are their shares of it.
 */
export type SalesRow = {
  readonly day: string
  readonly orders: number
  readonly items: number
  readonly revenue: number
  readonly tax: number
  readonly shipping: number
  readonly discount: number
  readonly refunds: number
}

/** Returns the sales of each day with an order, as `salesByDay` counts them, with their parts. @param to exclusive */
export async function salesParts(db: Db, { from, to, timeZone, currency }: Period): Promise<readonly SalesRow[]> {
  const { rows } = await sql<SalesRow>`
    with ${sales({ from, to, currency })},
    parts as (
      select s.created_at, s.revenue, coalesce(back.amount, 0) as back, o.total_tax, o.shipping_total, o.discount_total,
        -- The part of the order's amounts that was paid and kept, in the shop's currency.
        case when o.total = 0 then 0 else s.revenue::numeric / o.total end as share,
        case when o.currency = ${currency} then 1
          when o.base_currency = ${currency} and o.total <> 0 then o.base_total::numeric / o.total else 0 end as rate,
        (select coalesce(sum(quantity), 0) from order_items i where i.order_id = o.id and i.type = 'line_item') as items
      from sales s join orders o on o.id = s.id left join back on back.order_id = s.id)
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, count(*)::int as orders,
      sum(items)::int as items, sum(revenue)::bigint as revenue, round(sum(total_tax * share))::bigint as tax,
      round(sum(shipping_total * share))::bigint as shipping, round(sum(discount_total * share))::bigint as discount,
      round(sum(back * rate))::bigint as refunds
    from parts group by 1 order by 1`.execute(db)
  return rows
}

/** Returns the numbers of accounts that were opened, by day. */
export async function newCustomers(
  db: Db,
  { from, to, timeZone }: Omit<Period, 'currency'>,
): Promise<readonly { readonly day: string; readonly customers: number }[]> {
  const { rows } = await sql<{ day: string; customers: number }>`
    select to_char(created_at at time zone ${timeZone}, 'YYYY-MM-DD') as day, count(*)::int as customers
    from customers where created_at >= ${from} and created_at < ${to} and role = 'customer' group by 1`.execute(db)
  return rows
}

export type SoldProduct = { readonly id: number; readonly name: string; readonly quantity: number }

/** Returns the products of the period's orders by their sold quantities, most first. */
export async function topSellers(
  db: Db,
  { from, to, currency }: Omit<Period, 'timeZone'>,
  limit: number,
): Promise<readonly SoldProduct[]> {
  const { rows } = await sql<SoldProduct>`
    with ${sales({ from, to, currency })}
    select i.product_id as id, coalesce(max(p.name), max(i.name)) as name, sum(i.quantity)::int as quantity
    from sales s join order_items i on i.order_id = s.id and i.type = 'line_item' and i.product_id is not null
      left join products p on p.id = i.product_id
    group by i.product_id order by quantity desc, i.product_id limit ${limit}::int`.execute(db)
  return rows
}

type Count = { readonly slug: string; readonly total: number }

const counts = {
  orders: sql<Count>`select status as slug, count(*)::int as total from orders group by 1`,
  products: sql<Count>`
    select type as slug, count(*)::int as total from products
    where type <> 'variation' and status <> 'trash' group by 1`,
  customers: sql<Count>`
    select case when exists (
        select from orders o where o.customer_id = c.id and o.paid_at is not null) then 'paying' else 'non_paying' end as slug,
      count(*)::int as total
    from customers c where role = 'customer' group by 1`,
  coupons: sql<Count>`select type as slug, count(*)::int as total from coupons group by 1`,
  reviews: sql<Count>`
    select rating::text as slug, count(*)::int as total from reviews
    where status = 'approved' and rating is not null group by 1`,
}

/** Returns how many records of a kind there are, by status, type or rating. */
export async function countRecords(db: Db, kind: keyof typeof counts): Promise<ReadonlyMap<string, number>> {
  const { rows } = await counts[kind].execute(db)
  return new Map(rows.map(({ slug, total }) => [slug, total]))
}
