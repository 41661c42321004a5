import type { Transaction } from 'kysely'
import { giveBackCouponUses } from '#database/coupons/coupons.ts'
import { eraseOrders } from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { announceChange } from '#database/operations/announce-change.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import { findAttempts, findAuthorizations, findCaptures } from '#database/payments/payments.ts'
import { findDisputes, findRefunds } from '#database/payments/refunds.ts'
import { isAllowedTransition, usesCoupons } from '#domain/orders/order-status.ts'
import { isOpen } from '#domain/payments/money-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { isUnsettled } from '../payments/operation/payment-attempt.ts'
import { sha256 } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { isImported } from './imported-order.ts'
import { recordCouponUsesAgain, transitionLockedOrder } from './transition-order.ts'

export type TrashResult =
  | { ok: true; order: OrderRow }
  | {
      ok: false
      reason:
        | 'not-found'
        | 'already-trashed'
        /** Money is authorized, in review, disputed or on its way. */
        | 'money-under-way'
        /** The provider moved money for this order: its ledger must stay complete. */
        | 'has-payment'
    }

/**
 * Moves an order to the trash. An unpaid one is cancelled first, without emails, so that nothing can pay it and its
 * stock returns; a paid one keeps its status and stock. Coupon uses are released. One that was imported from another
 * shop has none of it, and no ledger.
 */
export function trashOrder(tools: Tools, orderId: number): Promise<TrashResult> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || order.deleted_at !== null) return { ok: false, reason: 'not-found' }
    if (order.trashed_at !== null) return { ok: false, reason: 'already-trashed' }
    return trashLockedOrder(tools, tx, order)
  })
}

/**
 * Deletes an order for good: it is anonymized and shown nowhere, and its row stays for the ledger, which is
 * append-only. An order with money at the provider is not deleted.
 * @returns the order as it was before
 */
export function deleteOrder(tools: Tools, orderId: number): Promise<TrashResult> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || order.deleted_at !== null) return { ok: false, reason: 'not-found' }
    const [captures, authorizations] = await Promise.all([findCaptures(tx, orderId), findAuthorizations(tx, orderId)])
    if (captures.length > 0 || authorizations.length > 0) return { ok: false, reason: 'has-payment' }
    const trashed: TrashResult =
      order.trashed_at === null ? await trashLockedOrder(tools, tx, order) : { ok: true, order }
    if (!trashed.ok) return trashed
    const now = tools.clock.now()
    await eraseOrders(tx, [orderId], now)
    await updateOrder(tx, orderId, { deleted_at: now })
    const data = { status: trashed.order.status }
    if (!isImported(order)) await appendToLedger(tx, orderId, now, [{ kind: 'deleted', data }], sha256)
    return { ok: true, order }
  })
}

async function trashLockedOrder(tools: Tools, tx: Transaction<Schema>, order: OrderRow): Promise<TrashResult> {
  if (await isMoneyUnderWay(tx, order)) return { ok: false, reason: 'money-under-way' }
  const now = tools.clock.now()
  const note = 'Moved to the trash.'
  let { status } = order
  const isUnpaid = !isImported(order) && !isPaid(order.payment_state) && order.payment_state !== 'refunded'
  if (isUnpaid && status !== 'cancelled' && isAllowedTransition(status, 'cancelled')) {
    const change = { payment_state: 'failed' } as const
    const moved = await transitionLockedOrder(tools, tx, order, { to: 'cancelled', note, change, quiet: true })
    if (!moved.ok) throw new Error(`the order ${order.id} cannot be cancelled: ${moved.reason}`)
    status = 'cancelled'
  } else {
    await giveBackCouponUses(tx, order.id)
    await addOrderNote(tx, order.id, note, now)
  }
  if (!isImported(order)) await appendToLedger(tx, order.id, now, [{ kind: 'trashed', data: { status } }], sha256)
  await updateOrder(tx, order.id, { trashed_at: now, updated_at: now })
  await announceChange(tx, 'order.deleted', order.id)
  const trashed = await lockOrder(tx, order.id)
  if (!trashed) throw new Error(`the order ${order.id} is missing`)
  return { ok: true, order: trashed }
}

/**
 * Takes an order out of the trash, in the status that it has there. A coupon that was used up meanwhile is not counted
 * again. The order's row must be locked.
 */
export async function restoreLockedOrder(tools: Tools, tx: Transaction<Schema>, order: OrderRow): Promise<void> {
  const { id, status } = order
  const now = tools.clock.now()
  if (usesCoupons(status) && !isImported(order)) await recordCouponUsesAgain(tx, order, await findOrderItems(tx, id))
  await addOrderNote(tx, id, 'Restored from the trash.', now)
  if (!isImported(order)) await appendToLedger(tx, id, now, [{ kind: 'restored', data: { status } }], sha256)
  await updateOrder(tx, id, { trashed_at: null, updated_at: now })
  await announceChange(tx, 'order.restored', id)
}

const openStates: ReadonlySet<string> = new Set([
  'authorising',
  'authorised',
  'review',
  'captured',
  'attention',
  'disputed',
])

/** Reports whether money of the order is on its way, or its state at the provider is not settled. */
async function isMoneyUnderWay(tx: Transaction<Schema>, { id, payment_state }: OrderRow): Promise<boolean> {
  if (openStates.has(payment_state)) return true
  const [attempts, holds, refunds, disputes] = await Promise.all([
    findAttempts(tx, id),
    findAuthorizations(tx, id),
    findRefunds(tx, id),
    findDisputes(tx, id),
  ])
  return (
    attempts.some((attempt) => attempt.step !== 'create' && attempt.step !== 'update' && isUnsettled(attempt)) ||
    holds.some(({ status }) => status === 'CREATED' || status === 'PENDING') ||
    refunds.some(({ state }) => state === 'open' || state === 'pending') ||
    disputes.some(isOpen)
  )
}
