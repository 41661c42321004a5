import type { Kysely, Transaction } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>
type Tx = Transaction<Schema>
export type WalletOrderRow = Row<'wallet_orders'>

/** The constant columns of a wallet order. */
export type WalletOrderName = Pick<WalletOrderRow, 'id' | 'order_id' | 'session_id' | 'environment'>

export function findWalletOrder(db: Db, id: string): Promise<WalletOrderRow | undefined> {
  return db.selectFrom('wallet_orders').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the owner of a wallet order, and the order that it pays. */
export async function findOrderOfWallet(
  db: Db,
  id: string,
): Promise<{ wallet: WalletOrderName; order: Row<'orders'> } | null> {
  const row = await db
    .selectFrom('wallet_orders')
    .innerJoin('orders', 'orders.id', 'wallet_orders.order_id')
    .selectAll('orders')
    .select(['wallet_orders.session_id as opened_by', 'wallet_orders.environment as opened_in'])
    .where('wallet_orders.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  const { opened_by: session_id, opened_in: environment, ...order } = row
  return { wallet: { id, order_id: order.id, session_id, environment }, order }
}

/** Returns the newest wallet order of an order: the only one that may be captured. */
export function findCurrentWalletOrder(db: Db, orderId: number): Promise<WalletOrderRow | undefined> {
  return db
    .selectFrom('wallet_orders')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns all wallet orders of an order, oldest first. */
export function findWalletOrders(db: Db, orderId: number): Promise<WalletOrderRow[]> {
  return db.selectFrom('wallet_orders').selectAll().where('order_id', '=', orderId).orderBy('revision').execute()
}

export async function insertWalletOrder(tx: Tx, row: NewRow<'wallet_orders'>): Promise<void> {
  await tx
    .insertInto('wallet_orders')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: row.state, amount: row.amount }))
    .execute()
}

export async function setWalletState(
  db: Db,
  id: string,
  change: Partial<Pick<WalletOrderRow, 'state' | 'amount' | 'payee'>>,
): Promise<void> {
  await db.updateTable('wallet_orders').set(change).where('id', '=', id).execute()
}

/** Marks a wallet order as unusable, so that the next press creates another, unless its state has changed meanwhile. */
export async function recordWalletOrderEnd(
  db: Db,
  { id, state: before }: Pick<WalletOrderRow, 'id' | 'state'>,
  state: 'GONE' | 'VOIDED',
): Promise<void> {
  await db.updateTable('wallet_orders').set({ state }).where('id', '=', id).where('state', '=', before).execute()
}

/**
 * Records that a decline was shown to the shopper: nothing may be captured without another press.
 * @param id the declined wallet order; absent: all of the order
 */
export async function recordDecline(db: Db, orderId: number, id?: string): Promise<void> {
  const open = db
    .updateTable('wallet_orders')
    .set({ told_no: true })
    .where('order_id', '=', orderId)
    .where('told_no', '=', false)
  await (id === undefined ? open : open.where('id', '=', id)).execute()
}

/** Records that the provider is asked about these orders now. */
export async function recordProviderChecks(db: Db, orderIds: readonly number[], at: Date): Promise<void> {
  if (orderIds.length === 0) return
  await db.updateTable('wallet_orders').set({ checked_at: at }).where('order_id', 'in', orderIds).execute()
}

/**
 * Returns orders to reconcile: with a payment in progress at the provider, however long, and since a time those that
 * may have been approved; each with the time when that began. Approvals given before the final total was shown are
 * excluded: they are no consent to it.
 */
export function findOrdersToReconcile(
  db: Db,
  since: Date,
  before: Date,
  limit: number,
): Promise<{ id: number; started: Date; checked: Date | null }[]> {
  return db
    .selectFrom('orders')
    .innerJoin('wallet_orders', 'wallet_orders.order_id', 'orders.id')
    .select(({ fn }) => [
      'orders.id',
      fn.max('wallet_orders.created_at').as('started'),
      fn.max('wallet_orders.checked_at').as('checked'),
    ])
    .where((where) =>
      where.or([
        where('orders.payment_state', 'in', ['authorising', 'review', 'captured']),
        where.and([
          where('orders.payment_state', '=', 'pending'),
          where('orders.created_via', '=', 'checkout'),
          where('wallet_orders.created_at', '>', since),
        ]),
      ]),
    )
    .where('orders.status', 'in', ['pending', 'failed', 'on-hold'])
    .where('wallet_orders.created_at', '<', before)
    .groupBy('orders.id')
    .limit(limit)
    .execute()
}
