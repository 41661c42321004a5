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
import { type Behind, type Claimed, claimCapture, shopperApprovalRequired } from './claim-capture.ts'
import { lockDeclineUnlessPaid } from './lock-decline.ts'
import { resumePayWithoutApproval } from './pay-in-one-call.ts'
import { isUnsettled } from './payment-attempt.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './payment-result.ts'
import { recordMoney } from './record-payment.ts'
import { notifyMerchant } from './report-account-problem.ts'

export type { FinishRefusal, FinishResult } from './payment-result.ts'

const patienceMs = 6_000
const pollMs = 150

/** Calls of this process by who is behind them and their order, so that a return and a notification that meet become one. */
const underWay = new WeakMap<Tools['working'], Map<string, Promise<FinishResult>>>()

/**
 * Takes the money of an approved order, once, and records it; or finds that this is done. For somebody who waits for the answer:
 * who is told that nothing was charged is not charged by what nobody waits for (`finishInBackground`).
 * @param walletOrderId what the caller believes to be the wallet order: refused unless it is the order's newest
 */
export async function finishPayment(tools: Tools, orderId: number, walletOrderId?: string): Promise<FinishResult> {
  for (let times = 1; ; times += 1) {
    const result = await joined(tools, orderId, walletOrderId, { by: 'shopper' })
    if (result.ok || result.reason === 'checking' || result.reason === 'attention') return result
    if (await lockDeclineUnlessPaid(tools, orderId, walletOrderId)) return result
    // A notification has come in between: what it came to is the answer.
    if (times === 3) return { ok: false, reason: 'checking', order: result.order }
  }
}

/**
 * The same for what nobody waits for: the provider's notification, reconciliation, the resumption after a crash. The provider is
 * asked first, without a lock: an order that is not approved is left as it is, its time and its pieces too. Nor is money taken
 * for an order whose shopper was told no, has chosen another way to pay, or whose card was declined; what was taken is recorded.
 */
export async function finishInBackground(tools: Tools, orderId: number, walletOrderId?: string): Promise<FinishResult> {
  const paid = await paidMeanwhile(tools, orderId)
  if (paid) return paid
  let result: FinishResult
  let times = 0
  do {
    const look = await lookUnattended(tools, orderId, walletOrderId)
    if (look.kind === 'ended') return look.result
    result = await joined(tools, orderId, walletOrderId, { by: 'nobody', hasProviderCapture: look.hasProviderCapture })
    times += 1
    // A shopper's own call was begun after the look, and was told no: what the provider shows after it counts.
  } while (!result.ok && result.issue === shopperApprovalRequired && times < 2)
  // Asking a bank again and again that has said no does not make it say yes.
  const isNo =
    !result.ok && ['declined', 'refused', 'card-rejected', 'card-retry', 'payer-step'].includes(result.reason)
  if (isNo) await recordDecline(tools.db.kysely, orderId, walletOrderId)
  return result
}

async function joined(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
  behind: Behind,
): Promise<FinishResult> {
  const paid = await paidMeanwhile(tools, orderId)
  if (paid) return paid
  const calls = callsOf(tools)
  const name = `${behind.by} ${orderId}`
  const again = calls.get(name)
  if (again) return again

  const call = finish(tools, orderId, walletOrderId, behind).finally(() => calls.delete(name))
  calls.set(name, call)
  return call
}

function callsOf({ working }: Tools): Map<string, Promise<FinishResult>> {
  const calls = underWay.get(working) ?? new Map<string, Promise<FinishResult>>()
  underWay.set(working, calls)
  return calls
}

/** Waits for what this process has under way for an order. Paid is paid, whoever asked and by which wallet order. */
async function paidMeanwhile(tools: Tools, orderId: number): Promise<FinishResult | null> {
  for (const by of ['shopper', 'nobody'] as const) {
    const result = await callsOf(tools)
      .get(`${by} ${orderId}`)
      ?.catch(() => undefined)
    if (result?.ok && result.state === 'paid') return result
  }
  return null
}

