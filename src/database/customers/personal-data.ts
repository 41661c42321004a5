import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { listOf } from '../engine/array-parameter.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** Whose orders: an account's, those that were placed as a guest with an address, or both. */
export type OrdersOf = { readonly customerId: number | null; readonly guest: string | null }

/** An address as it is stored, and as it was stored before addresses had one spelling. */
function spellings(email: string | null): RawBuilder<unknown> {
  const all = email === null ? [] : [emailIdentity(email), email.trim().toLowerCase()]
  return listOf([...new Set(all)], 'text')
}

const ordersOf = ({ customerId, guest }: OrdersOf) =>
  sql<boolean>`(customer_id = ${customerId}::bigint
    or (customer_id is null and lower(billing ->> 'email') = any(${spellings(guest)})))`

/** Every order of somebody with what was bought, told and given back, the oldest first. */
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

/** Numbers of what was ordered as a guest with an address, and still says so. */
export async function findGuestOrders(db: Db, email: string): Promise<number[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where(ordersOf({ customerId: null, guest: email }))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Names of products, for carts. */
export async function findProductNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Gives a customer the orders that were placed as a guest with an address of theirs. @returns how many */
export async function linkGuestOrders(tx: Tx, customerId: number, email: string, now: Date): Promise<number> {
  const result = await tx
    .updateTable('orders')
    .set({ customer_id: customerId, updated_at: now })
    .where('customer_id', 'is', null)
    .where(sql<boolean>`lower(billing ->> 'email') = any(${spellings(email)})`)
    .where('personal_data', '=', 'kept')
    // What is being paid stays with the visitor who pays.
    .where('status', 'not in', ['checkout-draft', 'pending'])
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Marks what orders hold of somebody to be erased as soon as nobody needs it to fulfil them. */
export async function requestOrdersErasure(tx: Tx, owner: OrdersOf): Promise<void> {
  await tx
    .updateTable('orders')
    .set({ personal_data: 'due' })
    .where(ordersOf(owner))
    .where('personal_data', '=', 'kept')
    .execute()
}

/** The same for one order. @returns whether there is one whose data are still kept */
export async function requestOrderErasure(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ personal_data: 'due' })
    .where('id', '=', id)
    .where('personal_data', '=', 'kept')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A failed order may still be paid; after this long nobody will. */
const failedDays = 30

/** The orders to be erased that are over, locked. */
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
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** What of an order's attribution, by its last visit and its first, is a campaign of the shop's and of many: figures stay true. */
const impersonal = ['source_type', 'utm_source', 'utm_medium', 'utm_campaign', 'device_type']

/**
 * Takes from orders all that says whose they were. Figures, and the country and state that taxes follow from, stay, and the
 * campaign that brought the order: addresses of pages, and the browser's words for itself, may tell of a person. Programs that keep
 * copies see that the orders have changed.
 */
export async function eraseOrders(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const orders = [...ids]
  const kept = (visit: RawBuilder<unknown>) => sql`(select coalesce(jsonb_object_agg(key, value), '{}')
    from jsonb_each(${visit}) where key = any(${impersonal}::text[]))`
  await sql`update orders set
      billing = jsonb_build_object('country', billing -> 'country', 'state', billing -> 'state'),
      shipping = jsonb_build_object('country', shipping -> 'country', 'state', shipping -> 'state'),
      customer_note = '', customer_ip = '', customer_user_agent = '', customer_id = null,
      attribution = ${kept(sql`attribution`)} || case when jsonb_typeof(attribution -> 'first') = 'object'
        then jsonb_build_object('first', ${kept(sql`attribution -> 'first'`)}) else '{}' end,
      session_id = 'erased:' || id, personal_data = 'erased',
      updated_at = ${now}::timestamptz
    where id = any(${orders}::bigint[])`.execute(tx)
  await tx.deleteFrom('order_notes').where('order_id', 'in', orders).where('for_customer', '=', true).execute()
  await tx.deleteFrom('download_permissions').where('order_id', 'in', orders).execute()
  // A digest of what was sent to the provider: whoever guesses the address could tell that it was this one.
  await tx
    .updateTable('payment_attempts')
    .set({ body_hash: '' })
    .where('order_id', 'in', orders)
    .where('state', 'not in', ['open', 'unknown'])
    .execute()
  await tx.updateTable('coupon_uses').set({ used_by: '' }).where('order_id', 'in', orders).execute()
  // The provider's notifications name the payer.
  await sql`update webhook_events e set body = '' where processed_at is not null and body <> '' and exists (
    select from wallet_orders w where w.order_id = any(${orders}::bigint[]) and position(w.id in e.body) > 0)`.execute(
    tx,
  )
}

/** Ends an account, its logins and what it has saved. Its orders stay, and are nobody's. */
export async function deleteCustomer(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('customers').where('id', '=', id).execute()
}

export type ExportedOrder = Awaited<ReturnType<typeof findOrdersToExport>>[number]
export type OrderItem = Row<'order_items'>
