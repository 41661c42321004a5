import { cardMethodId } from '#contract/payments/constants.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { readTogether } from '#database/engine/pipeline.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { findOrder, lockOrder, updateOrder } from '#database/orders/orders.ts'
import { closeAttempt, findAttempts, findUnsettledCapture, ownsAttempt } from '#database/payments/payments.ts'
import {
  findCurrentWalletOrder,
  recordDecline,
  recordWalletOrderEnd,
  setWalletState,
} from '#database/payments/wallet-orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { threeDSecureDecision } from '#domain/payments/three-d-secure.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { cardFingerprint, countFailedPayment, paymentsPaused } from '../cards/limit-failed-payments.ts'
import {
  authenticationFacts,
  authorizationIn,
  captureIn,
  confirmedCardIn,
  walletMatches,
} from '../wallet/read-wallet-order.ts'
import { type CaptureResult, captureAuthorizedPayment } from './capture-authorization.ts'
import { type CaptureOrigin, type Claimed, claimCapture, shopperApprovalRequired } from './claim-capture.ts'
import { lockDeclineUnlessPaid } from './lock-decline.ts'
import { resumePayWithoutApproval } from './pay-in-one-call.ts'
import { isUnsettled } from './payment-attempt.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './payment-result.ts'
import { recordMoney } from './record-payment.ts'
import { notifyMerchant } from './report-account-problem.ts'

export type { FinishRefusal, FinishResult } from './payment-result.ts'

const timeoutMs = 6_000
const pollMs = 150

/** Calls in progress of this process by origin and order: a return and a webhook that meet share one call. */
const callsInProgress = new WeakMap<Tools['working'], Map<string, Promise<FinishResult>>>()

/**
 * Captures the money of an approved order, once, and records it, for a caller that shows the result to the shopper.
 * Once a shopper was told the payment failed, background calls (`finishInBackground`) must not capture it.
 * @param walletOrderId the wallet order that the caller expects: refused unless it is the order's newest
 */
export async function finishPayment(tools: Tools, orderId: number, walletOrderId?: string): Promise<FinishResult> {
  for (let times = 1; ; times += 1) {
    const result = await joinCall(tools, orderId, walletOrderId, { by: 'shopper' })
    if (result.ok || result.reason === 'checking' || result.reason === 'attention') return result
    if (await lockDeclineUnlessPaid(tools, orderId, walletOrderId)) return result
    // A webhook intervened: its result is the answer.
    if (times === 3) return { ok: false, reason: 'checking', order: result.order }
  }
}

/**
 * Finishes a payment in the background: for webhooks, reconciliation and recovery after a crash. PayPal is read first,
 * without a lock: an unapproved order stays untouched, with its deadline and reservation. No money is captured after a
 * decline, or where the shopper was told that the payment failed or chose another method; existing captures are
 * recorded.
 */
export async function finishInBackground(tools: Tools, orderId: number, walletOrderId?: string): Promise<FinishResult> {
  const paid = await findPaidInProgress(tools, orderId)
  if (paid) return paid
  let result: FinishResult
  let times = 0
  do {
    const look = await readInBackground(tools, orderId, walletOrderId)
    if (look.kind === 'ended') return look.result
    result = await joinCall(tools, orderId, walletOrderId, {
      by: 'background',
      hasProviderCapture: look.hasProviderCapture,
    })
    times += 1
    // A shopper's call started after the read and was declined: PayPal's state after it counts.
  } while (!result.ok && result.issue === shopperApprovalRequired && times < 2)
  // A declined payment is not retried: the bank would decline it again.
  const isDeclined =
    !result.ok && ['declined', 'refused', 'card-rejected', 'card-retry', 'payer-step'].includes(result.reason)
  if (isDeclined) await recordDecline(tools.db.kysely, orderId, walletOrderId)
  return result
}

