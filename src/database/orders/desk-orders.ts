import { type Kysely, sql } from 'kysely'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { OrderRow } from './orders.ts'

export type OrderFilter = {
  readonly statuses?: readonly OrderRow['status'][] | undefined
  readonly payment?: OrderRow['payment_state'] | undefined
  /** Placed at this moment or later. */
  readonly from?: Date | undefined
  /** Placed at this moment or earlier. */
  readonly to?: Date | undefined
  /** An account's id, or an email address of an order or account. */
  readonly customer?: number | string | undefined
  /** The id or title of a payment method. */
  readonly method?: string | undefined
  /** Found in names, addresses, products and their SKUs; or a transaction id. */
  readonly text?: string | undefined
}

/** Returns one page of the filtered orders, newest first, and their total number. Drafts only on request. */
export async function listDeskOrders(
  db: Kysely<Schema>,
  filter: OrderFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; orders: OrderRow[] }> {
  const where = conditions(filter)
  const [counted, listed] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from orders o where ${where}`.execute(db),
    sql<OrderRow>`
      select o.* from orders o where ${where}
      order by o.created_at desc, o.id desc limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { count: counted.rows[0]?.count ?? 0, orders: listed.rows }
}

function conditions({ statuses, payment, from, to, customer, method, text }: OrderFilter) {
  const all = [
    sql`o.trashed_at is null`,
    statuses ? sql`o.status = any(${[...statuses]}::text[])` : sql`o.status <> 'checkout-draft'`,
    ...(payment ? [sql`o.payment_state = ${payment}`] : []),
    ...(from ? [sql`o.created_at >= ${from}`] : []),
    ...(to ? [sql`o.created_at <= ${to}`] : []),
  ]
  if (typeof customer === 'number') all.push(sql`o.customer_id = ${customer}::bigint`)
  else if (customer !== undefined) {
    // Each half of the condition uses an index of its own.
    const names = listOf([...new Set([emailIdentity(customer), customer.trim().toLowerCase()])], 'text')
    all.push(sql`((o.customer_id is null and lower(o.billing ->> 'email') = any(${names}))
      or o.customer_id = (select id from customers where email = any(${names}) or lower(username) = any(${names}) limit 1))`)
  }
  if (method) all.push(sql`(o.payment_method = ${method} or lower(o.payment_method_title) = lower(${method}))`)
  if (text) all.push(holdsText(text))
  return sql.join(all, sql` and `)
}

/**
 * A condition on orders `o`: the text is found in names, addresses, products (as shown to customers or merchants) and
 * SKUs, or equals a transaction id or the order's number.
 */
export function holdsText(text: string) {
  const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const address = (which: 'billing' | 'shipping') => sql`concat_ws(' ', o.${sql.raw(which)} ->> 'first_name',
      o.${sql.raw(which)} ->> 'last_name', o.${sql.raw(which)} ->> 'company', o.${sql.raw(which)} ->> 'address_1',
      o.${sql.raw(which)} ->> 'postcode', o.${sql.raw(which)} ->> 'city', o.${sql.raw(which)} ->> 'email',
      o.${sql.raw(which)} ->> 'phone') ilike ${anywhere}`
  return sql`(${address('billing')} or ${address('shipping')} or o.transaction_id = ${text} or ${text} in (o.id::text, o.imported_number)
      or exists (select 1 from order_items i where i.order_id = o.id
        and (i.name ilike ${anywhere} or i.sku ilike ${anywhere} or i.facts -> 'own' ->> 'name' ilike ${anywhere})))`
}