/** What the provider shows of an order that nobody waits for; ended where there is nothing to take and nothing to record. */
async function lookUnattended(
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
    if (read?.kind !== 'refused') return ended('unreachable', read?.reason ?? 'no provider is set up')
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
  behind: Behind,
): Promise<FinishResult> {
  // Counted by its own pauses: a clock that is set back meanwhile must not keep anybody waiting for a day.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claimCapture(tools, orderId, walletOrderId, behind)
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'taking') return takenResult(await captureAuthorizedPayment(tools, orderId))
    if (claimed.kind === 'paying') {
      const result = await resumePayWithoutApproval(tools, orderId)
      // What was opened there waits to be captured: it is the newest wallet order now.
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
      // An earlier wallet order had to be settled first, and took nothing: now the one that was asked for.
      const another = walletOrderId !== undefined && walletOrderId !== claimed.wallet.id
      if (!another || result.ok || result.reason === 'checking' || result.reason === 'attention') return result
      continue
    }
    if (waitedMs > patienceMs) return { ok: false, reason: 'checking', order: claimed.order }
    await tools.clock.sleep(pollMs)
  }
}

function takenResult(taken: CaptureResult): FinishResult {
  if (taken.ok) return { ok: true, state: taken.state === 'released' ? 'held' : taken.state, order: taken.order }
  if (!taken.order) return { ok: false, reason: 'unknown-order', order: null }
  // Until the merchant has taken it, the money is held as before.
  if (taken.order.payment_state === 'authorised') return { ok: true, state: 'held', order: taken.order }
  return { ok: false, reason: taken.order.payment_state === 'attention' ? 'attention' : 'checking', order: taken.order }
}