async function joinCall(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
  origin: CaptureOrigin,
): Promise<FinishResult> {
  const paid = await findPaidInProgress(tools, orderId)
  if (paid) return paid
  const calls = callsOf(tools)
  const name = `${origin.by} ${orderId}`
  const again = calls.get(name)
  if (again) return again

  const call = finish(tools, orderId, walletOrderId, origin).finally(() => calls.delete(name))
  calls.set(name, call)
  return call
}

function callsOf({ working }: Tools): Map<string, Promise<FinishResult>> {
  const calls = callsInProgress.get(working) ?? new Map<string, Promise<FinishResult>>()
  callsInProgress.set(working, calls)
  return calls
}

/** Waits for the calls of this process for an order. A paid order is paid, by any origin and wallet order. */
async function findPaidInProgress(tools: Tools, orderId: number): Promise<FinishResult | null> {
  for (const by of ['shopper', 'background'] as const) {
    const result = await callsOf(tools)
      .get(`${by} ${orderId}`)
      ?.catch(() => undefined)
    if (result?.ok && result.state === 'paid') return result
  }
  return null
}

/** Reads an order's payment at PayPal for a background call; ends it where there is nothing to capture or record. */
async function readInBackground(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
): Promise<{ kind: 'ended'; result: FinishResult } | { kind: 'go on'; hasProviderCapture: boolean }> {
  const { kysely } = tools.db
  const [order, wallet, unsettled] = await readTogether(tools.db, (one) =>
    Promise.all([findOrder(one, orderId), findCurrentWalletOrder(one, orderId), findUnsettledCapture(one, orderId)]),
  )
  const waits =
    order?.payment_state === 'none' || order?.payment_state === 'pending' || order?.payment_state === 'failed'
  const isOther = walletOrderId !== undefined && walletOrderId !== wallet?.id
  if (!order || !wallet || !waits || isOther || unsettled) {
    return { kind: 'go on', hasProviderCapture: false }
  }
  const ended = (reason: FinishRefusal, issue: string) =>
    ({ kind: 'ended', result: { ok: false, reason, order, issue } }) as const
  const read = await tools.paypal?.getOrder(wallet.id)
  if (!read?.ok) {
    if (read?.kind !== 'refused') return ended('unreachable', read?.reason ?? 'PayPal is not configured')
    if (read.status !== 404) return ended('unreachable', read.issue)
    await recordWalletOrderEnd(kysely, wallet, 'GONE')
    return ended('not-approved', read.issue)
  }
  if (hasProviderCapture(read.value)) return { kind: 'go on', hasProviderCapture: true }
  const { status } = read.value
  if (status === 'VOIDED') await recordWalletOrderEnd(kysely, wallet, status)
  const isApproved = status === 'APPROVED' || confirmedCardIn(read.value) !== undefined
  return isApproved ? { kind: 'go on', hasProviderCapture: false } : ended('not-approved', status)
}

async function finish(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
  origin: CaptureOrigin,
): Promise<FinishResult> {
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claimCapture(tools, orderId, walletOrderId, origin)
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'taking') return resultOfCapture(await captureAuthorizedPayment(tools, orderId))
    if (claimed.kind === 'paying') {
      const result = await resumePayWithoutApproval(tools, orderId)
      // The call opened a wallet order that waits for its capture: it is the newest now.
      if (!result.ok && result.reason === 'not-captured') continue
      if (!result.ok && result.reason === 'payer-action') {
        return { ok: false, reason: 'not-approved', order: result.order, issue: 'PAYER_ACTION_REQUIRED' }
      }
      if (result.ok || result.reason === 'checking' || result.reason === 'attention' || !walletOrderId) return result
      continue
    }
    if (claimed.kind === 'claimed') {
      let result: FinishResult
      try {
        result = await capture(tools, claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
      // An earlier wallet order was settled first, without money: the requested one follows.
      const another = walletOrderId !== undefined && walletOrderId !== claimed.wallet.id
      if (!another || result.ok || result.reason === 'checking' || result.reason === 'attention') return result
      continue
    }
    if (waitedMs > timeoutMs) return { ok: false, reason: 'checking', order: claimed.order }
    await tools.clock.sleep(pollMs)
  }
}

