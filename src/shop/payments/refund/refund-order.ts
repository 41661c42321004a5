import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, type CaptureRow, findAttempts, findCaptures } from '#database/payments/payments.ts'
import {
  findDisputes,
  findRefundItems,
  findRefunds,
  insertRefund,
  type RefundRow,
  replaceRefundItems,
  updateRefund,
} from '#database/payments/refunds.ts'
import { money } from '#domain/money/money.ts'
import { isHere, isOpen } from '#domain/payments/money-status.ts'
import { planRefund, type RefundPlanInput, type RefundShare } from '#domain/payments/plan-refund.ts'
import { toAmount } from '#paypal/amounts.ts'
import { isImported } from '../../orders/imported-order.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { isOtherEnvironment, nextRevision } from '../operation/payment-attempt.ts'
import type { Admission } from '../operation/payment-step.ts'
import { runPaymentStep } from '../operation/run-payment-step.ts'
import { settleRefund } from './record-refund.ts'
import { type RefundRefusal, type RefundResult, type RefundWork, refundCapture } from './refund-capture.ts'

export type { RefundRefusal, RefundResult } from './refund-capture.ts'

export type RefundRequest = {
  /** Idempotency key of the request. The same key with another request is refused. */
  readonly key: string
  readonly ask: RefundPlanInput
  readonly reason?: string
  /** True: the pieces of the given lines are restocked. */
  readonly restock?: boolean
  /** Refunded by hand: PayPal is not called. Always true where the money did not come by PayPal. */
  readonly byHand?: boolean
}

/**
 * Refunds money of an order once, by PayPal or by hand, and never more than the rest. Free pieces are returned without
 * money. A refund that a crashed process left unsettled is resumed by reading, with the same request id.
 */
export async function refundOrder(tools: Tools, orderId: number, wish: RefundRequest): Promise<RefundResult> {
  return runPaymentStep(tools, refundCapture, (tx) => admitRequest(tools, tx, orderId, wish))
}

/** Settles a refund that was left open. */
export async function resumeRefund(tools: Tools, orderId: number, attemptId: number): Promise<RefundResult> {
  return runPaymentStep(tools, refundCapture, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const refund = (await findRefunds(tx, orderId)).find(({ attempt_id }) => attempt_id === attemptId)
    return order && refund ? admitExisting(tools, tx, order, refund) : ended({ ok: false, reason: 'not-found' })
  })
}

type RefundAdmission = Admission<RefundWork, RefundResult>

const ended = (result: RefundResult): RefundAdmission => ({ kind: 'ended', result })

/** Calculates the refundable amount under the order's lock, and records the refund before PayPal is called. */
async function admitRequest(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  wish: RefundRequest,
): Promise<RefundAdmission> {
  const refused = (reason: RefundRefusal) => ended({ ok: false, reason })
  const order = await lockOrder(tx, orderId)
  if (!order || order.trashed_at !== null) return refused('not-found')
  if (isImported(order)) return refused('imported')
  const refunds = await findRefunds(tx, orderId)
  const bodyHash = sha256(canonicalJson({ ...wish, key: '' }))
  const known = refunds.find(({ key }) => key === wish.key)
  if (known && known.body_hash !== bodyHash) return refused('key-conflict')
  if (known && known.issue !== 'UNREACHABLE') return admitExisting(tools, tx, order, known)

  const { payment_state: state } = order
  const ofLines = wish.ask.kind === 'lines' || wish.ask.kind === 'stated'
  if (state === 'refunded' && !ofLines) return refused('nothing-left')
  if (state === 'disputed') return refused('disputed')
  if (!['paid', 'partly-refunded', 'refunded', 'attention'].includes(state)) return refused('not-paid')
  if ((await findDisputes(tx, orderId)).some(isOpen)) return refused('disputed')
  if (refunds.some((refund) => refund.state === 'open')) return refused('under-way')
  const captures = await findCaptures(tx, orderId)
  // A second payment is refunded first: until then no line is refunded.
  const second = captures.find((capture) => capture.stray && isHere(capture))
  const own = captures.find((capture) => !capture.stray && (isHere(capture) || capture.status === 'REVERSED'))
  const capture = second ?? own
  if (!capture && state === 'attention') return refused('not-paid')
  if (second && ofLines) return refused('second-payment')
  const ofOrder = wish.byHand === true || !capture
  const counted = refunds.filter((refund) => refund.state !== 'refused')
  const currency = ofOrder && !second ? order.currency : (capture?.currency ?? order.currency)
  const items = await findOrderItems(tx, orderId)
  const plan = planRefund(
    {
      rest: restOf(order, counted, ofOrder && !second ? null : (capture ?? null)),
      currency,
      items: items
        .filter((item) => !second && isCharged(item))
        .map((item) => ({ id: item.id, quantity: item.quantity, total: item.total, tax: item.total_tax })),
      before: await sharesBefore(tx, orderId, counted),
    },
    wish.ask,
  )
  if (!plan.ok) return refused(plan.reason)
  const isFree = plan.amount === 0
  if (isFree && !(wish.restock && order.stock_reduced && coversStockItems(items, plan.shares)))
    return refused('nothing-asked')
  const byHand = ofOrder || isFree
  if (!byHand && (!tools.paypal || capture.environment !== tools.paymentEnvironment)) return refused('no-provider')
  if (!byHand && !toAmount(money(plan.amount, currency))) return refused('not-payable')

  const now = tools.clock.now()
  const insert = async (attempt: AttemptRow | null): Promise<RefundRow> => {
    const figures = {
      state: 'open' as const,
      by_provider: !byHand,
      capture_id: byHand ? (second?.id ?? null) : (capture?.id ?? null),
      stray: second !== undefined,
      attempt_id: attempt?.id ?? null,
      amount: plan.amount,
      currency,
      reason: (wish.reason ?? '').trim().slice(0, 500),
      restock: !second && (wish.restock ?? false),
      issue: null,
      settled_at: null,
    }
    // A request that never reached PayPal is retried unchanged, by an attempt of its own.
    if (known) await updateRefund(tx, known.id, figures)
    const row = {
      ...figures,
      order_id: orderId,
      key: wish.key,
      body_hash: bodyHash,
      made_by: 'shop',
      provider_id: null,
      created_at: now,
    } as const
    const refund = known ? { ...known, ...figures } : await insertRefund(tx, row)
    await replaceRefundItems(tx, refund.id, plan.shares.map(toRefundItem))
    return refund
  }
  if (byHand) {
    const refund = await settleRefund(tools, tx, order, await insert(null))
    tools.checkpoint('S16 before commit')
    return ended({ ok: true, state: 'done', refund, order: (await lockOrder(tx, orderId)) ?? order })
  }
  const { id: captureId, wallet_order_id: walletOrderId } = capture
  const attempts = (await findAttempts(tx, orderId)).filter(({ step }) => step === 'refund')
  return {
    kind: 'admitted',
    order,
    call: {
      step: 'refund',
      walletOrderId,
      amount: plan.amount,
      currency,
      body: { capture: captureId, amount: plan.amount },
    },
    lease: { revision: nextRevision(attempts) },
    work: async (lease) => ({ ...lease, capture, refund: await insert(lease.attempt) }),
    start: ({ refund }) => ({
      event: { kind: 'refund-started', data: { refund: refund.id, amount: plan.amount, currency, capture: captureId } },
    }),
    busy: { ok: false, reason: 'checking' },
  }
}

