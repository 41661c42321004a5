import type { Transaction } from 'kysely'
import type { Refund } from '#contract/paypal/capture.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrderItems, lockOrder, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  type CaptureRow,
  closeAttempt,
  findAttempts,
  findCaptures,
  ownsAttempt,
} from '#database/payments/payments.ts'
import {
  findDisputes,
  findRefund,
  findRefundItems,
  findRefunds,
  insertRefund,
  type RefundRow,
  replaceRefundItems,
  updateRefund,
} from '#database/payments/refunds.ts'
import { money } from '#domain/money/money.ts'
import { isHere, isOpen } from '#domain/payments/money-status.ts'
import {
  planRefund,
  type RefundPlanInput,
  type RefundPlanRefusal,
  type RefundShare,
} from '#domain/payments/plan-refund.ts'
import { toAmount } from '#paypal/amounts.ts'
import { canonicalJson, sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { insertAttempt, isOtherEnvironment, resumeAttempt } from '../operation/payment-attempt.ts'
import { findProviderRefund, importProviderRefunds, refundReference } from './match-provider-refunds.ts'
import { recordRefund, refuseRefund, settleRefund } from './record-refund.ts'

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

export type RefundResult =
  /** `pending`: PayPal accepted the refund and pays it later. */
  | { ok: true; state: 'done' | 'pending'; refund: RefundRow; order: OrderRow }
  | { ok: false; reason: RefundRefusal; issue?: string }

export type RefundRefusal =
  | RefundPlanRefusal
  | 'not-found'
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

const timeoutMs = 6_000
const pollMs = 150

/**
 * Refunds money of an order once, by PayPal or by hand, and never more than the rest. Free pieces are returned without
 * money. A refund that a crashed process left unsettled is resumed by reading, with the same request id.
 */
export async function refundOrder(tools: Tools, orderId: number, wish: RefundRequest): Promise<RefundResult> {
  return retryUntilClaimed(tools, () => transaction(tools, (tx) => claimRequest(tools, tx, orderId, wish)))
}

/** Settles a refund that was left open. */
export async function resumeRefund(tools: Tools, orderId: number, attemptId: number): Promise<RefundResult> {
  return retryUntilClaimed(tools, () =>
    transaction(tools, async (tx) => {
      const order = await lockOrder(tx, orderId)
      const refund = (await findRefunds(tx, orderId)).find(({ attempt_id }) => attempt_id === attemptId)
      return order && refund ? claimExisting(tools, tx, order, refund) : ended({ ok: false, reason: 'not-found' })
    }),
  )
}

type Claimed = {
  kind: 'claimed'
  order: OrderRow
  refund: RefundRow
  capture: CaptureRow
  attempt: AttemptRow
  resume: boolean
}
type Claim = Claimed | { kind: 'busy' } | { kind: 'ended'; result: RefundResult }

const ended = (result: RefundResult): Claim => ({ kind: 'ended', result })

async function retryUntilClaimed(tools: Tools, claim: () => Promise<Claim>): Promise<RefundResult> {
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claim()
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'claimed') {
      try {
        return await callProvider(tools, claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
    }
    if (waitedMs > timeoutMs) return { ok: false, reason: 'checking' }
    await tools.clock.sleep(pollMs)
  }
}

/** Calculates the refundable amount under the order's lock, and records the refund before PayPal is called. */
async function claimRequest(
  tools: Tools,
  tx: Transaction<Schema>,
  orderId: number,
  wish: RefundRequest,
): Promise<Claim> {
  const refused = (reason: RefundRefusal) => ended({ ok: false, reason })
  const order = await lockOrder(tx, orderId)
  if (!order) return refused('not-found')
  const refunds = await findRefunds(tx, orderId)
  const bodyHash = sha256(canonicalJson({ ...wish, key: '' }))
  const known = refunds.find(({ key }) => key === wish.key)
  if (known && known.body_hash !== bodyHash) return refused('key-conflict')
  if (known && known.issue !== 'UNREACHABLE') return claimExisting(tools, tx, order, known)

  const { payment_state: state } = order
  if (state === 'refunded' && wish.ask.kind !== 'lines') return refused('nothing-left')
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
  if (second && wish.ask.kind === 'lines') return refused('second-payment')
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
  const attempt = byHand ? null : await beginRefundAttempt(tools, tx, order, capture, plan.amount)
  const figures = {
    state: 'open' as const,
    by_provider: !byHand,
    capture_id: byHand ? (second?.id ?? null) : capture.id,
    stray: second !== undefined,
    attempt_id: attempt?.id ?? null,
    amount: plan.amount,
    currency,
    reason: (wish.reason ?? '').trim().slice(0, 500),
    restock: !second && (wish.restock ?? false),
    issue: null,
  }
  // A request that never reached PayPal is retried unchanged, by an attempt of its own.
  if (known) await updateRefund(tx, known.id, { ...figures, settled_at: null })
  const refund = known
    ? { ...known, ...figures, settled_at: null }
    : await insertRefund(tx, {
        ...figures,
        order_id: orderId,
        key: wish.key,
        body_hash: bodyHash,
        made_by: 'shop',
        provider_id: null,
        created_at: now,
        settled_at: null,
      })
  const shares = plan.shares.map(({ itemId, quantity, total, tax }) => ({
    item_id: itemId,
    quantity,
    total,
    total_tax: tax,
  }))
  await replaceRefundItems(tx, refund.id, shares)
  if (!attempt || byHand) {
    const done = await settleRefund(tools, tx, order, refund)
    tools.checkpoint('S16 before commit')
    return ended({ ok: true, state: 'done', refund: done, order: (await lockOrder(tx, orderId)) ?? order })
  }
  const data = { refund: refund.id, amount: refund.amount, currency, capture: capture.id }
  await appendToLedger(tx, orderId, now, [{ kind: 'refund-started', data }], sha256)
  tools.checkpoint('S16 before commit')
  return { kind: 'claimed', order, refund, capture, attempt, resume: false }
}

/** Returns the result of an earlier request, or resumes it where no call works on it. */
async function claimExisting(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  refund: RefundRow,
): Promise<Claim> {
  if (refund.state === 'done' || refund.state === 'pending')
    return ended({ ok: true, state: refund.state, refund, order })
  if (refund.state === 'refused') return ended({ ok: false, reason: 'refused', issue: refund.issue ?? '' })
  const attempt = (await findAttempts(tx, order.id)).find(({ id }) => id === refund.attempt_id)
  const capture = (await findCaptures(tx, order.id)).find(({ id }) => id === refund.capture_id)
  if (!attempt || !capture) throw new Error(`the refund ${refund.id} is open without an attempt`)
  if (isOtherEnvironment(tools, capture)) return ended({ ok: false, reason: 'checking' })
  const claim = await resumeAttempt(tools, tx, attempt)
  if (claim.kind === 'busy') return { kind: 'busy' }
  return { kind: 'claimed', order, refund, capture, attempt: claim.attempt, resume: true }
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

async function beginRefundAttempt(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  capture: CaptureRow,
  amount: number,
): Promise<AttemptRow> {
  const revisions = (await findAttempts(tx, order.id)).flatMap(({ step, revision }) =>
    step === 'refund' ? revision : [],
  )
  const { id, key } = order
  const call = {
    step: 'refund',
    walletOrderId: capture.wallet_order_id,
    amount,
    body: { capture: capture.id, amount },
  } as const
  return insertAttempt(tools, tx, { id, key, currency: capture.currency }, Math.max(0, ...revisions) + 1, call)
}

/** Reads whether the refund was made, sends it if not, and records the result; no transaction. */
async function callProvider(tools: Tools, claimed: Claimed): Promise<RefundResult> {
  const { order, refund, capture, attempt, resume } = claimed
  tools.checkpoint('S16 attempt written')
  // The failure of this call does not settle the attempt that it resumes, which may still be in progress.
  const settleUnreachable = (issue: string) =>
    resume ? recordUnknown(tools, claimed, issue) : recordRefusal(tools, claimed, 'UNREACHABLE', issue)
  if (!tools.paypal) return settleUnreachable('PayPal is not configured')
  const mark = refundReference(tools, order, attempt)
  if (resume) {
    const theirs = await findProviderRefund(tools, attempt, mark)
    if (theirs === 'unreachable') return recordUnknown(tools, claimed, 'the wallet order could not be read')
    if (theirs) return record(tools, claimed, theirs)
  }
  const amount = toAmount(money(refund.amount, refund.currency))
  if (!amount) throw new Error(`the refund ${refund.id} has an amount that PayPal cannot represent`)
  const body = { amount, invoice_id: mark }
  const sent = await tools.paypal.refundCapture(capture.id, body, { requestId: attempt.request_id })
  tools.checkpoint('S16 called')
  if (sent.ok) return record(tools, claimed, sent.value)
  if (sent.kind === 'unreachable') return settleUnreachable(sent.reason)
  if (sent.kind === 'refused' && sent.status !== 429 && sent.status !== 401) {
    const refused = await recordRefusal(tools, claimed, sent.issue)
    // Refunds at PayPal may exceed those known to the shop: the next request is calculated with them.
    await importProviderRefunds(tools, capture)
    return refused
  }
  if (sent.kind === 'refused') return settleUnreachable(sent.issue)
  const theirs = await findProviderRefund(tools, attempt, mark)
  if (theirs && theirs !== 'unreachable') return record(tools, claimed, theirs)
  return recordUnknown(tools, claimed, sent.reason)
}

async function record(tools: Tools, { order, refund, attempt }: Claimed, theirs: Refund): Promise<RefundResult> {
  const recorded = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    const now = await findRefund(tx, refund.id)
    if (!locked || !now) throw new Error(`the refund ${refund.id} does not exist`)
    // A webhook may have recorded it before: then only the attempt is closed.
    const after = await recordRefund(tools, tx, locked, now, theirs)
    const result = { refund: theirs.id, status: theirs.status }
    await closeAttempt(tx, attempt.id, {
      state: after.state === 'refused' ? 'refused' : 'succeeded',
      result,
      at: tools.clock.now(),
    })
    return { refund: after, order: (await lockOrder(tx, order.id)) ?? locked }
  })
  tools.checkpoint('S16 recorded')
  const { state, issue } = recorded.refund
  tools.log.info({ orderId: order.id, refund: refund.id, state }, 'refund recorded')
  return state === 'done' || state === 'pending'
    ? { ok: true, state, ...recorded }
    : { ok: false, reason: 'refused', issue: issue ?? '' }
}

