import { sql, type Transaction } from 'kysely'
import { listOf } from '../engine/array-parameter.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { announceChange } from '../operations/announce-change.ts'
import { lowStockAt, soldOutAt } from './derived-columns.ts'

type Tx = Transaction<Schema>

/** The available stock of one product that manages its own. */
export type StockLevel = {
  productId: number
  /** On hand, reserved quantities included. */
  onHand: number
  /** Reserved by unpaid orders other than the given one. */
  reservedByOthers: number
  backorders: 'no' | 'notify' | 'yes'
}

/**
 * Locks the stock rows of products, always in the order of their ids, and reads what others reserve. Products without
 * stock management are left out. The lock permits references to the row: an order's lines are inserted before its stock
 * is reserved, and two orders would deadlock otherwise.
 */
export async function lockStock(
  tx: Tx,
  productIds: readonly number[],
  exceptOrder: number | null,
  now: Date,
): Promise<Map<number, StockLevel>> {
  if (productIds.length === 0) return new Map()
  const [{ rows: locked }, { rows: held }] = await Promise.all([
    sql<{ id: number; stock_quantity: number; backorders: StockLevel['backorders'] }>`
      select id, stock_quantity, backorders from products
      where id = any(${listOf(productIds, 'bigint')}) and manage_stock = 'yes'
      order by id for no key update`.execute(tx),
    // Runs after the locks: a separate statement sees what their previous holder committed.
    sql<{ product_id: number; quantity: number }>`
      select product_id, sum(quantity)::int as quantity from stock_reservations
      where product_id = any(${listOf(productIds, 'bigint')}) and expires_at > ${now}
        and order_id is distinct from ${exceptOrder}::bigint
      group by product_id`.execute(tx),
  ])
  const reserved = new Map(held.map((row) => [row.product_id, row.quantity]))
  return new Map(
    locked.map((row) => [
      row.id,
      {
        productId: row.id,
        onHand: row.stock_quantity,
        reservedByOthers: reserved.get(row.id) ?? 0,
        backorders: row.backorders,
      },
    ]),
  )
}

/** Replaces the reservations of an order by exactly these. */
export async function reserveStock(
  tx: Tx,
  orderId: number,
  quantities: ReadonlyMap<number, number>,
  expiresAt: Date,
  isNew: boolean,
): Promise<void> {
  const rows = [...quantities].map(([product_id, quantity]) => ({
    order_id: orderId,
    product_id,
    quantity,
    expires_at: expiresAt,
  }))
  if (rows.length === 0) return isNew ? undefined : releaseStock(tx, orderId)
  if (isNew) {
    await tx.insertInto('stock_reservations').values(rows).execute()
    return
  }
  await tx
    .with('released', (one) =>
      one
        .deleteFrom('stock_reservations')
        .where('order_id', '=', orderId)
        .where(sql<boolean>`product_id <> all(${[...quantities.keys()]}::bigint[])`),
    )
    .insertInto('stock_reservations')
    .values(rows)
    .onConflict((held) =>
      held.columns(['order_id', 'product_id']).doUpdateSet((one) => ({
        quantity: one.ref('excluded.quantity'),
        expires_at: one.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

export async function releaseStock(tx: Tx, orderId: number): Promise<void> {
  await tx.deleteFrom('stock_reservations').where('order_id', '=', orderId).execute()
}

/** The change of one product's managed stock. */
export type StockChangeResult = {
  productId: number
  before: number
  after: number
  /** Thresholds at or below which it is out of stock, or low in stock. */
  soldOutAt: number
  lowAt: number
}

/**
 * Checks whether visitors see a different availability: in stock or not, or a different low quantity. The exact number
 * of a large stock does not matter: otherwise each sale would rebuild pages.
 */
export function changedAvailability({ before, after, soldOutAt, lowAt }: StockChangeResult): boolean {
  const [less, more] = [Math.min(before, after), Math.max(before, after)]
  return less < more && more > soldOutAt && less <= Math.max(soldOutAt, lowAt)
}

/** Quantities of an order by the product that manages the stock. */
export type OrderPieces = { readonly orderId: number; readonly quantities: ReadonlyMap<number, number> }

/**
 * Reduces stock by orders, with a movement for each order and product, and deletes the orders' reservations.
 * @returns one result per product, over all orders
 */
export async function sellStock(tx: Tx, orders: readonly OrderPieces[], at: Date): Promise<StockChangeResult[]> {
  return moveStock(tx, orders, -1, 'sold', at)
}

/** Restores the stock of an order. */
export async function returnStock(tx: Tx, order: OrderPieces, at: Date): Promise<StockChangeResult[]> {
  return moveStock(tx, [order], 1, 'returned', at)
}

async function moveStock(
  tx: Tx,
  orders: readonly OrderPieces[],
  direction: 1 | -1,
  kind: 'sold' | 'returned',
  at: Date,
): Promise<StockChangeResult[]> {
  const changes = orders.flatMap(({ orderId, quantities }) =>
    [...quantities].map(([id, pieces]) => ({ orderId, id, by: direction * pieces })),
  )
  if (changes.length === 0) return []
  const orderIds = changes.map(({ orderId }) => orderId)
  const { rows } = await sql<StockChangeResult>`
    with change as (
      select * from unnest(${orderIds}::bigint[], ${changes.map(({ id }) => id)}::bigint[],
        ${changes.map(({ by }) => by)}::int[]) as change (order_id, id, by)
    ), total as (
      select id, sum(by)::int as by from change group by id order by id
    ), sold_out as (
      select ${soldOutAt} as at
    ), moved as (
      update products set stock_quantity = stock_quantity + total.by, updated_at = ${at},
        stock_status = case
          when stock_quantity + total.by > sold_out.at then 'instock'
          when products.backorders <> 'no' then 'onbackorder'
          else 'outofstock' end
      from total, sold_out where products.id = total.id and products.manage_stock = 'yes'
      returning products.id, total.by, products.stock_quantity as now_on_hand, sold_out.at,
        coalesce(products.low_stock_amount, ${lowStockAt}) as low_at
    ), noted as (
      insert into stock_movements (product_id, change, kind, order_id, at)
      select moved.id, change.by, ${kind}, change.order_id, ${at} from moved join change using (id)
    ), released as (
      delete from stock_reservations where order_id = any(${orderIds}::bigint[])
    )
    select id as "productId", now_on_hand - by as before, now_on_hand as after, at as "soldOutAt", low_at as "lowAt"
    from moved`.execute(tx)
  await announceChange(tx, 'product.updated', ...rows.map(({ productId }) => productId))
  return rows
}
