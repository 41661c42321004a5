import { cardMethodId } from '#contract/payment-words.ts'
import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/connect.ts'
import { appendToLedger, findLedgerEnd } from '#database/ledger.ts'
import { findOrderItems, lockOrder, type OrderRow, updateOrder } from '#database/orders.ts'
import {
  type AttemptRow,
  closeAttempt,
  findAttempts,
  findCaptures,
  findCurrentWalletOrder,
  findWalletOrder,
  holdsAttempt,
  setWalletState,
  type WalletOrderRow,
} from '#database/payments.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { threeDSecureDecision } from '#domain/payments/three-d-secure.ts'
import { sha256 } from './digest.ts'
import { type FinishRefusal, type FinishResult, isFailedPayment } from './finish-result.ts'
import { cardFingerprint, countFailedPayment, paymentsPaused } from './limit-payments.ts'
import { resumePayAtOnce } from './pay-at-once.ts'
import { claimAttempt, isUnsettled, movesMoney } from './payment-attempt.ts'
import { authenticationFacts, authorizationIn, captureIn, confirmedCardIn, walletMatches } from './read-wallet-order.ts'
import { recordMoney } from './record-money.ts'
import { extendReservation } from './reserve-order-stock.ts'
import { soldNoLonger } from './still-sold.ts'
import { type TakeResult, takeHeldMoney } from './take-held-money.ts'
import { tellMerchant } from './tell-merchant.ts'
import type { Tools } from './tools.ts'

export type { FinishRefusal, FinishResult } from './finish-result.ts'

const patienceMs = 6_000
const pollMs = 150

/** Calls of this process by order, so that a return and a notification that meet become one. */
const underWay = new WeakMap<Tools['working'], Map<number, Promise<FinishResult>>>()

/**
 * Takes the money of an approved order, once, and records it; or finds that this is done. The one way to "paid" for the
 * shopper's return, the provider's notification, reconciliation and the resumption after a crash.
 * @param walletOrderId what the caller believes to be the wallet order: refused unless it is the order's newest
 */
export async function finishPayment(tools: Tools, orderId: number, walletOrderId?: string): Promise<FinishResult> {
  const calls = underWay.get(tools.working) ?? new Map<number, Promise<FinishResult>>()
  underWay.set(tools.working, calls)
  const running = calls.get(orderId)
  // Paid is paid, whoever asks and by which wallet order: nothing needs to be looked at again for that.
  const result = await running?.catch(() => undefined)
  if (result?.ok && result.state === 'paid') return result
  const again = calls.get(orderId)
  if (again) return again

  const call = finish(tools, orderId, walletOrderId).finally(() => calls.delete(orderId))
  calls.set(orderId, call)
  return call
}

