import { sql, type Transaction } from 'kysely'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import {
  changedAvailability,
  lockStock,
  type OrderPieces,
  reserveStock,
  returnStock,
  type StockChangeResult,
  type StockLevel,
  sellStock,
} from '#database/catalog/stock.ts'
import { brokenConstraint } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findOrderItems, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { announceStock } from '../mail/mail-events.ts'
import type { Tools } from '../shared/tools.ts'
import { stockNeeds } from './order-lines.ts'

/** Product with insufficient stock, and its available quantity. */
export type StockShortage = { productId: number; available: number }

/**
 * Reserves an order's stock for the hold time, or returns the shortage and reserves nothing. The stock rows stay locked
 * until the transaction ends. The shop limits the reserved quantity, so that unpaid orders cannot block all stock; full
 * availability is checked again before the capture.
 */
export async function reserveOrderStock(
  tools: Tools,
  tx: Transaction<Schema>,
  order: { id: number; isNew: boolean },
  needs: ReadonlyMap<number, number>,
): Promise<StockShortage | null> {
  const now = tools.clock.now()
  const levels = await lockStock(tx, [...needs.keys()], order.isNew ? null : order.id, now)
  // An order placed before keeps what it reserved when there was more.
  const shortage = shortageIn(levels, needs, order.isNew ? tools.settings.outOfStockAmount : 0)
  if (shortage) return shortage
  const reserve = new Map(
    [...needs]
      .filter(([productId]) => levels.has(productId))
      .map(([productId, quantity]) => [productId, Math.min(quantity, tools.settings.holdStockPieces)]),
  )
  const expiresAt = new Date(now.getTime() + tools.settings.holdStockMinutes * 60_000)
  await reserveStock(tx, order.id, reserve, expiresAt, order.isNew)
  return null
}

/**
 * Returns the first product with a shortage; null where all are available or on backorder.
 * @param soldOutAt at or below this stock a product is sold out
 */
export function shortageIn(
  levels: ReadonlyMap<number, StockLevel>,
  needs: ReadonlyMap<number, number>,
  soldOutAt = 0,
): StockShortage | null {
  for (const [productId, quantity] of needs) {
    const level = levels.get(productId)
    if (level?.backorders !== 'no') continue
    const available = level.onHand - level.reservedByOthers
    if (level.onHand <= soldOutAt) return { productId, available: 0 }
    if (available < quantity) return { productId, available: Math.max(0, available) }
  }
  return null
}

/**
 * Extends an order's reservation; false where it has expired and the stock was sold.
 * @param items the order's items, where they were read under its lock
 */
export async function extendReservation(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  items?: readonly OrderItemRow[],
): Promise<boolean> {
  if (order.stock_reduced) return true
  const needs = stockNeeds(items ?? (await findOrderItems(tx, order.id)))
  return (await reserveOrderStock(tools, tx, { id: order.id, isNew: false }, needs)) === null
}

/**
 * Reduces stock by an order's items; false, without any change, where they are not available.
 * @param restocked quantities by line that a refund restocked for good
 */
export async function takeOrderStock(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  items: readonly OrderItemRow[],
  restocked: ReadonlyMap<number, number> = new Map(),
): Promise<boolean> {
  const needs = stockNeeds(items, restocked)
  if (needs.size === 0) return true
  let moves: StockChangeResult[]
  try {
    ;[, moves] = await Promise.all([
      sql`savepoint take_stock`.execute(tx),
      sellStock(tx, [{ orderId, quantities: needs }], tools.clock.now()),
      sql`release savepoint take_stock`.execute(tx),
    ])
  } catch (error) {
    if (brokenConstraint(error) !== 'products_stock_not_negative') throw error
    await sql`rollback to savepoint take_stock`.execute(tx)
    return false
  }
  await showAvailability(tools, tx, moves)
  await announceStock(tx, orderId, moves)
  return true
}

/**
 * Reduces stock by several new orders, in their sequence.
 * @throws where stock is missing; the transaction has failed then
 */
export async function takeStockOfOrders(
  tools: Tools,
  tx: Transaction<Schema>,
  orders: readonly OrderPieces[],
): Promise<void> {
  const moves = await sellStock(tx, orders, tools.clock.now())
  await showAvailability(tools, tx, moves)
  // The order that takes the last piece reports it.
  const last = new Map(
    orders.flatMap(({ orderId, quantities }) => [...quantities.keys()].map((id) => [id, orderId] as const)),
  )
  for (const move of moves) {
    const orderId = last.get(move.productId)
    if (orderId !== undefined) await announceStock(tx, orderId, [move])
  }
}

/** Restocks quantities of an order. @param needs quantities per stock owner */
export async function returnOrderStock(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  needs: ReadonlyMap<number, number>,
): Promise<void> {
  await showAvailability(tools, tx, await returnStock(tx, { orderId, quantities: needs }, tools.clock.now()))
}

/** Invalidates pages of products that became available, unavailable or low in stock. */
async function showAvailability(
  tools: Tools,
  tx: Transaction<Schema>,
  moves: readonly StockChangeResult[],
): Promise<void> {
  const changedIds = moves.filter(changedAvailability).map(({ productId }) => productId)
  if (changedIds.length === 0) return
  await catalogChanged(tx, await deriveColumns(tx, changedIds, tools.clock.now()))
}
