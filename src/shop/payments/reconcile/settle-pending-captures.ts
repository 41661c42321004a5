import type { Transaction } from 'kysely'
import type { Capture } from '#contract/paypal/capture.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, findLedger } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, lockOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type CaptureRow,
  findAttempts,
  findAuthorizations,
  findCapture,
  findCaptures,
  findPendingCaptures,
  setCaptureStatus,
} from '#database/payments/payments.ts'
import { findDisputes, findRefunds, findRestocked } from '#database/payments/refunds.ts'
import { recordProviderChecks } from '#database/payments/wallet-orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import {
  duplicateCapture,
  isDenied,
  paymentStateFromCaptures,
  paymentStateWithoutCapture,
} from '#domain/payments/money-status.ts'
import type { PaymentState } from '#domain/payments/payment-state.ts'
import { isReconciliationDue } from '#domain/payments/reconciliation.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { isUnsettled } from '../operation/payment-attempt.ts'
import { settleLateCapture } from '../operation/record-capture.ts'
import { importProviderRefunds } from '../refund/match-provider-refunds.ts'

type Tx = Transaction<Schema>

/**
 * Reads captures that were pending when their orders went into manual review, after about 1, 5, 15 and 60 minutes and
 * then hourly: a bank may take days.
 * @returns the number of captures read
 */
export async function settlePendingCaptures(tools: Tools): Promise<number> {
  const now = tools.clock.now()
  const waiting = await findPendingCaptures(tools.db.kysely, 1000)
  const due = waiting.filter(({ captured_at, checked_at }) => isReconciliationDue(captured_at, checked_at, now))
  const ids = due.map(({ order_id }) => order_id)
  await recordProviderChecks(tools.db.kysely, ids, now)
  for (const id of new Set(ids)) {
    await settleCapturesOf(tools, id).catch((error: unknown) =>
      tools.log.error({ orderId: id, error: String(error) }, 'pending capture could not be read'),
    )
  }
  return due.length
}

/** Applies PayPal's decisions to the pending captures of an order in manual review. */
export async function settleCapturesOf(tools: Tools, orderId: number): Promise<'none' | 'settled' | 'unreachable'> {
  const pending = (await findCaptures(tools.db.kysely, orderId)).filter(({ status }) => status === 'PENDING')
  let news = false
  for (const capture of pending) {
    const read = await tools.paypal?.getOrder(capture.wallet_order_id)
    if (!read?.ok) {
      if (read?.kind === 'refused' && read.status === 404) continue
      return 'unreachable'
    }
    const captures = read.value.purchase_units?.flatMap(({ payments }) => payments?.captures ?? []) ?? []
    const theirs = captures.find(({ id }) => id === capture.id)
    if (!theirs || theirs.status === 'PENDING') continue
    news = (await transaction(tools, (tx) => settle(tools, tx, capture, theirs, read.value))) || news
    if (!isDenied(theirs) && theirs.status !== 'COMPLETED') await importProviderRefunds(tools, capture)
  }
  return news ? 'settled' : 'none'
}

async function settle(
  tools: Tools,
  tx: Tx,
  { id, order_id: orderId }: CaptureRow,
  theirs: Capture,
  wallet: WalletOrder,
): Promise<boolean> {
  const order = await lockOrder(tx, orderId)
  const capture = await findCapture(tx, id)
  // In other states the payment attempt itself records the decision.
  if (order?.payment_state !== 'attention' || capture?.status !== 'PENDING') return false
  const now = tools.clock.now()
  const denied = isDenied(theirs)
  const status = denied ? theirs.status : 'COMPLETED'
  await setCaptureStatus(tx, id, status)
  const data = { capture: id, status, amount: capture.amount, currency: capture.currency }
  const ledgerEnd = await appendToLedger(tx, orderId, now, [{ kind: 'capture-recorded', data }], sha256)
  tools.log.info({ orderId, capture: id, status }, 'pending capture settled')
  if (!denied) {
    await addOrderNote(tx, orderId, `The payment that was pending has come (capture ${id}).`, now)
    if (capture.stray) return true
    const [items, restocked] = await Promise.all([findOrderItems(tx, orderId), findRestocked(tx, orderId)])
    await settleLateCapture(tools, tx, order, { items, restocked, ledgerEnd }, id, wallet)
    return true
  }
  const state = await standingOf(tx, order)
  const why = `the payment was denied (capture ${id})`
  await transitionLockedOrder(tools, tx, order, {
    to: order.status === 'pending' && state === 'failed' ? 'failed' : order.status,
    note: `The provider denied the payment (capture ${id}).`,
    change: state ? { payment_state: state, attention: null } : { attention: `${order.attention}; ${why}` },
    event: { kind: state ?? 'needs-attention', data: { capture: id, why } },
  })
  return true
}

/** Returns the payment state of an order without its denied captures; null where it still needs manual review. */
async function standingOf(tx: Tx, order: OrderRow): Promise<PaymentState | null> {
  const [captures, refunds, disputes, holds, attempts, ledger] = await Promise.all([
    findCaptures(tx, order.id),
    findRefunds(tx, order.id),
    findDisputes(tx, order.id),
    findAuthorizations(tx, order.id),
    findAttempts(tx, order.id),
    findLedger(tx, order.id),
  ])
  if (attempts.some(isUnsettled) || duplicateCapture(captures)) return null
  if (holds.some(({ status }) => status === 'CREATED' || status === 'PENDING')) return null
  const back = refunds
    .filter(({ state, stray }) => state === 'done' && !stray)
    .reduce((sum, { amount }) => sum + amount, 0)
  if (captures.some((capture) => !capture.stray && !isDenied(capture))) {
    const counts = takesStock(order.status) || order.status === 'refunded'
    return counts ? paymentStateFromCaptures(order, back, captures, disputes) : null
  }
  return paymentStateWithoutCapture(order, back, { paidByHand: ledger.some(({ kind }) => kind === 'paid-by-hand') })
}
