import { type Kysely, sql, type Transaction } from 'kysely'
import type { WebhookTopic } from '#contract/operations/webhook-topics.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { brokenConstraint, type Database } from '../engine/connect.ts'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'
import { announceChange, announceChanges, announcingTogether } from '../operations/announce-change.ts'

export type CustomerRow = Row<'customers'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>

export function findCustomer(db: Db, id: number): Promise<CustomerRow | undefined> {
  return db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Returns a customer by email address or user name, both case-insensitive. Addresses stored before normalization are
 * found by their original spelling.
 */
export function findCustomerByLogin(db: Db, login: string): Promise<CustomerRow | undefined> {
  const wanted = [...new Set([emailIdentity(login), login.trim().toLowerCase()])]
  return db
    .selectFrom('customers')
    .selectAll()
    .where(({ or, eb }) => or([eb('email', 'in', wanted), eb(sql`lower(username)`, 'in', wanted)]))
    .orderBy(sql`email = ${wanted[0] ?? ''}`, 'desc')
    .orderBy(sql`email = ${wanted.at(-1) ?? ''}`, 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function lockCustomer(tx: Tx, id: number): Promise<CustomerRow | undefined> {
  return tx.selectFrom('customers').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Returns the existing ones of `names`, in lower case. */
export async function takenUsernames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('customers')
    .select(sql<string>`lower(username)`.as('name'))
    .where(
      sql`lower(username)`,
      'in',
      names.map((name) => name.toLowerCase()),
    )
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** @returns the new customer, or which of the two names is taken */
export async function insertCustomer(
  db: Db,
  customer: NewRow<'customers'>,
): Promise<CustomerRow | 'email-taken' | 'username-taken'> {
  try {
    return await announcingTogether(db, ['customer.created'], async (tx) => {
      const row = await tx.insertInto('customers').values(customer).returningAll().executeTakeFirstOrThrow()
      await announceChange(tx, 'customer.created', row.id)
      return row
    })
  } catch (error) {
    return takenName(error)
  }
}

/** @returns null on success, or which of the two names is taken */
export async function updateCustomer(
  db: Db,
  id: number,
  change: RowChange<'customers'>,
): Promise<'email-taken' | 'username-taken' | null> {
  try {
    await announcingTogether(db, customerTopics(change), async (tx) => {
      await tx.updateTable('customers').set(change).where('id', '=', id).execute()
      await announceChanges(tx, updatesOf(id, change))
    })
    return null
  } catch (error) {
    return takenName(error)
  }
}

/**
 * Updates a customer if these columns are unchanged since they were read.
 * @returns false: another request was first, and nothing was written
 */
export async function updateCustomerIf(
  db: Db,
  id: number,
  known: Partial<Pick<CustomerRow, 'email' | 'email_wanted' | 'email_verified_at' | 'password'>>,
  change: RowChange<'customers'>,
): Promise<boolean> {
  return announcingTogether(db, customerTopics(change), async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('customers')
      .set(change)
      .where('id', '=', id)
      .where(({ and, eb }) =>
        // The keys are columns, as the type states.
        and(
          Object.entries(known).map(([column, value]) =>
            eb(column as keyof typeof known, 'is not distinct from', value),
          ),
        ),
      )
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 1n) await announceChanges(tx, updatesOf(id, change))
    return numUpdatedRows === 1n
  })
}

/** Columns that programs can read of a customer. Other changes, as of a link's digest, are not announced. */
const visibleColumns = ['email', 'username', 'first_name', 'last_name', 'display_name', 'role', 'billing', 'shipping']

const customerTopics = (change: RowChange<'customers'>): readonly WebhookTopic[] =>
  visibleColumns.some((column) => Object.hasOwn(change, column)) ? ['customer.updated'] : []

const updatesOf = (id: number, change: RowChange<'customers'>) =>
  customerTopics(change).map((topic) => ({ topic, ids: [id] }))

function takenName(error: unknown): 'email-taken' | 'username-taken' {
  const constraint = brokenConstraint(error)
  if (constraint === 'customers_email_key') return 'email-taken'
  if (constraint === 'customers_username') return 'username-taken'
  throw error
}

/** Saves the addresses and the language of an order for the next one. */
export async function keepAddresses(
  tx: Tx,
  id: number,
  { billing, shipping, language }: { billing: object; shipping: object; language: string },
): Promise<void> {
  await tx.updateTable('customers').set({ billing, shipping, language }).where('id', '=', id).execute()
  await announceChange(tx, 'customer.updated', id)
}

/** Saves the language in which a customer was last served. @param language '' for the shop's own */
export async function keepLanguage(tx: Db, id: number, language: string): Promise<void> {
  await tx.updateTable('customers').set({ language }).where('id', '=', id).where('language', '!=', language).execute()
}

export type CustomerState<State> = { version: number; state: State }

export async function findCustomerState<State>(db: Database, id: number): Promise<CustomerState<State> | null> {
  const [row] = await db.sql<{ state_version: number; state: State }[]>`
    select state_version, state from customers where id = ${id}`
  return row ? { version: row.state_version, state: row.state } : null
}

/** Writes a customer's state if `version` is still the stored one. @returns false if another request was first */
export async function saveCustomerState(
  db: Database,
  { id, version, state }: { id: number; version: number; state: object },
): Promise<boolean> {
  const result = await db.sql`
    update customers set state = ${db.sql.json(state as never)}, state_version = state_version + 1
    where id = ${id} and state_version = ${version}`
  return result.count === 1
}

/** Writes the state within a transaction. */
export async function saveCustomerStateWith(
  tx: Transaction<Schema>,
  { id, version, state }: { id: number; version: number; state: object },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ state, state_version: version + 1 })
    .where('id', '=', id)
    .where('state_version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Checks whether a customer has an unpaid order. */
export async function hasUnpaidOrder(db: Db, customerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', 'in', ['pending', 'failed'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Updates the cart's version in the same statement: a concurrent cart write then conflicts and is repeated. */
export async function setCustomersExemption(db: Database, id: number, exempt: boolean, now: Date): Promise<boolean> {
  const result = await db.sql`
    update customers set vat_exempt = ${exempt}, updated_at = ${now}, state_version = state_version + 1,
      state = jsonb_set(state, '{vatExempt}', to_jsonb(${exempt}::boolean))
    where id = ${id}`
  return result.count === 1
}

/** Transfers a guest's open orders, and their wallet orders, to the customer that the guest logged in as. */
export async function transferOpenOrders(tx: Tx, from: string, to: string): Promise<void> {
  const moved = await tx
    .updateTable('orders')
    .set({ session_id: to })
    .where('session_id', '=', from)
    .where('status', 'in', ['pending', 'failed'])
    .returning('id')
    .execute()
  if (moved.length === 0) return
  await tx
    .updateTable('wallet_orders')
    .set({ session_id: to })
    .where(
      'order_id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute()
}

/**
 * Returns a customer's orders without drafts, newest first, and their number. `travels`: the order has shipped items.
 */
export async function findCustomersOrders(
  db: Db,
  customerId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ count: number; orders: (Row<'orders'> & { pieces: number; travels: boolean })[] }> {
  const own = db
    .selectFrom('orders')
    .where('customer_id', '=', customerId)
    .where('status', '<>', 'checkout-draft')
    .where('trashed_at', 'is', null)
  const [total, orders] = await Promise.all([
    own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    own
      .selectAll()
      .select(({ selectFrom }) => {
        const lines = selectFrom('order_items')
          .whereRef('order_items.order_id', '=', 'orders.id')
          .where('type', '=', 'line_item')
        return [
          lines.select(({ fn }) => fn.coalesce(fn.sum<number>('quantity'), sql<number>`0`).as('pieces')).as('pieces'),
          lines
            .select(sql<boolean>`coalesce(bool_or(facts ->> 'virtual' <> 'true'), false)`.as('travels'))
            .as('travels'),
        ]
      })
      // Imported orders are older than their ids.
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return {
    count: Number(total.count),
    orders: orders.map((order) => ({ ...order, pieces: Number(order.pieces), travels: order.travels === true })),
  }
}