async function finish(tools: Tools, orderId: number, walletOrderId: string | undefined): Promise<FinishResult> {
  // Counted by its own pauses: a clock that is set back meanwhile must not keep anybody waiting for a day.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claimCapture(tools, orderId, walletOrderId)
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'taking') return takenResult(await takeHeldMoney(tools, orderId))
    if (claimed.kind === 'paying') {
      const result = await resumePayAtOnce(tools, orderId)
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

function takenResult(taken: TakeResult): FinishResult {
  if (taken.ok) return { ok: true, state: taken.state === 'released' ? 'held' : taken.state, order: taken.order }
  if (!taken.order) return { ok: false, reason: 'unknown-order', order: null }
  // Until the merchant has taken it, the money is held as before.
  if (taken.order.payment_state === 'authorised') return { ok: true, state: 'held', order: taken.order }
  return { ok: false, reason: taken.order.payment_state === 'attention' ? 'attention' : 'checking', order: taken.order }
}

type Claimed = {
  kind: 'claimed'
  order: OrderRow
  wallet: WalletOrderRow
  attempt: AttemptRow
  resume: boolean
  /** What its card is known again by, once the provider has shown it. */
  card?: string | null
}
/** Calls of other kinds that are open and have to be ended first. */
type Elsewhere = { kind: 'paying' } | { kind: 'taking' }

/** Under the order's lock: may this order be captured, and by whom? */
function claimCapture(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
): Promise<Claimed | Elsewhere | { kind: 'busy'; order: OrderRow } | { kind: 'ended'; result: FinishResult }> {
  const ended = (result: FinishResult) => ({ kind: 'ended' as const, result })
  return transaction(tools, async (tx) => {
    const [order, allAttempts, current, captured, gone, items, ledgerEnd] = await Promise.all([
      lockOrder(tx, orderId),
      findAttempts(tx, orderId),
      findCurrentWalletOrder(tx, orderId),
      findCaptures(tx, orderId),
      soldNoLonger(tx, orderId),
      findOrderItems(tx, orderId),
      findLedgerEnd(tx, orderId),
    ])
    if (!order) return ended({ ok: false, reason: 'unknown-order', order: null })
    if (isPaid(order.payment_state)) return ended({ ok: true, state: 'paid', order })
    if (order.payment_state === 'attention') return ended({ ok: false, reason: 'attention', order })

    const attempts = allAttempts.filter(movesMoney)
    const last = attempts.at(-1)
    const unsettled = last !== undefined && isUnsettled(last)
    if (unsettled && last.step === 'pay') return { kind: 'paying' as const }
    if (order.payment_state === 'authorised') {
      return unsettled ? { kind: 'taking' as const } : ended({ ok: true, state: 'held', order })
    }
    const inReview = order.payment_state === 'review'
    // A capture whose end is open is ended first, under the wallet order that it was begun with: a newer one may exist.
    const begun = unsettled || inReview ? (last?.wallet_order_id ?? null) : null
    const wallet = begun ? await findWalletOrder(tx, begun) : current
    if (!wallet) return ended({ ok: false, reason: 'unknown-order', order })

    if (begun) {
      // The pieces stay held for as long as the answer takes; where that fails, what was taken decides.
      await extendReservation(tools, tx, order, items)
    } else {
      if (walletOrderId && walletOrderId !== wallet.id) return ended({ ok: false, reason: 'outdated', order })
      if (order.status !== 'pending' && order.status !== 'failed') {
        return ended({ ok: false, reason: 'cancelled', order })
      }
      // Its one capture was declined: no notification of that begins another.
      const captures = captured.filter(({ wallet_order_id: id }) => id === wallet.id)
      if (captures.length > 0 && captures.every(({ status }) => status === 'DECLINED' || status === 'FAILED')) {
        return ended({ ok: false, reason: 'declined', order, issue: 'CAPTURE_DECLINED' })
      }
      const sameMoney = wallet.amount === order.total && wallet.currency === order.currency
      if (!sameMoney || wallet.environment !== tools.paymentEnvironment) {
        return ended({ ok: false, reason: 'outdated', order })
      }
      if (gone.length > 0) return ended({ ok: false, reason: 'stock', order })
      if (!(await extendReservation(tools, tx, order, items))) return ended({ ok: false, reason: 'stock', order })
    }

    const step = wallet.intent === 'AUTHORIZE' ? ('authorise' as const) : ('capture' as const)
    const call = { step, walletOrderId: wallet.id, amount: order.total, body: wallet.id }
    const claim = await claimAttempt(tools, tx, order, attempts, call)
    if (claim.kind === 'busy') return { kind: 'busy' as const, order }
    if (claim.kind === 'fresh') {
      const now = tools.clock.now()
      const data = { walletOrder: wallet.id, amount: order.total, currency: order.currency }
      await Promise.all([
        updateOrder(tx, order.id, { payment_state: 'authorising', updated_at: now }),
        appendToLedger(tx, order.id, now, [{ kind: 'capture-started', data }], sha256, ledgerEnd),
      ])
    }
    tools.checkpoint('S11 before commit')
    // "done" with an order that is not paid: the provider still looks at the payment, so it is read again.
    return { kind: 'claimed' as const, order, wallet, attempt: claim.attempt, resume: claim.kind !== 'fresh' }
  })
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
  if (showsMoney(current)) return recordMoney(tools, claimed, current)
  // The provider had shown a capture: one that is out of sight for a moment is not to be taken again.
  if (order.payment_state === 'review') return leaveUnknown(tools, claimed, 'the capture is not shown')
  const card = confirmedCardIn(current)
  const known = { ...claimed, card: cardFingerprint(card) }
  const open = current.status === 'CREATED' || current.status === 'SAVED'
  if (current.status === 'PAYER_ACTION_REQUIRED' || (open && !card)) {
    return give(tools, known, 'not-approved', current.status)
  }
  if (current.status === 'VOIDED') return give(tools, known, 'refused', 'ORDER_VOIDED', 'VOIDED')
  if (!walletMatches(order, current)) return give(tools, known, 'outdated', 'AMOUNT_MISMATCH', 'MISMATCH')
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
  if (taken.ok && showsMoney(taken.value)) return recordMoney(tools, known, taken.value)
  if (taken.ok) return readAfter(tools, known, 'no capture in the answer')
  if (taken.kind === 'unreachable') return notReached(taken.reason)
  if (taken.kind === 'unknown') return readAfter(tools, known, taken.reason)
  if (taken.status === 429 || taken.status === 401) return notReached(taken.issue)
  const reaction = issueReaction(taken.issue)
  if (reaction === 'read') return readAfter(tools, known, taken.issue)
  if (reaction === 'restart') return give(tools, known, 'declined', taken.issue)
  if (reaction === 'approve') return give(tools, known, 'not-approved', taken.issue)
  if (reaction === 'merchant') await tellMerchant(tools, order.id, taken.issue)
  return give(tools, known, 'refused', taken.issue, 'REFUSED')
}

function showsMoney(wallet: WalletOrder): boolean {
  return captureIn(wallet) !== undefined || authorizationIn(wallet) !== undefined
}

/** The call may have had its effect: what the provider shows now decides, and if it shows nothing, time will. */
async function readAfter(tools: Tools, claimed: Claimed, issue: string): Promise<FinishResult> {
  const read = await tools.paypal?.getOrder(claimed.wallet.id)
  if (read?.ok && showsMoney(read.value)) return recordMoney(tools, claimed, read.value)
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
    if (!(await holdsAttempt(tx, attempt))) return false
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
    if (!isUnsettled(attempt) || !(await holdsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { issue }, at })
    await setWalletState(tx, wallet.id, { state: 'UNKNOWN' })
  })
  tools.log.warn({ orderId: order.id, issue }, 'whether money was taken is being found out')
  return { ok: false, reason: 'checking', order, issue }
}
