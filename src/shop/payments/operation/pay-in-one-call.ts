import type { Transaction } from 'kysely'
import { approveUrl, type OrderBody, type WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAttempts,
  ownsAttempt,
  updateAttemptResult,
} from '#database/payments/payments.ts'
import { findWalletOrder, insertWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { customerHasPaid } from '#domain/payments/payment-state.ts'
import type { PayPalResult } from '#paypal/result.ts'
import { type ImmediateSource, sourceKey } from '#paypal/source-body.ts'
import { extendReservation } from '../../orders/reserve-order-stock.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { countFailedPayment, paymentsPaused } from '../cards/limit-failed-payments.ts'
import { authorizationIn, captureIn } from '../wallet/read-wallet-order.ts'
import { orderAsWalletOrder, type WalletPresentation } from '../wallet/wallet-order.ts'
import { insertAttempt, isUnsettled, movesMoney, nextRevision, opensWallet, resumeAttempt } from './payment-attempt.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './payment-result.ts'
import { vaultCustomer } from './payment-source.ts'
import { recordMoney } from './record-payment.ts'
import { notifyMerchant } from './report-account-problem.ts'

/** With `approveUrl`: the cardholder must confirm at the bank first; no money was captured. */
export type PayWithoutApprovalResult =
  | FinishResult
  | { ok: false; reason: 'payer-action'; order: OrderRow; approveUrl: string; walletOrderId: string }
  /** PayPal opened the order and waits for the capture call. */
  | { ok: false; reason: 'not-captured'; order: OrderRow; walletOrderId: string }

const timeoutMs = 6_000
const pollMs = 150
/** PayPal recognizes a repeated call for six hours. After half of that a repeat might be a second payment. */
const repeatableMs = 3 * 60 * 60 * 1000

/**
 * Pays an order by a source that needs no approval: a saved payment method, a single-use card token, an old agreement.
 * One call opens the wallet order and captures. Its outcome is settled by the same call sent again, which PayPal
 * answers with the first result.
 */
export async function payWithoutApproval(
  tools: Tools,
  orderId: number,
  source: ImmediateSource,
  presentation: WalletPresentation,
): Promise<PayWithoutApprovalResult> {
  const first = await retryUntilClaimed(tools, () => claimNew(tools, orderId, source, presentation))
  if (first.ok || source.kind !== 'kept' || first.reason !== 'refused') return first
  if (first.issue === undefined || issueReaction(first.issue) !== 'other-kind') return first
  const other: ImmediateSource = { ...source, as: source.as === 'card' ? 'wallet' : 'card' }
  return retryUntilClaimed(tools, () => claimNew(tools, orderId, other, presentation))
}

/** Completes such a payment that a crashed process or an unreachable PayPal left unsettled. */
export function resumePayWithoutApproval(tools: Tools, orderId: number): Promise<PayWithoutApprovalResult> {
  return retryUntilClaimed(tools, () => transaction(tools, (tx) => claimUnsettled(tools, tx, orderId)))
}

/** Request that the resuming call repeats byte for byte. Stored only while the attempt is unsettled. */
type Sent = { source: string; means: ImmediateSource; body: OrderBody; at: string; agreement?: string }
type Claimed = { kind: 'claimed'; order: OrderRow; attempt: AttemptRow; sent: Sent; resume: boolean }
type Claim = Claimed | { kind: 'busy'; order: OrderRow } | { kind: 'ended'; result: PayWithoutApprovalResult }

async function retryUntilClaimed(tools: Tools, claim: () => Promise<Claim>): Promise<PayWithoutApprovalResult> {
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claim()
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'claimed') {
      try {
        return await pay(tools, claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
    }
    if (waitedMs > timeoutMs) return { ok: false, reason: 'checking', order: claimed.order }
    await tools.clock.sleep(pollMs)
  }
}

function settled(order: OrderRow): FinishResult | null {
  const { payment_state: state } = order
  if (state === 'attention') return { ok: false, reason: 'attention', order }
  if (!customerHasPaid(state)) return null
  return { ok: true, state: state === 'review' ? 'review' : state === 'authorised' ? 'held' : 'paid', order }
}

const ended = (result: PayWithoutApprovalResult): Claim => ({ kind: 'ended', result })

/** Claims a new attempt under the order's lock, with the exact request that is sent. */
function claimNew(
  tools: Tools,
  orderId: number,
  source: ImmediateSource,
  presentation: WalletPresentation,
): Promise<Claim> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
    const known = settled(order)
    if (known) return ended(known)
    const attempts = await findAttempts(tx, orderId)
    // The same press was sent twice: the second one waits for the result of the first.
    if (attempts.some((attempt) => attempt.step === 'pay' && isUnsettled(attempt)))
      return claimUnsettled(tools, tx, orderId)
    if (attempts.some((attempt) => movesMoney(attempt) && isUnsettled(attempt))) {
      return ended({ ok: false, reason: 'checking', order })
    }
    if (order.status !== 'pending' && order.status !== 'failed') {
      return ended({ ok: false, reason: 'cancelled', order })
    }
    if (!(await extendReservation(tools, tx, order))) return ended({ ok: false, reason: 'stock', order })

    const opening = attempts.filter(opensWallet)
    const revision = nextRevision(opening)
    const body = await orderAsWalletOrder(tools, order, await findOrderItems(tx, orderId), revision, {
      ...presentation,
      source,
      vaultCustomer: await vaultCustomer(tx, order.customer_id, tools.paymentEnvironment),
    })
    const now = tools.clock.now()
    const sent: Sent = { source: sourceKey(source), means: source, body, at: now.toISOString() }
    const call = { step: 'pay', walletOrderId: null, amount: order.total, body, note: sent } as const
    const attempt = await insertAttempt(tools, tx, order, revision, call)
    await updateOrder(tx, orderId, { payment_state: 'authorising', updated_at: now })
    const data = { amount: order.total, currency: order.currency }
    await appendToLedger(tx, orderId, now, [{ kind: 'capture-started', data }], sha256)
    tools.checkpoint('S11 before commit')
    return { kind: 'claimed', order, attempt, sent, resume: false }
  })
}

