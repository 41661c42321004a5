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

/** What is missing: the product whose stock does not suffice, and how many pieces could be had. */
export type StockShortage = { productId: number; available: number }

/**
 * Reserves what an order needs until the hold time from now, or says what is missing and reserves nothing.
 * The stock rows stay locked until the transaction ends. Of many pieces only so many are kept from others as the shop says, so
 * that nobody empties it without paying; whether all of them are there is asked again before money is taken.
 */
export async function reserveOrderStock(
  tools: Tools,
  tx: Transaction<Schema>,
  order: { id: number; isNew: boolean },
  needs: ReadonlyMap<number, number>,
): Promise<StockShortage | null> {
  const now = tools.clock.now()
  const levels = await lockStock(tx, [...needs.keys()], order.isNew ? null : order.id, now)
  const shortage = shortageIn(levels, needs)
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

/** The first product of which fewer pieces can be had than are needed; null: all are there, or may be ordered without. */
export function shortageIn(
  levels: ReadonlyMap<number, StockLevel>,
  needs: ReadonlyMap<number, number>,
): StockShortage | null {
  for (const [productId, quantity] of needs) {
    const level = levels.get(productId)
    if (level?.backorders !== 'no') continue
    const available = level.onHand - level.reservedByOthers
    if (available < quantity) return { productId, available: Math.max(0, available) }
  }
  return null
}

/**
 * Holds an order's stock for another while; false when it was let go and others have taken it.
 * @param items what it consists of, where that was read under the order's lock
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
 * Takes an order's pieces off the shelf; false, with nothing taken, when they are not there.
 * @param restocked pieces by line that came back for good with a refund
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
 * Takes the pieces of several new orders off the shelf, in the order of the orders.
 * @throws where a piece is not there; the transaction is over then
 */
export async function takeStockOfOrders(
  tools: Tools,
  tx: Transaction<Schema>,
  orders: readonly OrderPieces[],
): Promise<void> {
  const moves = await sellStock(tx, orders, tools.clock.now())
  await showAvailability(tools, tx, moves)
  // Whoever takes the last piece tells of it.
  const last = new Map(
    orders.flatMap(({ orderId, quantities }) => [...quantities.keys()].map((id) => [id, orderId] as const)),
  )
  for (const move of moves) {
    const orderId = last.get(move.productId)
    if (orderId !== undefined) await announceStock(tx, orderId, [move])
  }
}

/** Puts pieces of an order back on the shelf. @param needs pieces per stock owner */
export async function returnOrderStock(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  needs: ReadonlyMap<number, number>,
): Promise<void> {
  await showAvailability(tools, tx, await returnStock(tx, { orderId, quantities: needs }, tools.clock.now()))
}

/** Lets pages know which products have become available, are so no longer, or are nearly gone. */
async function showAvailability(
  tools: Tools,
  tx: Transaction<Schema>,
  moves: readonly StockChangeResult[],
): Promise<void> {
  const told = moves.filter(changedAvailability).map(({ productId }) => productId)
  if (told.length === 0) return
  await catalogChanged(tx, await deriveColumns(tx, told, tools.clock.now()))
}
