import type { Refund } from '#contract/paypal/capture.ts'
import { transaction } from '#database/engine/connect.ts'
import { lockOrder, type OrderRow } from '#database/orders/orders.ts'
import { type CaptureRow, closeAttempt } from '#database/payments/payments.ts'
import { findRefund, type RefundRow } from '#database/payments/refunds.ts'
import { money } from '#domain/money/money.ts'
import type { RefundPlanRefusal } from '#domain/payments/plan-refund.ts'
import { toAmount } from '#paypal/amounts.ts'
import type { Tools } from '../../shared/tools.ts'
import { declined, done, type Lease, type PaymentStep, type Reading, unknown } from '../operation/payment-step.ts'
import { findProviderRefund, importProviderRefunds, refundReference } from './match-provider-refunds.ts'
import { recordRefund, refuseRefund } from './record-refund.ts'

export type RefundResult =
  /** `pending`: PayPal accepted the refund and pays it later. */
  | { ok: true; state: 'done' | 'pending'; refund: RefundRow; order: OrderRow }
  | { ok: false; reason: RefundRefusal; issue?: string }

export type RefundRefusal =
  | RefundPlanRefusal
  | 'not-found'
  /** The order was imported from another shop, which has its money. */
  | 'imported'
  /** The order has no settled payment. */
  | 'not-paid'
  /** PayPal decides about the money until the dispute is resolved. */
  | 'disputed'
  /** The order was paid twice: its lines are refunded after the second payment. */
  | 'second-payment'
  /** Another refund of this order is unsettled. */
  | 'under-way'
  | 'key-conflict'
  /** The money came by a provider or environment that is not connected now. */
  | 'no-provider'
  /** PayPal cannot pay this exact amount of the currency. */
  | 'not-payable'
  /** PayPal could not be reached: nothing was refunded, and the same request may be retried. */
  | 'unreachable'
  /** PayPal refuses the refund; `issue` has the reason. */
  | 'refused'
  /** The outcome is unknown. A retry of the same request settles it. */
  | 'checking'

/** A claimed refund of a capture, with its row. */
export type RefundWork = Lease & { readonly refund: RefundRow; readonly capture: CaptureRow }
type Decline = { readonly issue: string; readonly isUnreachable?: true }

/** Refunds a capture. A resumed attempt, or one whose answer was lost, reads the refund that it made. */
export const refundCapture: PaymentStep<RefundWork, Refund, Refund, Decline, RefundResult> = {
  call: {
    milestone: 'S16',
    check: async (tools, _, work) => {
      if (!work.resume) return {}
      const theirs = await readOwnRefund(tools, work)
      if (theirs === 'unreachable') return { reading: unknown('the wallet order could not be read') }
      return theirs ? { reading: done(theirs) } : {}
    },
    send: (paypal, { order, refund, capture, attempt }, tools) => {
      const amount = toAmount(money(refund.amount, refund.currency))
      if (!amount) throw new Error(`the refund ${refund.id} has an amount that PayPal cannot represent`)
      const body = { amount, invoice_id: refundReference(tools, order, attempt) }
      return paypal.refundCapture(capture.id, body, { requestId: attempt.request_id })
    },
    read: done,
    readRefusal: ({ issue }) => declined({ issue }),
    recover: async (issue, work, tools): Promise<Reading<Refund, Decline>> => {
      const theirs = await readOwnRefund(tools, work)
      return theirs && theirs !== 'unreachable' ? done(theirs) : unknown(issue)
    },
  },
  log: { level: 'warn', declined: 'refund refused', unknown: 'refund outcome unknown' },
  unreachable: (issue) => ({ issue, isUnreachable: true }),
  isOpen: async (tx, { refund }) => (await findRefund(tx, refund.id))?.state === 'open',
  recordDone: recordOwnRefund,
  recordDecline: async (tools, tx, { work: { refund }, decline: { issue, isUnreachable } }) => {
    await refuseRefund(tools, tx, refund, isUnreachable ? 'UNREACHABLE' : issue)
  },
  declineRecord: (_, { issue }) => ({ issue }),
  declined: async (tools, { capture }, { issue, isUnreachable }) => {
    if (isUnreachable) return { ok: false, reason: 'unreachable', issue }
    // Refunds at PayPal may exceed those known to the shop: the next request is calculated with them.
    await importProviderRefunds(tools, capture)
    return { ok: false, reason: 'refused', issue }
  },
  unknown: (_, issue) => ({ ok: false, reason: 'checking', issue }),
}

function readOwnRefund(tools: Tools, { order, attempt }: RefundWork): Promise<Refund | undefined | 'unreachable'> {
  return findProviderRefund(tools, attempt, refundReference(tools, order, attempt))
}

async function recordOwnRefund(
  tools: Tools,
  { order, refund, attempt }: RefundWork,
  theirs: Refund,
): Promise<RefundResult> {
  const recorded = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    const now = await findRefund(tx, refund.id)
    if (!locked || !now) throw new Error(`the refund ${refund.id} does not exist`)
    // A webhook may have recorded it before: then only the attempt is closed.
    const after = await recordRefund(tools, tx, locked, now, theirs)
    const result = { refund: theirs.id, status: theirs.status }
    const state = after.state === 'refused' ? 'refused' : 'succeeded'
    await closeAttempt(tx, attempt.id, { state, result, at: tools.clock.now() })
    return { refund: after, order: (await lockOrder(tx, order.id)) ?? locked }
  })
  const { state, issue } = recorded.refund
  tools.log.info({ orderId: order.id, refund: refund.id, state }, 'refund recorded')
  return state === 'done' || state === 'pending'
    ? { ok: true, state, ...recorded }
    : { ok: false, reason: 'refused', issue: issue ?? '' }
}