/** Outside any transaction: asks the provider, takes the money unless it was taken, and records what came of it. */
async function capture(tools: Tools, claimed: Claimed): Promise<FinishResult> {
  const { order, wallet, attempt, resume } = claimed
  tools.checkpoint('S11 attempt written')
  // What stopped this call says nothing of the one that it resumes, which may be on its way still.
  const notReached = (issue: string) =>
    resume ? leaveUnknown(tools, claimed, issue) : give(tools, claimed, 'unreachable', issue)
  if (!tools.paypal) return notReached('no provider is set up')

  const read = await tools.paypal.getOrder(wallet.id)
  if (!read.ok) {
    if (read.kind === 'refused' && read.status === 404 && order.payment_state !== 'review') {
      return give(tools, claimed, 'not-approved', read.issue, 'GONE')
    }
    return notReached(read.kind === 'refused' ? read.issue : read.reason)
  }
  const current = read.value
  if (hasProviderCapture(current)) return recordMoney(tools, claimed, current)
  if (!claimed.mayTake) return give(tools, claimed, 'not-approved', shopperApprovalRequired)
  // The provider had shown a capture: one that is out of sight for a moment is not to be taken again.
  if (order.payment_state === 'review') return leaveUnknown(tools, claimed, 'the capture is not shown')
  const card = confirmedCardIn(current)
  const known = { ...claimed, card: cardFingerprint(card) }
  const open = current.status === 'CREATED' || current.status === 'SAVED'
  if (current.status === 'PAYER_ACTION_REQUIRED' || (open && !card)) {
    return give(tools, known, 'not-approved', current.status)
  }
  if (current.status === 'VOIDED') return give(tools, known, 'refused', 'ORDER_VOIDED', 'VOIDED')
  if (!walletMatches(order, current, claimed.isAddressSent))
    return give(tools, known, 'outdated', 'AMOUNT_MISMATCH', 'MISMATCH')
  const payee = current.purchase_units?.[0]?.payee?.merchant_id
  if (payee && wallet.payee && payee !== wallet.payee) {
    return give(tools, known, 'refused', 'PAYEE_MISMATCH', 'MISMATCH')
  }
  if (card) {
    const facts = authenticationFacts(card.authentication_result)
    const decision = threeDSecureDecision(facts, tools.settings.paypal.cards.threeDSecure)
    if (decision === 'reject') return give(tools, known, 'card-rejected', 'CARD_AUTHENTICATION_REJECTED', 'REFUSED')
    if (decision === 'retry') return give(tools, known, 'card-retry', 'CARD_AUTHENTICATION_RETRY', 'REFUSED')
  }
  if (!resume && (await paymentsPaused(tools, order, known.card))) return give(tools, known, 'paused', 'PAUSED')

  const call = { requestId: attempt.request_id }
  const taken =
    attempt.step === 'authorise'
      ? await tools.paypal.authorizeOrder(wallet.id, call)
      : await tools.paypal.captureOrder(wallet.id, call)
  tools.checkpoint('S11 called')
  if (taken.ok && hasProviderCapture(taken.value)) return recordMoney(tools, known, taken.value)
  if (taken.ok) return readAfter(tools, known, 'no capture in the answer')
  if (taken.kind === 'unreachable') return notReached(taken.reason)
  if (taken.kind === 'unknown') return readAfter(tools, known, taken.reason)
  if (taken.status === 429 || taken.status === 401) return notReached(taken.issue)
  const reaction = issueReaction(taken.issue)
  if (reaction === 'read') return readAfter(tools, known, taken.issue)
  if (reaction === 'restart') return give(tools, known, 'declined', taken.issue)
  if (reaction === 'payer-step') {
    // A card's step is its bank's: it is asked again with another wallet order.
    const isCard = wallet.method === cardMethodId
    return isCard
      ? give(tools, known, 'card-retry', taken.issue, 'REFUSED')
      : give(tools, known, 'payer-step', taken.issue)
  }
  if (reaction === 'approve') return give(tools, known, 'not-approved', taken.issue)
  if (reaction === 'merchant') await notifyMerchant(tools, order.id, taken.issue)
  return give(tools, known, 'refused', taken.issue, 'REFUSED')
}

function hasProviderCapture(wallet: WalletOrder): boolean {
  return captureIn(wallet) !== undefined || authorizationIn(wallet) !== undefined
}

/** The call may have had its effect: what the provider shows now decides, and if it shows nothing, time will. */
async function readAfter(tools: Tools, claimed: Claimed, issue: string): Promise<FinishResult> {
  const read = await tools.paypal?.getOrder(claimed.wallet.id)
  if (read?.ok && hasProviderCapture(read.value)) return recordMoney(tools, claimed, read.value)
  return leaveUnknown(tools, claimed, issue)
}

/**
 * Nothing was taken, and that is known: the order waits for the shopper again.
 * @param spent why this wallet order is of no more use, so that the next press opens another
 */
async function give(
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
    // The notification about an approval may find out once more what its shopper was told already.
    const before = await findAttempts(tx, order.id)
    isFirst = !before.some(
      ({ id, state, wallet_order_id: of }) => of === wallet.id && state === 'refused' && id < attempt.id,
    )
    // Another card needs another wallet order, so that each one that fails counts.
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
  tools.log.info({ orderId: order.id, reason, issue }, 'no money was taken')
  return { ok: false, reason, order, issue }
}

async function leaveUnknown(tools: Tools, { order, wallet, attempt }: Claimed, issue: string): Promise<FinishResult> {
  const at = tools.clock.now()
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    // One that has succeeded is known to have: a look that failed says nothing of what was seen before.
    if (!isUnsettled(attempt) || !(await ownsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { issue }, at })
    await setWalletState(tx, wallet.id, { state: 'UNKNOWN' })
  })
  tools.log.warn({ orderId: order.id, issue }, 'whether money was taken is being found out')
  return { ok: false, reason: 'checking', order, issue }
}
