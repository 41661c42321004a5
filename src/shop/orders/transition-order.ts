import { sql, type Transaction } from 'kysely'
import { releaseStock } from '#database/catalog/stock.ts'
import { recordSale } from '#database/catalog/total-sales.ts'
import { giveBackCouponUses, takeCouponUses } from '#database/coupons/coupons.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { announceChange } from '#database/operations/announce-change.ts'
import { appendToLedger, findLedgerEnd, type LedgerEnd, type LedgerEvent } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, type OrderItemRow, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { findRestocked } from '#database/payments/refunds.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { isAllowedTransition, type OrderStatus, takesStock, usesCoupons } from '#domain/orders/order-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { announceTransition } from '../mail/mail-events.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { announceStatus } from './announce-order.ts'
import { grantDownloads } from './downloads/grant-downloads.ts'
import { isImported } from './imported-order.ts'
import { stockNeeds } from './order-lines.ts'
import { extendReservation, returnOrderStock, takeOrderStock } from './reserve-order-stock.ts'

export type OrderTransition = {
  readonly to: OrderStatus
  /** Reason, as an order note for the merchant. */
  readonly note: string
  /** Columns that change with the status, mostly the payment state. */
  readonly change?: Partial<Pick<OrderRow, 'payment_state' | 'transaction_id' | 'paid_at' | 'attention'>>
  /** Ledger event with its own facts; the new status is added. By default the status is its name. */
  readonly event?: LedgerEvent
  /** False: no restock, although the new status needs no stock. */
  readonly restock?: boolean
  /** The money was received: the transition proceeds even where a coupon is used up. */
  readonly moneyIsHere?: boolean
  /** No emails: the order goes to the trash. */
  readonly quiet?: boolean
  /** Stock is neither reduced nor reserved: it is missing. A later transition reduces it. */
  readonly withoutPieces?: boolean
}

export type TransitionRefusal =
  /** The table of transitions does not allow it. */
  | 'not-allowed'
  /** The stock that the new status needs is missing. */
  | 'sold-out'
  | 'coupon-used-up'
  /** The order was imported from another shop: history does not change. */
  | 'imported'

export type TransitionResult = { ok: true; order: OrderRow } | { ok: false; reason: TransitionRefusal }

/**
 * Transitions an order to a status with all effects: stock, reservation, coupon uses, downloads, note, ledger, emails.
 * No other code changes the status of a placed order. `tx` must hold the lock on the order's row, and `order` must have
 * been read under it. A refusal changes nothing; a transition to the same status changes only `change`.
 * @param known rows of the order that were read under the lock
 */
export async function transitionLockedOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  move: OrderTransition,
  known: Partial<Known> = {},
): Promise<TransitionResult> {
  const { status: from } = order
  const { to } = move
  if (isImported(order)) return { ok: false, reason: 'imported' }
  if (!isAllowedTransition(from, to)) {
    // The caller gets the reason: for the shop a refusal is routine.
    tools.log.info({ orderId: order.id, from, to }, 'order transition refused')
    return { ok: false, reason: 'not-allowed' }
  }
  if (from === to && !move.change && !move.event) return { ok: true, order }
  const saved = sql`savepoint move_order`.execute(tx)
  // A failure also fails the statements after it.
  saved.catch(() => undefined)
  const [items, restocked, ledgerEnd] = await Promise.all([
    known.items ?? findOrderItems(tx, order.id),
    known.restocked ?? findRestocked(tx, order.id),
    known.ledgerEnd ?? findLedgerEnd(tx, order.id),
  ])
  const facts = { items, restocked, ledgerEnd }
  const [refused] = await Promise.all([
    from === to ? null : moveStockAndCoupons(tools, tx, order, move, facts),
    // Awaited here: where everything is known, the next statements are sent together with it.
    saved,
  ])
  if (refused) {
    await sql`rollback to savepoint move_order`.execute(tx)
    return { ok: false, reason: refused }
  }
  const [moved] = await Promise.all([
    writeTransition(tools, tx, order, move, facts),
    sql`release savepoint move_order`.execute(tx),
  ])
  return { ok: true, order: moved }
}

/** Rows of an order that a transition needs, read under its lock. */
export type Known = {
  items: readonly OrderItemRow[]
  /** Quantities by line that refunds restocked. */
  restocked: ReadonlyMap<number, number>
  ledgerEnd: LedgerEnd
}