function resultOfCapture(taken: CaptureResult): FinishResult {
  if (taken.ok) return { ok: true, state: taken.state === 'released' ? 'held' : taken.state, order: taken.order }
  if (!taken.order) return { ok: false, reason: 'unknown-order', order: null }
  // Until the merchant captures it, the authorization is unchanged.
  if (taken.order.payment_state === 'authorised') return { ok: true, state: 'held', order: taken.order }
  return { ok: false, reason: taken.order.payment_state === 'attention' ? 'attention' : 'checking', order: taken.order }
}

/** Reads the wallet order, captures the money unless it is captured already, and records the result; no transaction. */
async function capture(tools: Tools, claimed: Claimed): Promise<FinishResult> {
  const { order, wallet, attempt, resume } = claimed
  tools.checkpoint('S11 attempt written')
  // The failure of this call does not settle the attempt that it resumes, which may still be in progress.
  const settleUnreachable = (issue: string) =>
    resume ? recordUnknown(tools, claimed, issue) : refuse(tools, claimed, 'unreachable', issue)
  if (!tools.paypal) return settleUnreachable('PayPal is not configured')

  const read = await tools.paypal.getOrder(wallet.id)
  if (!read.ok) {
    if (read.kind === 'refused' && read.status === 404 && order.payment_state !== 'review') {
      return refuse(tools, claimed, 'not-approved', read.issue, 'GONE')
    }
    return settleUnreachable(read.kind === 'refused' ? read.issue : read.reason)
  }
  const current = read.value
  if (hasProviderCapture(current)) return recordMoney(tools, claimed, current)
  if (!claimed.mayTake) return refuse(tools, claimed, 'not-approved', shopperApprovalRequired)
  // PayPal showed a capture before: one that is missing for a moment must not be made again.
  if (order.payment_state === 'review') return recordUnknown(tools, claimed, 'the capture is not shown')
  const card = confirmedCardIn(current)
  const known = { ...claimed, card: cardFingerprint(card) }
  const open = current.status === 'CREATED' || current.status === 'SAVED'
  if (current.status === 'PAYER_ACTION_REQUIRED' || (open && !card)) {
    return refuse(tools, known, 'not-approved', current.status)
  }
  if (current.status === 'VOIDED') return refuse(tools, known, 'refused', 'ORDER_VOIDED', 'VOIDED')
  if (!walletMatches(order, current, claimed.isAddressSent))
    return refuse(tools, known, 'outdated', 'AMOUNT_MISMATCH', 'MISMATCH')
  const payee = current.purchase_units?.[0]?.payee?.merchant_id
  if (payee && wallet.payee && payee !== wallet.payee) {
    return refuse(tools, known, 'refused', 'PAYEE_MISMATCH', 'MISMATCH')
  }
  if (card) {
    const facts = authenticationFacts(card.authentication_result)
    const decision = threeDSecureDecision(facts, tools.settings.paypal.cards.threeDSecure)
    if (decision === 'reject') return refuse(tools, known, 'card-rejected', 'CARD_AUTHENTICATION_REJECTED', 'REFUSED')
    if (decision === 'retry') return refuse(tools, known, 'card-retry', 'CARD_AUTHENTICATION_RETRY', 'REFUSED')
  }
  if (!resume && (await paymentsPaused(tools, order, known.card))) return refuse(tools, known, 'paused', 'PAUSED')

  const call = { requestId: attempt.request_id }
  const taken =
    attempt.step === 'authorise'
      ? await tools.paypal.authorizeOrder(wallet.id, call)
      : await tools.paypal.captureOrder(wallet.id, call)
  tools.checkpoint('S11 called')
  if (taken.ok && hasProviderCapture(taken.value)) return recordMoney(tools, known, taken.value)
  if (taken.ok) return settleByWallet(tools, known, 'no capture in the answer')
  if (taken.kind === 'unreachable') return settleUnreachable(taken.reason)
  if (taken.kind === 'unknown') return settleByWallet(tools, known, taken.reason)
  if (taken.status === 429 || taken.status === 401) return settleUnreachable(taken.issue)
  const reaction = issueReaction(taken.issue)
  if (reaction === 'read') return settleByWallet(tools, known, taken.issue)
  if (reaction === 'restart') return refuse(tools, known, 'declined', taken.issue)
  if (reaction === 'payer-step') {
    // The bank confirms a card; a new wallet order asks it again.
    const isCard = wallet.method === cardMethodId
    return isCard
      ? refuse(tools, known, 'card-retry', taken.issue, 'REFUSED')
      : refuse(tools, known, 'payer-step', taken.issue)
  }
  if (reaction === 'approve') return refuse(tools, known, 'not-approved', taken.issue)
  if (reaction === 'merchant') await notifyMerchant(tools, order.id, taken.issue)
  return refuse(tools, known, 'refused', taken.issue, 'REFUSED')
}

