import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** The owner of orders: an account, an email address of guest orders, or both. */
export type OrdersOf = { readonly customerId: number | null; readonly guest: string | null }

/** Returns an address in its normalized and original spelling. */
function spellings(email: string | null): RawBuilder<unknown> {
  const all = email === null ? [] : [emailIdentity(email), email.trim().toLowerCase()]
  return listOf([...new Set(all)], 'text')
}

const ordersOf = ({ customerId, guest }: OrdersOf) =>
  sql<boolean>`(customer_id = ${customerId}::bigint
    or (customer_id is null and lower(billing ->> 'email') = any(${spellings(guest)})))`

/** Returns every order of a person with its items, emails and refunds, oldest first. */
export async function findOrdersToExport(db: Db, owner: OrdersOf) {
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where(ordersOf(owner))
    .where('status', '<>', 'checkout-draft')
    .orderBy('id')
    .execute()
  const ids = orders.map(({ id }) => id)
  if (ids.length === 0) return []
  const [items, notes, refunds, downloads] = await Promise.all([
    db
      .selectFrom('order_items')
      .selectAll()
      .where('order_id', 'in', ids)
      .orderBy('order_id')
      .orderBy('position')
      .execute(),
    db
      .selectFrom('order_notes')
      .selectAll()
      .where('order_id', 'in', ids)
      .where('for_customer', '=', true)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('refunds')
      .selectAll()
      .where('order_id', 'in', ids)
      .where('state', 'in', ['pending', 'done'])
      .orderBy('id')
      .execute(),
    db.selectFrom('download_permissions').selectAll().where('order_id', 'in', ids).orderBy('id').execute(),
  ])
  const of = <Owned extends { order_id: number }>(all: readonly Owned[], id: number) =>
    all.filter(({ order_id }) => order_id === id)
  return orders.map((order) => ({
    order,
    items: of(items, order.id),
    notes: of(notes, order.id),
    refunds: of(refunds, order.id),
    downloads: of(downloads, order.id),
  }))
}

/** Returns the ids of guest orders that still contain an email address. */
export async function findGuestOrders(db: Db, email: string): Promise<number[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where(ordersOf({ customerId: null, guest: email }))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns names of products, for carts. */
export async function findProductNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Links guest orders with a customer's email address to the account. @returns the number of orders */
export async function linkGuestOrders(tx: Tx, customerId: number, email: string, now: Date): Promise<number> {
  const result = await tx
    .updateTable('orders')
    .set({ customer_id: customerId, updated_at: now })
    .where('customer_id', 'is', null)
    .where(sql<boolean>`lower(billing ->> 'email') = any(${spellings(email)})`)
    .where('personal_data', '=', 'kept')
    // An order in payment stays with the visitor who pays it.
    .where('status', 'not in', ['checkout-draft', 'pending'])
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Marks the personal data in a person's orders for erasure as soon as fulfilment no longer needs them. */
export async function requestOrdersErasure(tx: Tx, owner: OrdersOf): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ personal_data: 'due' })
    .where(ordersOf(owner))
    .where('personal_data', '=', 'kept')
    .execute()
}

/** Marks one order for erasure. @returns whether it exists with personal data */
export async function requestOrderErasure(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ personal_data: 'due' })
    .where('id', '=', id)
    .where('personal_data', '=', 'kept')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A failed order may still be paid within this time. */
const failedDays = 30

/** Returns finished orders that are marked for erasure, and locks them. */
export async function lockOrdersToErase(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const failedBefore = new Date(now.getTime() - failedDays * 24 * 60 * 60 * 1000)
  const rows = await tx
    .selectFrom('orders')
    .select('id')
    .where('personal_data', '=', 'due')
    .where(({ or, and, eb }) =>
      or([
        eb('status', 'in', ['completed', 'cancelled', 'refunded', 'checkout-draft']),
        and([eb('status', '=', 'failed'), eb('updated_at', '<', failedBefore)]),
        // Fulfilled elsewhere.
        eb('imported_from', 'is not', null),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** Attribution fields that identify no person; they stay, so that statistics remain correct. */
const impersonal = ['source_type', 'utm_source', 'utm_medium', 'utm_campaign', 'device_type']

/**
 * Removes all personal data from orders. Amounts, the country and state of the taxes, and the campaign stay. Page
 * addresses and the user agent may identify a person. The modification time changes for programs that copy orders.
 */
export async function eraseOrders(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const orders = [...ids]
  const kept = (visit: RawBuilder<unknown>) => sql`(select coalesce(jsonb_object_agg(key, value), '{}')
    from jsonb_each(${visit}) where key = any(${impersonal}::text[]))`
  await sql`update orders set
      billing = jsonb_build_object('country', billing -> 'country', 'state', billing -> 'state'),
      shipping = jsonb_build_object('country', shipping -> 'country', 'state', shipping -> 'state'),
      meta_data = '{}', customer_note = '', customer_ip = '', customer_user_agent = '', customer_id = null,
      attribution = ${kept(sql`attribution`)} || case when jsonb_typeof(attribution -> 'first') = 'object'
        then jsonb_build_object('first', ${kept(sql`attribution -> 'first'`)}) else '{}' end,
      session_id = 'erased:' || id, personal_data = 'erased',
      updated_at = ${now}::timestamptz
    where id = any(${orders}::bigint[])`.execute(tx)
  await tx.deleteFrom('order_notes').where('order_id', 'in', orders).where('for_customer', '=', true).execute()
  await tx.deleteFrom('download_permissions').where('order_id', 'in', orders).execute()
  // The digest of a request to the provider would confirm a guessed address.
  await tx
    .updateTable('payment_attempts')
    .set({ body_hash: '' })
    .where('order_id', 'in', orders)
    .where('state', 'not in', ['open', 'unknown'])
    .execute()
  await tx.updateTable('coupon_uses').set({ used_by: '' }).where('order_id', 'in', orders).execute()
  // The provider's webhook events contain the payer's name.
  await sql`update webhook_events e set body = '' where processed_at is not null and body <> '' and exists (
    select from wallet_orders w where w.order_id = any(${orders}::bigint[]) and position(w.id in e.body) > 0)`.execute(
    tx,
  )
}

/** Deletes an account with its logins and saved data. Its orders stay, without an owner. */
export async function deleteCustomer(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('customer_meta').where('customer_id', '=', id).execute()
  await tx.deleteFrom('customers').where('id', '=', id).execute()
  await announceChange(tx, 'customer.deleted', id)
}

export type ExportedOrder = Awaited<ReturnType<typeof findOrdersToExport>>[number]
export type OrderItem = Row<'order_items'>
