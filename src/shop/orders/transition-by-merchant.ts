import type { Transaction } from 'kysely'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findOrder, lockOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type CaptureRow,
  findAttempts,
  findAuthorizations,
  findCaptures,
  setCaptureStatus,
} from '#database/payments/payments.ts'
import { findDisputes, findRefunds } from '#database/payments/refunds.ts'
import { isAllowedTransition, isPaidByHand, type OrderStatus } from '#domain/orders/order-status.ts'
import { isDenied, isUndecided, matchingCapture } from '#domain/payments/money-status.ts'
import { isAllowedPaymentTransition, isPaid } from '#domain/payments/payment-state.ts'
import { captureAuthorizedPayment } from '../payments/operation/capture-authorization.ts'
import { isUnsettled } from '../payments/operation/payment-attempt.ts'
import { voidAuthorizedPayment } from '../payments/operation/void-authorization.ts'
import type { Tools } from '../shared/tools.ts'
import { isImported } from './imported-order.ts'
import { type OrderTransition, type TransitionRefusal, transitionLockedOrder } from './transition-order.ts'
import { restoreLockedOrder } from './trash-order.ts'

export type MerchantTransition = {
  readonly to: OrderStatus
  /** The merchant's note; by default the note names the two statuses. */
  readonly note?: string
  /** False: a cancelled order does not restock. */
  readonly restock?: boolean
  /** An order in the trash is restored; otherwise it is not found. */
  readonly fromTrash?: boolean
  /** The merchant received the money outside PayPal, whatever the method and status. */
  readonly paid?: { readonly transactionId?: string }
}

export type MerchantTransitionResult =
  | { ok: true; order: OrderRow }
  | {
      ok: false
      reason:
        | TransitionRefusal
        | 'not-found'
        /** The outcome at PayPal is unknown. */
        | 'money-under-way'
        /** Requires a refund, which also decides the way of the money. */
        | 'refund-instead'
        /** PayPal did not capture or void the authorization: the status stays. */
        | 'held-money-stays'
    }

/**
 * Transitions an order on behalf of the merchant. Completing an unpaid one records a payment outside PayPal; an
 * authorization is captured with it, and voided when the order is cancelled.
 */
export async function transitionOrder(
  tools: Tools,
  orderId: number,
  wanted: MerchantTransition,
): Promise<MerchantTransitionResult> {
  for (;;) {
    const before = await findOrder(tools.db.kysely, orderId)
    const state = before?.payment_state
    if (before && ((state === 'authorised' && before.status !== wanted.to) || state === 'attention')) {
      const moved = await settleAuthorization(tools, before, wanted)
      if (moved) return moved
    }
    const result = await transaction(tools, (tx) => transitionIfUnchanged(tools, tx, { orderId, state }, wanted))
    if (result !== 'held-meanwhile') return result
  }
}

/**
 * Transitions the order if its payment state is still the one read before.
 * @param seen payment state at that read
 * @returns that an authorization came in between, which must be captured or voided first
 */
async function transitionIfUnchanged(
  tools: Tools,
  tx: Transaction<Schema>,
  seen: { orderId: number; state: OrderRow['payment_state'] | undefined },
  { to, note, restock = true, paid, fromTrash = false }: MerchantTransition,
): Promise<MerchantTransitionResult | 'held-meanwhile'> {
  const order = await lockOrder(tx, seen.orderId)
  if (!order || order.deleted_at !== null) return { ok: false, reason: 'not-found' }
  const isRestoreOnly = order.trashed_at !== null && fromTrash && order.status === to && paid === undefined
  if (isImported(order) && !isRestoreOnly) return { ok: false, reason: 'imported' }
  if (order.trashed_at !== null) {
    if (!fromTrash) return { ok: false, reason: 'not-found' }
    await restoreLockedOrder(tools, tx, order)
  }
  const isPayment = paid !== undefined && !isPaid(order.payment_state)
  if (order.status === to && !isPayment) return { ok: true, order }
  if (to === 'refunded') return { ok: false, reason: 'refund-instead' }
  const { payment_state: state } = order
  if (['authorising', 'review', 'captured'].includes(state)) return { ok: false, reason: 'money-under-way' }
  // Recorded between read and lock: it would count as paid by hand, or stay authorized for a cancelled order.
  if (state !== seen.state && (state === 'authorised' || state === 'attention')) return 'held-meanwhile'
  const money = await paymentChange(tools, tx, order, to, isPayment ? paid : undefined)
  const noteText = note ?? `The status was changed from ${order.status} to ${to}.`
  return transitionLockedOrder(tools, tx, order, { to, note: noteText, restock, ...money })
}