function hasProviderCapture(wallet: WalletOrder): boolean {
  return captureIn(wallet) !== undefined || authorizationIn(wallet) !== undefined
}

/** Settles a call that may have succeeded by what PayPal shows; without a capture, reconciliation settles it later. */
async function settleByWallet(tools: Tools, claimed: Claimed, issue: string): Promise<FinishResult> {
  const read = await tools.paypal?.getOrder(claimed.wallet.id)
  if (read?.ok && hasProviderCapture(read.value)) return recordMoney(tools, claimed, read.value)
  return recordUnknown(tools, claimed, issue)
}

/**
 * Records that no money was captured: the order waits for the shopper again.
 * @param spent why this wallet order cannot be used again; the next press opens another
 */
async function refuse(
  tools: Tools,
  { order, wallet, attempt, card = null }: Claimed,
  reason: FinishRefusal,
  issue: string,
  spent?: 'GONE' | 'VOIDED' | 'MISMATCH' | 'REFUSED',
): Promise<FinishResult> {
  const now = tools.clock.now()
  let isFirst = true
  const held = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return false
    // The webhook of an approval may repeat a refusal that the shopper already saw.
    const before = await findAttempts(tx, order.id)
    isFirst = !before.some(
      ({ id, state, wallet_order_id: of }) => of === wallet.id && state === 'refused' && id < attempt.id,
    )
    // Another card needs another wallet order, and each failure counts.
    const end = spent ?? (reason === 'declined' && wallet.method === cardMethodId ? 'REFUSED' : null)
    if (end) await setWalletState(tx, wallet.id, { state: end })
    await closeAttempt(tx, attempt.id, { state: 'refused', result: { reason, issue }, at: now })
    if (locked?.payment_state === 'authorising') {
      await updateOrder(tx, order.id, { payment_state: 'pending', updated_at: now })
    }
    await appendToLedger(
      tx,
      order.id,
      now,
      [{ kind: 'capture-refused', data: { walletOrder: wallet.id, issue } }],
      sha256,
    )
    return true
  })
  if (!held) return { ok: false, reason: 'checking', order, issue }
  if (isFirst && isFailedPayment(reason, issue)) await countFailedPayment(tools, order, card)
  tools.log.info({ orderId: order.id, reason, issue }, 'payment not captured')
  return { ok: false, reason, order, issue }
}

async function recordUnknown(tools: Tools, { order, wallet, attempt }: Claimed, issue: string): Promise<FinishResult> {
  const at = tools.clock.now()
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    // A successful attempt stays successful: a failed read does not change an earlier result.
    if (!isUnsettled(attempt) || !(await ownsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { issue }, at })
    await setWalletState(tx, wallet.id, { state: 'UNKNOWN' })
  })
  tools.log.warn({ orderId: order.id, issue }, 'payment outcome unknown')
  return { ok: false, reason: 'checking', order, issue }
}
