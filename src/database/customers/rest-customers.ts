import { type Kysely, sql, type Transaction } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import type { CustomerRole } from '../engine/schema/visitors.ts'
import type { CustomerRow } from './customers.ts'

type Db = Kysely<Schema>

/** Filters of the REST list of customers. */
export type RestCustomerFilter = {
  /** Null: everybody. */
  readonly role: CustomerRole | null
  readonly email: string | null
  /** Found in names, user name or email address. */
  readonly text: string
  /** Empty: all. */
  readonly include: readonly number[]
  readonly exclude: readonly number[]
  readonly orderBy: 'id' | 'include' | 'name' | 'created'
  readonly descending: boolean
}

/** Returns one page of the filtered customers, and their total number. */
export async function listRestCustomers(
  db: Db,
  filter: RestCustomerFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; customers: CustomerRow[] }> {
  const { role, email, text, include, exclude } = filter
  const anywhere = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const where = sql.join(
    [
      sql`true`,
      ...(role ? [sql`c.role = ${role}`] : []),
      ...(email === null ? [] : [sql`c.email = ${email}`]),
      ...(text === ''
        ? []
        : [
            sql`(c.email ilike ${anywhere} or c.username ilike ${anywhere} or c.display_name ilike ${anywhere}
              or concat(c.first_name, ' ', c.last_name) ilike ${anywhere})`,
          ]),
      ...(include.length > 0 ? [sql`c.id = any(${listOf(include, 'bigint')})`] : []),
      ...(exclude.length > 0 ? [sql`c.id <> all(${listOf(exclude, 'bigint')})`] : []),
    ],
    sql` and `,
  )
  const [counted, listed] = await Promise.all([
    sql<{ total: number }>`select count(*)::int as total from customers c where ${where}`.execute(db),
    sql<CustomerRow>`select c.* from customers c where ${where} order by ${sequence(filter)}
      limit ${limit}::int offset ${offset}::int`.execute(db),
  ])
  return { total: counted.rows[0]?.total ?? 0, customers: listed.rows }
}

function sequence({ orderBy, descending, include }: RestCustomerFilter) {
  const direction = descending ? sql`desc` : sql`asc`
  switch (orderBy) {
    case 'include':
      // In the requested order, whatever the direction.
      return include.length > 0 ? sql`array_position(${[...include]}::bigint[], c.id)` : sql`c.id ${direction}`
    case 'id':
      return sql`c.id ${direction}`
    case 'name':
      return sql`lower(c.display_name) ${direction}, c.id ${direction}`
    case 'created':
      return sql`c.created_at ${direction}, c.id ${direction}`
  }
}

/** Facts of customers beside their rows. */
export type CustomerExtras = {
  /** Columns of `customer_meta`. */
  readonly meta: ReadonlyMap<number, object>
  /** Customers who have paid an order. */
  readonly paying: ReadonlySet<number>
}

export async function findCustomerExtras(db: Db, ids: readonly number[]): Promise<CustomerExtras> {
  if (ids.length === 0) return { meta: new Map(), paying: new Set() }
  const [meta, paying] = await Promise.all([
    db
      .selectFrom('customer_meta')
      .selectAll()
      .where('customer_id', 'in', [...ids])
      .execute(),
    sql<{ id: number }>`
      select id from unnest(${listOf(ids, 'bigint')}) as wanted (id) where exists (select from orders o
        where o.customer_id = wanted.id and o.paid_at is not null and o.trashed_at is null)`.execute(db),
  ])
  return {
    meta: new Map(meta.map(({ customer_id: id, meta_data: column }) => [id, column])),
    paying: new Set(paying.rows.map(({ id }) => id)),
  }
}

export async function saveCustomerMeta(db: Db, customerId: number, metaData: object): Promise<void> {
  await db
    .insertInto('customer_meta')
    .values({ customer_id: customerId, meta_data: metaData })
    .onConflict((conflict) => conflict.column('customer_id').doUpdateSet({ meta_data: metaData }))
    .execute()
}

/** Gives a customer's orders to another customer. @returns the number of orders */
export async function reassignOrders(tx: Transaction<Schema>, from: number, to: number, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ customer_id: to, updated_at: now })
    .where('customer_id', '=', from)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