/** Records that the refund was not made. */
async function recordRefusal(
  tools: Tools,
  { order, refund, attempt }: Claimed,
  issue: string,
  why = issue,
): Promise<RefundResult> {
  const held = await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    const now = await findRefund(tx, refund.id)
    if (now?.state !== 'open' || !(await ownsAttempt(tx, attempt))) return false
    await closeAttempt(tx, attempt.id, { state: 'refused', result: { issue: why }, at: tools.clock.now() })
    await refuseRefund(tools, tx, now, issue)
    return true
  })
  tools.log.warn({ orderId: order.id, refund: refund.id, issue: why }, 'refund refused')
  if (!held) return { ok: false, reason: 'checking' }
  return issue === 'UNREACHABLE'
    ? { ok: false, reason: 'unreachable', issue: why }
    : { ok: false, reason: 'refused', issue }
}

async function recordUnknown(tools: Tools, { order, refund, attempt }: Claimed, issue: string): Promise<RefundResult> {
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    const now = await findRefund(tx, refund.id)
    if (now?.state !== 'open' || !(await ownsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { issue }, at: tools.clock.now() })
  })
  tools.log.warn({ orderId: order.id, refund: refund.id, issue }, 'refund outcome unknown')
  return { ok: false, reason: 'checking', issue }
}
