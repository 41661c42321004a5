import { type Kysely, sql, type Transaction } from 'kysely'
import { insertRows } from '../engine/insert-rows.ts'
import type { NewRow, Row, Schema } from '../engine/schema/schema.ts'
import type { OrderItemRow, OrderRow } from './orders.ts'

type Tx = Transaction<Schema>

/** Finds orders by their secret keys: an order of this shop, in its own export. */
export async function findOrderKeys(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await tx
    .selectFrom('orders')
    .select('key')
    .where('key', 'in', [...keys])
    .execute()
  return new Set(rows.map(({ key }) => key))
}

export type StoredImport = {
  readonly order: OrderRow
  readonly items: readonly OrderItemRow[]
  readonly refunded: number
}

/** Finds imported orders by their shops and numbers there, and locks them. */
export async function lockImportedOrders(
  tx: Tx,
  wanted: readonly { readonly from: string; readonly number: string }[],
): Promise<StoredImport[]> {
  if (wanted.length === 0) return []
  const { rows: orders } = await sql<OrderRow>`
    select o.* from unnest(${wanted.map(({ from }) => from)}::text[], ${wanted.map(({ number }) => number)}::text[])
        as wanted (shop, number)
      join orders o on o.imported_from = wanted.shop and o.imported_number = wanted.number
    order by o.id for no key update of o`.execute(tx)
  if (orders.length === 0) return []
  const ids = orders.map(({ id }) => id)
  const [items, refunds] = await Promise.all([
    tx.selectFrom('order_items').selectAll().where('order_id', 'in', ids).orderBy('position').execute(),
    tx.selectFrom('refunds').select(['order_id', 'amount']).where('order_id', 'in', ids).execute(),
  ])
  const [itemsOf, refundsOf] = [
    Map.groupBy(items, (item) => item.order_id),
    Map.groupBy(refunds, (one) => one.order_id),
  ]
  return orders.map((order) => ({
    order,
    items: itemsOf.get(order.id) ?? [],
    refunded: (refundsOf.get(order.id) ?? []).reduce((sum, { amount }) => sum + amount, 0),
  }))
}

export type ImportedRows = {
  readonly order: NewRow<'orders'> & { readonly id: number }
  readonly items: readonly Omit<NewRow<'order_items'>, 'order_id' | 'position'>[]
  readonly note: string
  /** Minor units; 0: none. */
  readonly refunded: number
}

/** Lists orders after an id, in the order of their ids, without drafts and the trash. */
export function listOrdersAfter(db: Kysely<Schema>, after: number, limit: number): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('id', '>', after)
    .where('status', '<>', 'checkout-draft')
    .where('trashed_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Inserts imported orders with their rows, and nothing else: no ledger, no emails, no stock. */
export async function insertImportedOrders(tx: Tx, orders: readonly ImportedRows[], now: Date): Promise<void> {
  await insertRows(
    tx,
    'orders',
    orders.map(({ order }) => order),
  )
  await insertImportedItems(tx, orders)
  const notes = orders.map(({ order: { id }, note }) => ({ order_id: id, at: now, for_customer: false, note }))
  await insertRows(tx, 'order_notes', notes)
}

/** Replaces the rows of imported orders by those of a newer file. */
export async function replaceImportedOrders(tx: Tx, orders: readonly ImportedRows[]): Promise<void> {
  const ids = orders.map(({ order }) => order.id)
  if (ids.length === 0) return
  await tx.deleteFrom('order_items').where('order_id', 'in', ids).execute()
  await tx.deleteFrom('refunds').where('order_id', 'in', ids).execute()
  for (const { order } of orders) {
    const { id, ...change } = order
    await tx.updateTable('orders').set(change).where('id', '=', id).execute()
  }
  await insertImportedItems(tx, orders)
}

async function insertImportedItems(tx: Tx, orders: readonly ImportedRows[]): Promise<void> {
  await insertRows(
    tx,
    'order_items',
    orders.flatMap(({ order, items }) => items.map((item, position) => ({ ...item, order_id: order.id, position }))),
  )
  const refunds = orders.flatMap(({ order: { id, currency, created_at: at }, refunded }) =>
    refunded > 0 ? [importedRefund(id, refunded, currency, new Date(at))] : [],
  )
  if (refunds.length > 0) await tx.insertInto('refunds').values(refunds).execute()
}

/** A refund that another shop made, at a time that its file does not state. */
function importedRefund(orderId: number, amount: number, currency: string, at: Date): NewRow<'refunds'> {
  return {
    order_id: orderId,
    key: 'imported',
    body_hash: '',
    state: 'done',
    made_by: 'shop',
    by_provider: false,
    capture_id: null,
    attempt_id: null,
    provider_id: null,
    amount,
    currency,
    reason: '',
    issue: null,
    created_at: at,
    settled_at: at,
  }
}

/**
 * Finds the accounts to which orders with these email addresses belong: the address is verified, or the account has no
 * password yet, so that its first login verifies it.
 */
export async function findOrderOwners(tx: Tx, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const rows = await tx
    .selectFrom('customers')
    .select(['id', 'email'])
    .where('email', 'in', [...emails])
    .where(({ or, eb }) => or([eb('email_verified_at', 'is not', null), eb('password', 'is', null)]))
    .execute()
  return new Map(rows.map(({ id, email }) => [email, id]))
}

export type SoldProduct = Pick<Row<'products'>, 'id' | 'parent_id' | 'virtual' | 'downloadable'> & {
  readonly attributes: Readonly<Record<string, string>>
}

/** Finds products by SKU, with the attributes of a variation. */
export async function findSoldProducts(tx: Tx, skus: readonly string[]): Promise<Map<string, SoldProduct>> {
  if (skus.length === 0) return new Map()
  const { rows } = await sql<SoldProduct & { sku: string }>`
    select p.id, p.parent_id, p.sku, p.virtual, p.downloadable, coalesce(
      (select jsonb_object_agg(a.slug, a.value) from variation_attributes a where a.product_id = p.id), '{}') as attributes
    from products p where p.sku = any(${[...skus]}::text[])`.execute(tx)
  return new Map(rows.map(({ sku, ...product }) => [sku, product]))
}