async function claimUnsettled(tools: Tools, tx: Transaction<Schema>, orderId: number): Promise<Claim> {
  const order = await lockOrder(tx, orderId)
  if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
  const known = settled(order)
  if (known) return ended(known)
  const attempt = (await findAttempts(tx, orderId)).findLast((one) => one.step === 'pay' && isUnsettled(one))
  if (!attempt) return ended({ ok: false, reason: 'not-approved', order })
  const claim = await resumeAttempt(tools, tx, attempt)
  if (claim.kind === 'busy') return { kind: 'busy', order }
  await extendReservation(tools, tx, order)
  // Written by `claimNew` alone, with this type.
  return { kind: 'claimed', order, attempt: claim.attempt, sent: attempt.result as Sent, resume: true }
}

/** Sends the call outside any transaction, repeats it if necessary, and records the result. */
async function pay(tools: Tools, initial: Claimed): Promise<PayWithoutApprovalResult> {
  let claimed = initial
  const { order, sent, resume } = initial
  tools.checkpoint('S11 attempt written')
  // The failure of this call does not settle the attempt that it resumes, which may still be in progress.
  const settleUnreachable = (issue: string) =>
    resume ? recordUnknown(tools, claimed, issue) : recordRefusal(tools, claimed, 'unreachable', issue)
  if (!tools.paypal) return settleUnreachable('PayPal is not configured')
  if (resume && tools.clock.now().getTime() - Date.parse(sent.at) > repeatableMs) return flagForReview(tools, claimed)
  if (!resume && (await paymentsPaused(tools, order))) return recordRefusal(tools, claimed, 'paused', 'PAUSED')

  const agreed = await withAgreement(tools, initial)
  if (agreed.ok) claimed = agreed.value
  const answer = agreed.ok ? await send(tools, claimed) : agreed
  tools.checkpoint('S11 called')
  if (answer.ok) return recordWalletResult(tools, claimed, answer.value)
  if (answer.kind === 'unreachable') return settleUnreachable(answer.reason)
  if (answer.kind === 'unknown') return recordUnknown(tools, claimed, answer.reason)
  if (answer.status === 429 || answer.status === 401) return settleUnreachable(answer.issue)
  switch (issueReaction(answer.issue)) {
    case 'read':
      return recordUnknown(tools, claimed, answer.issue)
    case 'restart':
      return recordRefusal(tools, claimed, 'declined', answer.issue)
    case 'payer-step':
      return recordRefusal(tools, claimed, 'payer-step', answer.issue)
    case 'address':
      return recordRefusal(tools, claimed, 'address', answer.issue)
    case 'merchant':
      await notifyMerchant(tools, order.id, answer.issue)
      return recordRefusal(tools, claimed, 'refused', answer.issue)
    default:
      return recordRefusal(tools, claimed, 'refused', answer.issue)
  }
}

/** Sends the same body and request id for every repeat: PayPal answers all of them with one order. */
async function send({ paypal }: Tools, { attempt, sent }: Claimed): Promise<PayPalResult<WalletOrder>> {
  if (!paypal) throw new Error('PayPal is not configured')
  const options = { requestId: attempt.request_id }
  if (sent.agreement === undefined) return paypal.createOrder(sent.body, options)
  const payment_source = { token: { id: sent.agreement, type: 'BILLING_AGREEMENT' } } as const
  return paypal.createOrder({ ...sent.body, payment_source }, options)
}

/**
 * Exchanges an agreement's single-use token, and stores the agreement before anything is paid with it: a resuming call
 * pays with the same agreement. A refused exchange proves that no money was captured.
 */