/** Changes stock, then coupons: the lock order of all transactions. */
async function moveStockAndCoupons(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  { to, restock = true, moneyIsHere = false, withoutPieces = false }: OrderTransition,
  { items, restocked }: Known,
): Promise<TransitionRefusal | null> {
  if (withoutPieces) await releaseStock(tx, order.id)
  else if (takesStock(to) && !order.stock_reduced) {
    if (!(await takeOrderStock(tools, tx, order.id, items, restocked))) return 'sold-out'
  } else if (!takesStock(to) && to !== 'refunded') {
    // The refund decides what it restocks.
    if (order.stock_reduced && restock) {
      await returnOrderStock(tools, tx, order.id, stockNeeds(items, restocked))
    }
    if (to === 'pending') {
      const unreserved = { ...order, stock_reduced: order.stock_reduced && !restock }
      if (!(await extendReservation(tools, tx, unreserved, items))) return 'sold-out'
    } else await releaseStock(tx, order.id)
  }

  if (usesCoupons(order.status) && !usesCoupons(to)) await giveBackCouponUses(tx, order.id)
  if (!usesCoupons(order.status) && usesCoupons(to) && !(await recordCouponUsesAgain(tx, order, items))) {
    if (!moneyIsHere) return 'coupon-used-up'
    const note = 'A coupon of this order was used up by others meanwhile: the price stays, the use is not counted.'
    await addOrderNote(tx, order.id, note, tools.clock.now())
  }
  return null
}

/** Uses the coupons again; false, without any change, when a limit is reached. Deleted coupons are skipped. */
export async function recordCouponUsesAgain(
  tx: Transaction<Schema>,
  order: OrderRow,
  items: readonly OrderItemRow[],
): Promise<boolean> {
  const named = items.filter(({ type }) => type === 'coupon').map(({ facts }) => Number(facts.couponId))
  if (named.length === 0) return true
  const there = await tx.selectFrom('coupons').select('id').where('id', 'in', named).execute()
  const email = String(order.billing.email ?? '')
  await sql`savepoint use_coupons`.execute(tx)
  const ids = there.map(({ id }) => id)
  if ((await takeCouponUses(tx, order.id, ids, emailIdentity(email))) === null) return true
  await sql`rollback to savepoint use_coupons`.execute(tx)
  return false
}

async function writeTransition(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  { to, note, change = {}, event, restock = true, withoutPieces = false, quiet = false }: OrderTransition,
  { items, ledgerEnd }: Known,
): Promise<OrderRow> {
  const now = tools.clock.now()
  const { id, status: from } = order
  const keepsAway = order.stock_reduced && (to === 'refunded' || !restock)
  const stockReduced = (takesStock(to) && !withoutPieces) || keepsAway
  const intention = to === 'cancelled' && from !== to ? { intention: freedIntention(order) } : {}
  // A transition takes the order out of the trash, as does money that arrives for it.
  const moved = { ...change, ...intention, trashed_at: null, status: to, stock_reduced: stockReduced, updated_at: now }
  const after = { ...order, ...moved }
  const { kind, data } = event ?? { kind: to, data: {} }
  await Promise.all([
    updateOrder(tx, id, moved),
    isPaid(after.payment_state) || to === 'completed' ? grantDownloads(tools, tx, after, items) : null,
    addOrderNote(tx, id, note, now),
    appendToLedger(tx, id, now, [{ kind, data: { ...data, from, status: to } }], sha256, ledgerEnd),
    quiet ? null : announceTransition(tx, { orderId: id, from, to }),
    // A refunded sale still counts as a sale.
    takesStock(to) !== takesStock(from) && to !== 'refunded' ? recordSale(tx, [id], takesStock(to) ? 1 : -1) : null,
  ])
  if (order.trashed_at !== null) await announceChange(tx, 'order.restored', id)
  await announceStatus(tx, { id, from, to, newlyPaid: isPaid(after.payment_state) && !isPaid(order.payment_state) })
  return after
}

/** Frees the intention of a cancelled order: the same press may place a new one. */
function freedIntention({ id, intention }: OrderRow): string {
  const end = `:${id}`
  return intention.endsWith(end) ? intention : intention + end
}