/** Captures or voids the authorization; null where the transition may proceed. */
async function settleAuthorization(
  tools: Tools,
  order: OrderRow,
  wanted: MerchantTransition,
): Promise<MerchantTransitionResult | null> {
  const { to, note, restock = true } = wanted
  const ends = to === 'cancelled' || to === 'failed'
  // Money in review is not captured. Yet a cancelled order keeps no authorization.
  const inAttention = order.payment_state === 'attention'
  if (inAttention && (!ends || !isAllowedTransition(order.status, to))) return null
  if (to === 'processing' || to === 'completed') {
    const taken = await captureAuthorizedPayment(tools, order.id)
    return taken.ok && taken.state === 'paid' ? null : { ok: false, reason: 'held-money-stays' }
  }
  // A pending order is cancelled after the hold time, and the money would stay authorized.
  if (to === 'pending') return { ok: false, reason: 'money-under-way' }
  if (!ends) return null
  const released = await voidAuthorizedPayment(tools, order.id, { to, restock, ...(note ? { note } : {}) })
  if (!released.ok && released.reason === 'nothing-held' && inAttention) return null
  return released.ok && released.state === 'released' ? null : { ok: false, reason: 'held-money-stays' }
}

type MoneyOfMove = Pick<OrderTransition, 'change' | 'event' | 'moneyIsHere'>

/** Returns the payment change of a merchant's transition. */
async function paymentChange(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  to: OrderStatus,
  paid: MerchantTransition['paid'],
): Promise<MoneyOfMove> {
  const { payment_state: state } = order
  if (state === 'attention') return resolveReview(tools, tx, order, to)
  // Later reconciliation must not revive a cancelled order.
  const ends = to === 'cancelled' || to === 'failed'
  if (ends) return state === 'none' || state === 'pending' ? { change: { payment_state: 'failed' } } : {}
  const ready = paid !== undefined || isPaidByHand(order.payment_method, to)
  const unpaid =
    isAllowedPaymentTransition(state, 'paid') || (state === 'failed' && isAllowedPaymentTransition('none', 'paid'))
  return ready && !isPaid(state) && unpaid ? paidByHand(tools, order, paid?.transactionId) : {}
}

function paidByHand(tools: Tools, { total, currency }: OrderRow, transactionId?: string): MoneyOfMove {
  return {
    change: {
      ...(transactionId ? { transaction_id: transactionId } : {}),
      payment_state: 'paid',
      attention: null,
      paid_at: tools.clock.now(),
    },
    event: { kind: 'paid-by-hand', data: { amount: total, currency } },
    moneyIsHere: true,
  }
}

/**
 * Resolves a manual review by the merchant's transition: money that fits the order pays it. Mismatched, reversed,
 * disputed and second payments stay in review. Without any money, the order may be paid again, or is cancelled.
 */
async function resolveReview(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  to: OrderStatus,
): Promise<MoneyOfMove> {
  const captures = await findCaptures(tx, order.id)
  if (isUndecided(captures, await findDisputes(tx, order.id))) return {}
  const ready = isPaidByHand(order.payment_method, to)
  if (await isWithoutMoney(tx, order, captures)) {
    if (to === 'pending') return { change: { payment_state: 'none', attention: null } }
    if (to === 'cancelled' || to === 'failed') return { change: { payment_state: 'failed', attention: null } }
    return ready ? paidByHand(tools, order) : {}
  }
  const capture = ready ? matchingCapture(order, captures) : undefined
  if (!capture) return {}
  const back = (await findRefunds(tx, order.id)).filter(({ state, stray }) => state === 'done' && !stray)
  const sum = back.reduce((total, { amount }) => total + amount, 0)
  const { id, amount, currency } = capture
  if (sum >= amount) return {}
  // The reversed money is back: the dispute was won.
  if (capture.status === 'REVERSED') await setCaptureStatus(tx, id, sum > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED')
  const change = {
    payment_state: sum > 0 ? 'partly-refunded' : 'paid',
    attention: null,
    transaction_id: id,
    paid_at: order.paid_at ?? tools.clock.now(),
  } as const
  return { change, moneyIsHere: true, event: { kind: 'capture-recorded', data: { capture: id, amount, currency } } }
}

/** Reports whether the order has no capture, authorization or unsettled attempt. */
async function isWithoutMoney(
  tx: Transaction<Schema>,
  { id }: OrderRow,
  captures: readonly CaptureRow[],
): Promise<boolean> {
  if (!captures.every((capture) => isDenied(capture) || capture.status === 'REFUNDED')) return false
  const [holds, attempts] = await Promise.all([findAuthorizations(tx, id), findAttempts(tx, id)])
  return !holds.some(({ status }) => openAuthorizationStatuses.has(status)) && !attempts.some(isUnsettled)
}

const openAuthorizationStatuses: ReadonlySet<string> = new Set(['CREATED', 'PENDING'])
