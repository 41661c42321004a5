import { type Kysely, sql, type Transaction } from 'kysely'
import type { NewRow, Row, RowChange, Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'

export type OrderRow = Row<'orders'>
export type OrderItemRow = Row<'order_items'>
/** An item before it is inserted. */
export type OrderItem = Omit<OrderItemRow, 'id'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** Returns an order, also from the trash: money that arrives for it is recorded. */
export function findOrder(db: Db, id: number): Promise<OrderRow | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Like `findOrder`, for everything that shows an order or acts on it: without the trash. */
export async function findShownOrder(db: Db, id: number): Promise<OrderRow | undefined> {
  const order = await findOrder(db, id)
  return order?.trashed_at === null ? order : undefined
}

/** Returns the keys of orders by their ids. */
export async function findOrderKeys(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'key'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, key }) => [id, key]))
}

/** Like `findOrder`, for programs, which see the trash; deleted orders are gone. */
export async function findKeptOrder(db: Db, id: number): Promise<OrderRow | undefined> {
  const order = await findOrder(db, id)
  return order?.deleted_at === null ? order : undefined
}

/**
 * Locks the order's row until the transaction ends; every change of an order or its money requires this lock. Inserts
 * of rows that refer to the order stay possible, unlike under a full lock.
 */
export function lockOrder(tx: Tx, id: number): Promise<OrderRow | undefined> {
  return tx.selectFrom('orders').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Serializes transactions that place an order of one of these visitors, until this one ends. */
export async function lockVisitorsOrders(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  // All transactions lock in the same order. The planner cannot merge the subquery, because it is sorted.
  await sql`
    select pg_advisory_xact_lock(key) from (
      select hashtextextended('orders of ' || id, 0) as key from unnest(${[...sessionIds]}::text[]) as id order by key
    ) keys`.execute(tx)
}

export function lockOrderOfIntention(tx: Tx, sessionId: string, intention: string): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('intention', '=', intention)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function findOrderItems(db: Db, orderId: number): Promise<OrderItemRow[]> {
  return db.selectFrom('order_items').selectAll().where('order_id', '=', orderId).orderBy('position').execute()
}

/** Returns the products of an order that have a page. */
export function findShownProducts(db: Db, orderId: number): Promise<{ id: number; slug: string }[]> {
  const ordered = db.selectFrom('order_items').select('product_id').where('order_id', '=', orderId)
  return db
    .selectFrom('products')
    .select(['id', 'slug'])
    .where('id', 'in', ordered)
    .where('status', '=', 'publish')
    .execute()
}

/** Lists orders of this shop, without imported ones, newest first; `before` is the id of the last one seen. */
export function listOrders(
  db: Db,
  options: { status?: OrderRow['status'] | undefined; limit: number; before?: number | undefined },
): Promise<OrderRow[]> {
  let query = db
    .selectFrom('orders')
    .selectAll()
    .where('imported_from', 'is', null)
    .where('trashed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(options.limit)
  if (options.status) query = query.where('status', '=', options.status)
  if (options.before) query = query.where('id', '<', options.before)
  return query.execute()
}

/** Returns orders that conflict with new ones: placed by the same intention, or still unpaid. */
export async function findConflictingOrders(
  tx: Tx,
  presses: readonly { sessionId: string; intention: string }[],
): Promise<OrderRow[]> {
  const sessions = presses.map(({ sessionId }) => sessionId)
  const intentions = presses.map(({ intention }) => intention)
  const { rows } = await sql<OrderRow>`
    select made.* from unnest(${sessions}::text[], ${intentions}::text[]) as press (session_id, intention)
      join orders made using (session_id, intention)
    union all
    select * from orders where session_id = any(${sessions}::text[]) and status in ('pending', 'failed')`.execute(tx)
  return rows
}

/** Reserves ids of orders to be inserted, so that dependent rows need not wait for them. */
export async function nextOrderIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(sequence.name) as id
    from (select pg_get_serial_sequence('orders', 'id')::regclass as name) sequence, generate_series(1, (select ${count}::int))
    `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Inserts an order, and announces it to webhooks unless it is a draft. */
export async function insertOrder(tx: Tx, order: NewRow<'orders'>): Promise<OrderRow> {
  const row = await tx.insertInto('orders').values(order).returningAll().executeTakeFirstOrThrow()
  if (row.status !== 'checkout-draft') await announceChange(tx, 'order.created', row.id)
  return row
}

/** Updates an order, and announces it to webhooks: a move into the trash is a deletion. */
export async function updateOrder(tx: Tx, id: number, change: RowChange<'orders'>): Promise<void> {
  await tx.updateTable('orders').set(change).where('id', '=', id).execute()
  await announceChange(tx, change.trashed_at || change.deleted_at ? 'order.deleted' : 'order.updated', id)
}

/** Replaces all items of an order. @returns its current rows */
export async function replaceOrderItems(
  tx: Tx,
  orderId: number,
  items: readonly Omit<NewRow<'order_items'>, 'order_id' | 'position'>[],
  isNew: boolean,
): Promise<OrderItemRow[]> {
  const rows = items.map((item, position) => ({ ...item, order_id: orderId, position }))
  const [, inserted] = await Promise.all([
    isNew ? null : tx.deleteFrom('order_items').where('order_id', '=', orderId).execute(),
    rows.length > 0 ? tx.insertInto('order_items').values(rows).returningAll().execute() : [],
  ])
  return inserted
}

/**
 * Replaces all items of an order; an item with an id keeps it, because programs refer to it.
 * @returns its current rows
 */
export async function rewriteOrderItems(
  tx: Tx,
  orderId: number,
  items: readonly (Omit<OrderItem, 'order_id' | 'position'> & { readonly id: number | null })[],
): Promise<OrderItemRow[]> {
  const rows = items.map((item, position) => ({ ...item, order_id: orderId, position }))
  await tx.deleteFrom('order_items').where('order_id', '=', orderId).execute()
  const named = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
  if (named.length > 0) await insertNamedItems(tx, named)
  const others = rows.flatMap(({ id, ...row }) => (id === null ? [row] : []))
  if (others.length > 0) await tx.insertInto('order_items').values(others).execute()
  return findOrderItems(tx, orderId)
}

/** Inserts items under ids of their own: the column is generated, and takes them only on demand. */
async function insertNamedItems(tx: Tx, rows: readonly OrderItemRow[]): Promise<void> {
  await sql`insert into order_items overriding system value
    select * from json_populate_recordset(null::order_items, ${JSON.stringify(rows)}::text::json)`.execute(tx)
}

/** Replaces the items of these kinds: the new ones come last, and all others keep their positions. */
export async function replaceItemsOf(
  tx: Tx,
  orderId: number,
  types: readonly OrderItemRow['type'][],
  items: readonly Omit<NewRow<'order_items'>, 'order_id' | 'position'>[],
): Promise<void> {
  await tx
    .deleteFrom('order_items')
    .where('order_id', '=', orderId)
    .where('type', 'in', [...types])
    .execute()
  const others = await findOrderItems(tx, orderId)
  const first = Math.max(-1, ...others.map(({ position }) => position)) + 1
  const rows = items.map((item, place) => ({ ...item, order_id: orderId, position: first + place }))
  if (rows.length > 0) await tx.insertInto('order_items').values(rows).execute()
}

export async function addOrderNote(
  tx: Tx,
  orderId: number,
  note: string,
  at: Date,
  forCustomer = false,
): Promise<number> {
  const row = { order_id: orderId, at, note, for_customer: forCustomer }
  return (await tx.insertInto('order_notes').values(row).returning('id').executeTakeFirstOrThrow()).id
}

export function findOrderNotes(db: Db, orderId: number): Promise<Row<'order_notes'>[]> {
  return db.selectFrom('order_notes').selectAll().where('order_id', '=', orderId).orderBy('id').execute()
}

/** Returns a visitor's unpaid orders, oldest first, and locks them. */
export function lockOpenOrders(tx: Tx, sessionId: string): Promise<OrderRow[]> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('status', 'in', ['pending', 'failed'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Returns unpaid orders last updated before `before`, without reservations or a pending call to the provider. */
export function findAbandonedOrders(db: Db, now: Date, before: Date, limit: number): Promise<{ id: number }[]> {
  return (
    db
      .selectFrom('orders')
      .select('id')
      .where('status', '=', 'pending')
      // An order that a program created waits for its payment as long as the merchant wants.
      .where('created_via', '<>', 'rest-api')
      .where('updated_at', '<', before)
      .where('payment_state', 'in', ['none', 'pending', 'failed'])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('stock_reservations')
              .select(sql`1`.as('one'))
              .whereRef('stock_reservations.order_id', '=', 'orders.id')
              .where('stock_reservations.expires_at', '>', now),
          ),
        ),
      )
      .limit(limit)
      .execute()
  )
}

/** Locks the draft of a session: an order that is not placed yet. */
export function lockDraftOrder(tx: Tx, sessionId: string): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('orders')
    .selectAll()
    .where('session_id', '=', sessionId)
    .where('status', '=', 'checkout-draft')
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Deletes drafts last updated before `before`: they have no items, ledger or payments. @returns their number */
export async function deleteOldDrafts(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('orders')
    .where('status', '=', 'checkout-draft')
    .where('updated_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
