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
import { captureAuthorizedPayment, voidAuthorizedPayment } from '../payments/operation/capture-authorization.ts'
import { isUnsettled } from '../payments/operation/payment-attempt.ts'
import type { Tools } from '../shared/tools.ts'
import { type OrderTransition, type TransitionRefusal, transitionLockedOrder } from './transition-order.ts'

export type MerchantTransition = {
  readonly to: OrderStatus
  /** What the merchant has to say about it; else the note names the two statuses. */
  readonly note?: string
  /** False: the pieces stay away although the order is cancelled. */
  readonly restock?: boolean
}

export type MerchantTransitionResult =
  | { ok: true; order: OrderRow }
  | {
      ok: false
      reason:
        | TransitionRefusal
        | 'not-found'
        /** The provider has not said yet whether it took the money. */
        | 'money-under-way'
        /** A refund does that, and says how the money goes back. */
        | 'refund-instead'
        /** The provider did not give out, or let go, what it holds: the order stays where it is. */
        | 'held-money-stays'
    }

/**
 * Moves an order by the merchant's will. Making an unpaid one ready says that its money came by another way; money that
 * the provider holds is taken with it, and let go when the order is cancelled.
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
      const moved = await moveHeldMoney(tools, before, wanted)
      if (moved) return moved
    }
    const result = await transaction(tools, (tx) => moveAsSeen(tools, tx, { orderId, state }, wanted))
    if (result !== 'held-meanwhile') return result
  }
}

/**
 * @param seen how the order's money stood when it was asked what is held
 * @returns that more is held since, which has to be taken or let go first
 */
async function moveAsSeen(
  tools: Tools,
  tx: Transaction<Schema>,
  seen: { orderId: number; state: OrderRow['payment_state'] | undefined },
  { to, note, restock = true }: MerchantTransition,
): Promise<MerchantTransitionResult | 'held-meanwhile'> {
  const order = await lockOrder(tx, seen.orderId)
  if (!order) return { ok: false, reason: 'not-found' }
  if (order.status === to) return { ok: true, order }
  if (to === 'refunded') return { ok: false, reason: 'refund-instead' }
  const { payment_state: state } = order
  if (['authorising', 'review', 'captured'].includes(state)) return { ok: false, reason: 'money-under-way' }
  // Recorded between the look and the lock: it would count as paid by hand, or stay held for an order that came to nothing.
  if (state !== seen.state && (state === 'authorised' || state === 'attention')) return 'held-meanwhile'
  const money = await moneyOfMove(tools, tx, order, to)
  const said = note ?? `The status was changed from ${order.status} to ${to}.`
  return transitionLockedOrder(tools, tx, order, { to, note: said, restock, ...money })
}

/** Null where nothing of it keeps the order from being moved. */
async function moveHeldMoney(
  tools: Tools,
  order: OrderRow,
  wanted: MerchantTransition,
): Promise<MerchantTransitionResult | null> {
  const { to, note, restock = true } = wanted
  const ends = to === 'cancelled' || to === 'failed'
  // What does not fit is not taken. Yet nothing stays held for an order that comes to nothing.
  const inAttention = order.payment_state === 'attention'
  if (inAttention && (!ends || !isAllowedTransition(order.status, to))) return null
  if (to === 'processing' || to === 'completed') {
    const taken = await captureAuthorizedPayment(tools, order.id)
    return taken.ok && taken.state === 'paid' ? null : { ok: false, reason: 'held-money-stays' }
  }
  // What waits for payment is cancelled after a while, and the money would stay held.
  if (to === 'pending') return { ok: false, reason: 'money-under-way' }
  if (!ends) return null
  const released = await voidAuthorizedPayment(tools, order.id, { to, restock, ...(note ? { note } : {}) })
  if (!released.ok && released.reason === 'nothing-held' && inAttention) return null
  return released.ok && released.state === 'released' ? null : { ok: false, reason: 'held-money-stays' }
}

type MoneyOfMove = Pick<OrderTransition, 'change' | 'event' | 'moneyIsHere'>

/** How the money of an order stands once the merchant has moved it there. */
async function moneyOfMove(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  to: OrderStatus,
): Promise<MoneyOfMove> {
  const { payment_state: state } = order
  if (state === 'attention') return lookedAt(tools, tx, order, to)
  // No late look at the provider may take up again what came to nothing.
  const ends = to === 'cancelled' || to === 'failed'
  if (ends) return state === 'none' || state === 'pending' ? { change: { payment_state: 'failed' } } : {}
  const ready = isPaidByHand(order.payment_method, to)
  const unpaid =
    isAllowedPaymentTransition(state, 'paid') || (state === 'failed' && isAllowedPaymentTransition('none', 'paid'))
  return ready && !isPaid(state) && unpaid ? paidByHand(tools, order) : {}
}

function paidByHand(tools: Tools, { total, currency }: OrderRow): MoneyOfMove {
  return {
    change: { payment_state: 'paid', attention: null, paid_at: tools.clock.now() },
    event: { kind: 'paid-by-hand', data: { amount: total, currency } },
    moneyIsHere: true,
  }
}

/**
 * Somebody has looked at the order and moves it on: money that fits it pays it. What does not fit, was taken back, is
 * disputed or was paid twice stays a matter for a person. Where there is none at all, the order may be paid anew, or has come
 * to nothing.
 */
async function lookedAt(tools: Tools, tx: Transaction<Schema>, order: OrderRow, to: OrderStatus): Promise<MoneyOfMove> {
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
  // Money that the provider took back is here again: the dispute about it was won.
  if (capture.status === 'REVERSED') await setCaptureStatus(tx, id, sum > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED')
  const change = {
    payment_state: sum > 0 ? 'partly-refunded' : 'paid',
    attention: null,
    transaction_id: id,
    paid_at: order.paid_at ?? tools.clock.now(),
  } as const
  return { change, moneyIsHere: true, event: { kind: 'capture-recorded', data: { capture: id, amount, currency } } }
}

/** Nothing is here, held, or under way at the provider. */
async function isWithoutMoney(
  tx: Transaction<Schema>,
  { id }: OrderRow,
  captures: readonly CaptureRow[],
): Promise<boolean> {
  if (!captures.every((capture) => isDenied(capture) || capture.status === 'REFUNDED')) return false
  const [holds, attempts] = await Promise.all([findAuthorizations(tx, id), findAttempts(tx, id)])
  return !holds.some(({ status }) => heldNow.has(status)) && !attempts.some(isUnsettled)
}

const heldNow: ReadonlySet<string> = new Set(['CREATED', 'PENDING'])