async function withAgreement(tools: Tools, claimed: Claimed): Promise<PayPalResult<Claimed>> {
  const { attempt, sent, order } = claimed
  if (sent.means.kind !== 'agreement' || sent.agreement !== undefined) return { ok: true, value: claimed }
  if (!tools.paypal) throw new Error('PayPal is not configured')
  const agreed = await tools.paypal.createAgreement(sent.means.token, { requestId: `${attempt.request_id}-a` })
  if (!agreed.ok) return agreed
  const next = { ...sent, agreement: agreed.value.id }
  const written = await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    return (await ownsAttempt(tx, attempt)) && (await updateAttemptResult(tx, attempt.id, next))
  })
  if (!written) return { ok: false, kind: 'unknown', reason: 'another process took over the attempt' }
  return { ok: true, value: { ...claimed, sent: next } }
}

async function recordWalletResult(
  tools: Tools,
  claimed: Claimed,
  wallet: WalletOrder,
): Promise<PayWithoutApprovalResult> {
  const { order, attempt } = claimed
  const url = approveUrl(wallet) ?? ''
  const row = await recordWallet(tools, claimed, wallet, url)
  if (!row) return { ok: false, reason: 'checking', order }
  if (captureIn(wallet) || authorizationIn(wallet)) return recordMoney(tools, { order, attempt, wallet: row }, wallet)
  if (wallet.status === 'PAYER_ACTION_REQUIRED' && url !== '') {
    await closeWithoutMoney(tools, claimed, 'PAYER_ACTION_REQUIRED', row.id)
    return { ok: false, reason: 'payer-action', order, approveUrl: url, walletOrderId: row.id }
  }
  await closeWithoutMoney(tools, claimed, wallet.status, row.id)
  return { ok: false, reason: 'not-captured', order, walletOrderId: row.id }
}

/** Returns null where another process took over the attempt. */
async function recordWallet(
  tools: Tools,
  { order, attempt, sent }: Claimed,
  wallet: WalletOrder,
  url: string,
): Promise<WalletOrderRow | null> {
  return transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return null
    await insertWalletOrder(tx, {
      id: wallet.id,
      order_id: order.id,
      revision: attempt.revision,
      session_id: order.session_id,
      environment: tools.paymentEnvironment,
      payee: wallet.purchase_units?.[0]?.payee?.merchant_id ?? '',
      amount: attempt.amount,
      currency: attempt.currency,
      state: wallet.status,
      approve_url: url,
      intent: sent.body.intent,
      method: order.payment_method,
      created_at: tools.clock.now(),
    })
    await tx.updateTable('payment_attempts').set({ wallet_order_id: wallet.id }).where('id', '=', attempt.id).execute()
    return (await findWalletOrder(tx, wallet.id)) ?? null
  })
}

/** Closes the attempt without money: the order waits for the shopper again. */
async function closeWithoutMoney(tools: Tools, { order, attempt, sent }: Claimed, issue: string, walletOrder?: string) {
  const now = tools.clock.now()
  return transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return false
    const result = { issue, source: sent.source, ...(walletOrder ? { walletOrder } : {}) }
    await closeAttempt(tx, attempt.id, { state: 'refused', result, at: now })
    if (locked?.payment_state === 'authorising') {
      await updateOrder(tx, order.id, { payment_state: 'pending', updated_at: now })
    }
    await appendToLedger(tx, order.id, now, [{ kind: 'capture-refused', data: { issue } }], sha256)
    return true
  })
}

async function recordRefusal(
  tools: Tools,
  claimed: Claimed,
  reason: FinishRefusal,
  issue: string,
): Promise<FinishResult> {
  const { order } = claimed
  if (!(await closeWithoutMoney(tools, claimed, issue))) return { ok: false, reason: 'checking', order, issue }
  if (isFailedPayment(reason, issue)) await countFailedPayment(tools, order)
  tools.log.info({ orderId: order.id, reason, issue }, 'payment not captured')
  return { ok: false, reason, order, issue }
}

async function recordUnknown(tools: Tools, { order, attempt, sent }: Claimed, issue: string): Promise<FinishResult> {
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { ...sent, issue }, at: tools.clock.now() })
  })
  tools.log.warn({ orderId: order.id, issue }, 'payment outcome unknown')
  return { ok: false, reason: 'checking', order, issue }
}

/** Flags the order for manual review: too late for a repeat, the merchant must search the invoice number at PayPal. */
async function flagForReview(tools: Tools, { order, attempt, sent }: Claimed): Promise<FinishResult> {
  const now = tools.clock.now()
  const invoice = sent.body.purchase_units[0]?.invoice_id ?? ''
  const why = `whether money was taken is not known: look for the invoice ${invoice} in your PayPal account`
  const after = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return locked
    await closeAttempt(tx, attempt.id, {
      state: 'refused',
      // The invoice number identifies the money if PayPal reports it later.
      result: { issue: 'TOO_LATE', source: sent.source, invoice },
      at: now,
    })
    await updateOrder(tx, order.id, { payment_state: 'attention', attention: why, updated_at: now })
    await addOrderNote(tx, order.id, `Needs attention: ${why}.`, now)
    await appendToLedger(tx, order.id, now, [{ kind: 'needs-attention', data: { why } }], sha256)
    return lockOrder(tx, order.id)
  })
  return { ok: false, reason: 'attention', order: after ?? order }
}