/** Returns the result of an earlier request, or resumes it where no call works on it. */
async function admitExisting(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  refund: RefundRow,
): Promise<RefundAdmission> {
  const { state } = refund
  if (state === 'done' || state === 'pending') return ended({ ok: true, state, refund, order })
  if (state === 'refused') return ended({ ok: false, reason: 'refused', issue: refund.issue ?? '' })
  const attempt = (await findAttempts(tx, order.id)).find(({ id }) => id === refund.attempt_id)
  const capture = (await findCaptures(tx, order.id)).find(({ id }) => id === refund.capture_id)
  if (!attempt || !capture) throw new Error(`the refund ${refund.id} is open without an attempt`)
  if (isOtherEnvironment(tools, capture)) return ended({ ok: false, reason: 'checking' })
  return {
    kind: 'admitted',
    order,
    call: { step: 'refund', walletOrderId: attempt.wallet_order_id, amount: attempt.amount, body: null },
    lease: { resume: attempt },
    work: (lease) => ({ ...lease, capture, refund }),
    busy: { ok: false, reason: 'checking' },
  }
}

/** Reports whether the refund covers stock items. */
function coversStockItems(items: readonly OrderItemRow[], shares: readonly RefundShare[]): boolean {
  return items.some(({ id, type }) => type === 'line_item' && shares.some(({ itemId }) => itemId === id))
}

const isCharged = ({ type }: OrderItemRow) => type === 'line_item' || type === 'shipping' || type === 'fee'

/** Returns the refundable rest of the order's total and of its capture. A stray payment is refunded in full. */
function restOf(order: OrderRow, counted: readonly RefundRow[], capture: CaptureRow | null): number {
  const sum = (refunds: readonly RefundRow[]) => refunds.reduce((total, { amount }) => total + amount, 0)
  const ofOrder = order.total - sum(counted.filter(({ stray }) => !stray))
  if (!capture) return ofOrder
  const ofCapture = capture.amount - sum(counted.filter(({ capture_id }) => capture_id === capture.id))
  return order.payment_state === 'attention' ? ofCapture : Math.min(ofOrder, ofCapture)
}

async function sharesBefore(tx: Transaction<Schema>, orderId: number, counted: readonly RefundRow[]) {
  const items = await findRefundItems(tx, orderId)
  return items
    .filter(({ refund_id }) => counted.some(({ id }) => id === refund_id))
    .map(({ item_id, quantity, total, total_tax }) => ({ itemId: item_id, quantity, total, tax: total_tax }))
}

function toRefundItem({ itemId, quantity, total, tax }: RefundShare) {
  return { item_id: itemId, quantity, total, total_tax: tax }
}
