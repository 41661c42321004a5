import { sql, type Transaction } from 'kysely'
import { releaseStock } from '#database/catalog/stock.ts'
import { recordSale } from '#database/catalog/total-sales.ts'
import { giveBackCouponUses, takeCouponUses } from '#database/coupons/coupons.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, findLedgerEnd, type LedgerEnd, type LedgerEvent } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, type OrderItemRow, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { findRestocked } from '#database/payments/refunds.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { isAllowedTransition, type OrderStatus, takesStock, usesCoupons } from '#domain/orders/order-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { announceTransition } from '../mail/mail-events.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { grantDownloads } from './downloads/grant-downloads.ts'
import { stockNeeds } from './order-lines.ts'
import { extendReservation, returnOrderStock, takeOrderStock } from './reserve-order-stock.ts'

export type OrderTransition = {
  readonly to: OrderStatus
  /** Why, for the merchant to read among the notes. */
  readonly note: string
  /** What of the order changes with its status: how its money stands, mostly. */
  readonly change?: Partial<Pick<OrderRow, 'payment_state' | 'transaction_id' | 'paid_at' | 'attention'>>
  /** How the ledger names it, with facts of its own; the new status is added. Else the status is its name. */
  readonly event?: LedgerEvent
  /** False: the pieces do not come back although the new status takes none. */
  readonly restock?: boolean
  /** The money is here: the order goes on even where a coupon was used up by others meanwhile. */
  readonly moneyIsHere?: boolean
  /** No pieces are taken, and none stay held: they are not there. A later move takes them. */
  readonly withoutPieces?: boolean
}

export type TransitionRefusal =
  /** The table of moves has no such move. */
  | 'not-allowed'
  /** The pieces that the new status takes are not there. */
  | 'sold-out'
  | 'coupon-used-up'

export type TransitionResult = { ok: true; order: OrderRow } | { ok: false; reason: TransitionRefusal }

/**
 * Moves an order to a status, with all that follows from it: stock taken, held or returned, uses of coupons, downloads,
 * a note, the ledger, the messages. Once an order was placed, nothing else changes its status. The order's row must be locked by `tx`, and
 * `order` be what was read under that lock. A refusal changes nothing; a move to where the order is changes only `change`.
 * @param known of it, where that was read under the lock too
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
  if (!isAllowedTransition(from, to)) {
    // Who asked is told why: to the shop it is nothing out of the way.
    tools.log.info({ orderId: order.id, from, to }, 'a move of an order was refused')
    return { ok: false, reason: 'not-allowed' }
  }
  if (from === to && !move.change && !move.event) return { ok: true, order }
  const saved = sql`savepoint move_order`.execute(tx)
  // Should it fail, so does what is asked for after it.
  saved.catch(() => undefined)
  const [items, restocked, ledgerEnd] = await Promise.all([
    known.items ?? findOrderItems(tx, order.id),
    known.restocked ?? findRestocked(tx, order.id),
    known.ledgerEnd ?? findLedgerEnd(tx, order.id),
  ])
  const facts = { items, restocked, ledgerEnd }
  const [refused] = await Promise.all([
    from === to ? null : takeAndReturn(tools, tx, order, move, facts),
    // Waited for here: where all is known, what follows leaves together with it.
    saved,
  ])
  if (refused) {
    await sql`rollback to savepoint move_order`.execute(tx)
    return { ok: false, reason: refused }
  }
  const [moved] = await Promise.all([
    writeMove(tools, tx, order, move, facts),
    sql`release savepoint move_order`.execute(tx),
  ])
  return { ok: true, order: moved }
}

/** What a move needs to know of an order, read under its lock. */
export type Known = {
  items: readonly OrderItemRow[]
  /** Pieces by line that refunds have put back. */
  restocked: ReadonlyMap<number, number>
  ledgerEnd: LedgerEnd
}

/** Stock before coupons: everybody locks them in this order. */
async function takeAndReturn(
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
    // What a refund gives back to the shelf is decided with the refund.
    if (order.stock_reduced && restock) {
      await returnOrderStock(tools, tx, order.id, stockNeeds(items, restocked))
    }
    if (to === 'pending') {
      const unreserved = { ...order, stock_reduced: order.stock_reduced && !restock }
      if (!(await extendReservation(tools, tx, unreserved, items))) return 'sold-out'
    } else await releaseStock(tx, order.id)
  }

  if (usesCoupons(order.status) && !usesCoupons(to)) await giveBackCouponUses(tx, order.id)
  if (!usesCoupons(order.status) && usesCoupons(to) && !(await takeCouponsAgain(tx, order, items))) {
    if (!moneyIsHere) return 'coupon-used-up'
    const note = 'A coupon of this order was used up by others meanwhile: the price stays, the use is not counted.'
    await addOrderNote(tx, order.id, note, tools.clock.now())
  }
  return null
}

/** False, with nothing taken, when a coupon's limit is reached. A coupon that is no more is left out. */
async function takeCouponsAgain(
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

async function writeMove(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  { to, note, change = {}, event, restock = true, withoutPieces = false }: OrderTransition,
  { items, ledgerEnd }: Known,
): Promise<OrderRow> {
  const now = tools.clock.now()
  const { id, status: from } = order
  const keepsAway = order.stock_reduced && (to === 'refunded' || !restock)
  const stockReduced = (takesStock(to) && !withoutPieces) || keepsAway
  const intention = to === 'cancelled' && from !== to ? { intention: freedIntention(order) } : {}
  const moved = { ...change, ...intention, status: to, stock_reduced: stockReduced, updated_at: now }
  const after = { ...order, ...moved }
  const { kind, data } = event ?? { kind: to, data: {} }
  await Promise.all([
    updateOrder(tx, id, moved),
    isPaid(after.payment_state) || to === 'completed' ? grantDownloads(tools, tx, after, items) : null,
    addOrderNote(tx, id, note, now),
    appendToLedger(tx, id, now, [{ kind, data: { ...data, from, status: to } }], sha256, ledgerEnd),
    announceTransition(tx, { orderId: id, from, to }),
    // What was sold and given back was sold all the same.
    takesStock(to) !== takesStock(from) && to !== 'refunded' ? recordSale(tx, [id], takesStock(to) ? 1 : -1) : null,
  ])
  return after
}

/** The press that made a cancelled order may make a new one, however often it is sent. */
function freedIntention({ id, intention }: OrderRow): string {
  const end = `:${id}`
  return intention.endsWith(end) ? intention : intention + end
}
