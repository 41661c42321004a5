import { type Kysely, sql } from 'kysely'
import type { Row, Schema } from '../engine/schema/schema.ts'
import type { CustomerRole } from '../engine/schema/visitors.ts'

type Customer = Row<'customers'>

/** A customer in the merchant's list, with a summary of orders. */
export type DeskCustomer = Pick<
  Customer,
  'id' | 'email' | 'username' | 'first_name' | 'last_name' | 'display_name' | 'role' | 'vat_exempt' | 'created_at'
> & {
  /** Number of orders, without drafts. */
  readonly orders: number
  /** Minor units of the shop's currency, paid and not refunded. */
  readonly spent: number
  readonly last_order_at: Date | null
}

export const customerSorts = ['newest', 'name', 'spent', 'orders'] as const
export type CustomerSort = (typeof customerSorts)[number]

export type CustomerFilter = {
  /** Found in the names, the email address or the user name. */
  readonly text?: string | undefined
  readonly role?: CustomerRole | undefined
  readonly id?: number | undefined
}

const sorts: Readonly<Record<CustomerSort, ReturnType<typeof sql>>> = {
  newest: sql`c.created_at desc, c.id desc`,
  name: sql`lower(c.last_name), lower(c.first_name), c.id`,
  spent: sql`spent desc, c.id`,
  orders: sql`orders desc, c.id`,
}

/**
 * Returns one page of the filtered customers, and their total number. @param currency of the amounts: the shop's own.
 * Orders in another currency count with their value when placed
 */
export async function listDeskCustomers(
  db: Kysely<Schema>,
  { text, role, id }: CustomerFilter,
  { sort, limit, offset }: { sort: CustomerSort; limit: number; offset: number },
  currency: string,
): Promise<{ count: number; customers: DeskCustomer[] }> {
  const all = [sql`true`]
  if (role) all.push(sql`c.role = ${role}`)
  if (id !== undefined) all.push(sql`c.id = ${id}::bigint`)
  if (text) {
    const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`(c.email ilike ${anywhere} or c.username ilike ${anywhere} or c.display_name ilike ${anywhere}
      or concat(c.first_name, ' ', c.last_name) ilike ${anywhere})`)
  }
  const where = sql.join(all, sql` and `)
  const [counted, listed] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from customers c where ${where}`.execute(db),
    sql<DeskCustomer>`
      select c.id, c.email, c.username, c.first_name, c.last_name, c.display_name, c.role, c.vat_exempt, c.created_at,
        bought.orders, bought.spent, bought.last_order_at
      from customers c cross join lateral (
        select count(*)::int as orders, max(o.created_at) as last_order_at,
          coalesce(sum(case
            when o.paid_at is null or o.total = 0 then 0
            when o.currency = ${currency} then o.total - back.amount
            when o.base_currency = ${currency} then round(o.base_total::numeric * (o.total - back.amount) / o.total)
            else 0 end), 0)::bigint as spent
        from orders o cross join lateral (
          select coalesce(sum(amount), 0)::bigint as amount from refunds r
          where r.order_id = o.id and r.state in ('done', 'pending') and not r.stray
        ) back
        where o.customer_id = c.id and o.status <> 'checkout-draft' and o.trashed_at is null
      ) bought
      where ${where} order by ${sorts[sort]} limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { count: counted.rows[0]?.count ?? 0, customers: listed.rows }
}

/** Counts the devices with a login. */
export async function countLogins(db: Kysely<Schema>, customerId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}
