import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { addOrderNote, findOrder, lockOrder, type OrderRow, updateOrder } from '#database/orders/orders.ts'
import {
  type AttemptRow,
  type AuthorizationRow,
  closeAttempt,
  findAttempts,
  findAuthorizations,
  insertAuthorization,
  ownsAttempt,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { findWalletOrder, type WalletOrderRow } from '#database/payments/wallet-orders.ts'
import { money } from '#domain/money/money.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { fromAmount, toAmount } from '#paypal/amounts.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { captureIn } from '../wallet/read-wallet-order.ts'
import { closeVoidedOrder, endOf, type OrderEnd } from './end-authorization.ts'
import { claimAttempt, isOtherEnvironment, isUnsettled, movesMoney } from './payment-attempt.ts'
import { recordMoney } from './record-payment.ts'

export type CaptureRefusal =
  | 'not-found'
  /** PayPal has no authorization for the order. */
  | 'nothing-held'
  /** PayPal could not be reached. The authorization is unchanged. */
  | 'unreachable'
  /** PayPal refuses the call; `issue` has the reason. */
  | 'refused'
  /** The authorization was voided or has expired: the order needs manual review. */
  | 'gone'
  /** The outcome is unknown until reconciliation. */
  | 'checking'
  /** The captured money does not fit the order. */
  | 'attention'

export type CaptureResult =
  | { ok: true; state: 'paid' | 'review' | 'held' | 'released'; order: OrderRow }
  | { ok: false; reason: CaptureRefusal; order: OrderRow | null; issue?: string }

const timeoutMs = 6_000
const pollMs = 150
/** PayPal's honor period: captures are guaranteed for three days; afterwards the authorization is renewed first. */
const honorPeriodMs = 3 * 24 * 60 * 60 * 1000

/** Captures the full authorized amount of an order, once. Another call completes an attempt that was left open. */
export function captureAuthorizedPayment(tools: Tools, orderId: number): Promise<CaptureResult> {
  return retryUntilClaimed(tools, orderId, { step: 'capture' }, (claimed) => capture(tools, claimed))
}

/**
 * Voids the authorization of an order and cancels the order, also one in manual review: no money of the customer stays
 * blocked. Another call completes an attempt that was left open, with the end requested first.
 * @param end the merchant's reason, and whether the pieces are restocked
 */
export function voidAuthorizedPayment(tools: Tools, orderId: number, end: OrderEnd = {}): Promise<CaptureResult> {
  const wish = { step: 'void', note: { end } } as const
  return retryUntilClaimed(tools, orderId, wish, (claimed) => voidOnce(tools, claimed, endOf(claimed.attempt) ?? end))
}

type Claimed = {
  kind: 'claimed'
  order: OrderRow
  held: AuthorizationRow
  wallet: WalletOrderRow
  attempt: AttemptRow
  resume: boolean
}
type Wish = { step: 'capture' | 'void'; note?: { end: OrderEnd } }
type Claim = Claimed | { kind: 'busy'; order: OrderRow } | { kind: 'ended'; result: CaptureResult }

async function retryUntilClaimed(
  tools: Tools,
  orderId: number,
  wish: Wish,
  work: (claimed: Claimed) => Promise<CaptureResult>,
): Promise<CaptureResult> {
  // Counts the pauses instead of the clock: a clock that is set back must not prolong the wait.
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const claimed = await claim(tools, orderId, wish)
    if (claimed.kind === 'ended') return claimed.result
    if (claimed.kind === 'claimed') {
      try {
        return await work(claimed)
      } finally {
        tools.working.delete(claimed.attempt.id)
      }
    }
    if (waitedMs > timeoutMs) return { ok: false, reason: 'checking', order: claimed.order }
    await tools.clock.sleep(pollMs)
  }
}

/** Claims the attempt under the order's lock: capture and void exclude each other while one of them is unsettled. */
function claim(tools: Tools, orderId: number, wish: Wish): Promise<Claim> {
  const { step } = wish
  const ended = (result: CaptureResult): Claim => ({ kind: 'ended', result })
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return ended({ ok: false, reason: 'not-found', order: null })
    if (isPaid(order.payment_state) && step === 'capture') return ended({ ok: true, state: 'paid', order })
    const { payment_state: state } = order
    const held = (await findAuthorizations(tx, orderId)).find(
      // An order in manual review has no further scheduled step: a pending authorization may have been granted by now.
      ({ status }) => status === 'CREATED' || (status === 'PENDING' && state === 'attention'),
    )
    const wallet = held && (await findWalletOrder(tx, held.wallet_order_id))
    if ((state !== 'authorised' && state !== 'attention') || !held || !wallet) {
      return ended({ ok: false, reason: 'nothing-held', order })
    }
    if (isOtherEnvironment(tools, held)) return ended({ ok: false, reason: 'unreachable', order })
    if (state === 'attention' && step === 'capture') return ended({ ok: false, reason: 'attention', order })
    const attempts = await findAttempts(tx, orderId)
    const another = attempts.some(
      (attempt) => attempt.step !== step && (movesMoney(attempt) || attempt.step === 'void') && isUnsettled(attempt),
    )
    if (another) return ended({ ok: false, reason: 'checking', order })
    const ofStep = attempts.filter((attempt) => attempt.step === step)
    const call = { ...wish, walletOrderId: wallet.id, amount: held.amount, body: held.id }
    const claimed = await claimAttempt(tools, tx, order, ofStep, call)
    if (claimed.kind === 'busy') return { kind: 'busy', order }
    if (claimed.kind === 'fresh') {
      const data = { authorization: held.id, amount: held.amount, currency: held.currency }
      const kind = step === 'void' ? 'release-started' : 'capture-started'
      const now = tools.clock.now()
      await updateOrder(tx, orderId, { updated_at: now })
      await appendToLedger(tx, orderId, now, [{ kind, data }], sha256)
    }
    tools.checkpoint(step === 'void' ? 'release before commit' : 'S11 before commit')
    return { kind: 'claimed', order, held, wallet, attempt: claimed.attempt, resume: claimed.kind !== 'fresh' }
  })
}

/** Captures the money unless it is captured already, outside any transaction, and records the result. */
async function capture(tools: Tools, claimed: Claimed): Promise<CaptureResult> {
  const { order, attempt, resume } = claimed
  tools.checkpoint('S11 attempt written')
  // The failure of this call does not settle the attempt that it resumes, which may still be in progress.
  const settleUnreachable = (issue: string) =>
    resume ? recordUnknown(tools, claimed, issue) : recordRefusal(tools, claimed, 'unreachable', issue)
  if (!tools.paypal) return settleUnreachable('PayPal is not configured')
  if (resume) {
    const shown = await readCapturedWallet(tools, claimed)
    if (shown === 'unreachable') return recordUnknown(tools, claimed, 'the wallet order could not be read')
    if (shown) return record(tools, claimed, shown)
  }
  // Captures made on PayPal's site are read first: PayPal allows a second one slightly above the authorized amount.
  const seen = await tools.paypal.getAuthorization(claimed.held.id)
  if (seen.ok && (seen.value.status === 'CAPTURED' || seen.value.status === 'PARTIALLY_CAPTURED')) {
    return settleByWallet(tools, claimed, seen.value.status)
  }
  const held = await renewIfDue(tools, claimed)
  if (held === 'unknown') return recordUnknown(tools, claimed, 'outcome of the reauthorization is unknown')
  const amount = toAmount(money(held.amount, held.currency))
  if (!amount) throw new Error(`the authorization ${held.id} has an amount that PayPal cannot represent`)
  const body = {
    amount,
    invoice_id: `${tools.settings.orderPrefix}${order.id}-${order.key.slice(-6)}-h${attempt.revision}`,
  }
  const taken = await tools.paypal.captureAuthorization(
    held.id,
    { ...body, final_capture: true },
    { requestId: attempt.request_id },
  )
  tools.checkpoint('S11 called')
  if (taken.ok || taken.kind === 'unknown')
    return settleByWallet(tools, claimed, taken.ok ? 'not shown yet' : taken.reason)
  if (taken.kind === 'unreachable') return settleUnreachable(taken.reason)
  if (taken.status === 429 || taken.status === 401) return settleUnreachable(taken.issue)
  if (possiblyCaptured.has(taken.issue)) return settleByWallet(tools, claimed, taken.issue)
  if (limitExceeded.has(taken.issue)) return settleByWallet(tools, claimed, taken.issue, 'refused')
  if (isGone(taken.issue, taken.status)) return flagForReview(tools, claimed, taken.issue)
  return recordRefusal(tools, claimed, 'refused', taken.issue)
}

const possiblyCaptured = new Set([
  'AUTHORIZATION_ALREADY_CAPTURED',
  'PREVIOUSLY_CAPTURED',
  'DUPLICATE_INVOICE_ID',
  'PREVIOUS_REQUEST_IN_PROGRESS',
])
/** The money was captured in part before, or PayPal allows less than requested. */
const limitExceeded = new Set(['MAX_CAPTURE_AMOUNT_EXCEEDED', 'MAX_CAPTURE_COUNT_EXCEEDED'])
const goneIssues = new Set([
  'AUTHORIZATION_EXPIRED',
  'AUTHORIZATION_VOIDED',
  'PREVIOUSLY_VOIDED',
  'AUTHORIZATION_DENIED',
])
const isGone = (issue: string, status: number) => goneIssues.has(issue) || status === 404

/**
 * Settles a capture that may have succeeded by the wallet order; without a capture there, reconciliation settles it
 * later.
 * @param otherwise the result where the wallet order shows no successful capture; undefined: unknown yet
 */
async function settleByWallet(
  tools: Tools,
  claimed: Claimed,
  issue: string,
  otherwise?: 'refused',
): Promise<CaptureResult> {
  const shown = await readCapturedWallet(tools, claimed)
  if (shown === 'unreachable') return recordUnknown(tools, claimed, issue)
  const status = shown && captureIn(shown)?.status
  if (otherwise && (!shown || status === 'DECLINED' || status === 'FAILED')) {
    return recordRefusal(tools, claimed, otherwise, issue)
  }
  return shown ? record(tools, claimed, shown) : recordUnknown(tools, claimed, issue)
}

async function readCapturedWallet(tools: Tools, { wallet }: Claimed): Promise<WalletOrder | 'unreachable' | null> {
  const read = await tools.paypal?.getOrder(wallet.id)
  if (!read?.ok) return 'unreachable'
  return captureIn(read.value) ? read.value : null
}

async function record(tools: Tools, claimed: Claimed, wallet: WalletOrder): Promise<CaptureResult> {
  const result = await recordMoney(tools, claimed, wallet)
  if (result.ok) return result
  const reason = result.reason === 'attention' ? 'attention' : 'refused'
  return { ok: false, reason, order: result.order, ...(result.issue ? { issue: result.issue } : {}) }
}

/**
 * Renews an authorization whose honor period is over. The capture is tried even where PayPal refuses the renewal: it
 * may still succeed.
 * @returns `unknown` where the money may have a new authorization id; the same call repeated returns it
 */
async function renewIfDue(tools: Tools, { order, held, attempt }: Claimed): Promise<AuthorizationRow | 'unknown'> {
  const now = tools.clock.now()
  if (!tools.paypal || now.getTime() - held.authorized_at.getTime() < honorPeriodMs) return held
  const renewed = await tools.paypal.reauthorize(held.id, {}, { requestId: `${attempt.request_id}-r` })
  if (!renewed.ok && renewed.kind === 'unknown') {
    const seen = await tools.paypal.getAuthorization(held.id)
    return seen.ok && seen.value.status === 'CREATED' ? held : 'unknown'
  }
  if (!renewed.ok) return held
  const { id, status, amount, expiration_time: expires } = renewed.value
  const next = {
    ...held,
    id,
    status,
    amount: fromAmount(amount)?.minor ?? held.amount,
    authorized_at: now,
    expires_at: expires ? new Date(expires) : held.expires_at,
  }
  if (id === held.id || next.amount !== held.amount || status !== 'CREATED') return held
  return transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return held
    await setAuthorizationStatus(tx, held.id, 'RENEWED')
    await insertAuthorization(tx, next)
    const data = { authorization: id, instead: held.id }
    await appendToLedger(tx, order.id, now, [{ kind: 'authorization-renewed', data }], sha256)
    return next
  })
}

async function voidOnce(tools: Tools, claimed: Claimed, end: OrderEnd): Promise<CaptureResult> {
  const { order, held, attempt, resume } = claimed
  tools.checkpoint('release attempt written')
  const settleUnreachable = (issue: string) =>
    resume ? recordUnknown(tools, claimed, issue) : recordRefusal(tools, claimed, 'unreachable', issue)
  if (!tools.paypal) return settleUnreachable('PayPal is not configured')
  const done = await tools.paypal.voidAuthorization(held.id, { requestId: attempt.request_id })
  tools.checkpoint('release called')
  if (!done.ok && done.kind === 'unreachable') return settleUnreachable(done.reason)
  if (!done.ok && done.kind === 'unknown') return recordUnknown(tools, claimed, done.reason)
  if (!done.ok && (done.status === 429 || done.status === 401)) return settleUnreachable(done.issue)
  if (!done.ok && possiblyCaptured.has(done.issue)) return settleByWallet(tools, claimed, done.issue)
  if (!done.ok && !isGone(done.issue, done.status)) return recordRefusal(tools, claimed, 'refused', done.issue)

  const now = tools.clock.now()
  const after = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked || !(await ownsAttempt(tx, attempt))) return null
    await setAuthorizationStatus(tx, held.id, 'VOIDED')
    await closeAttempt(tx, attempt.id, { state: 'succeeded', result: { authorization: held.id }, at: now })
    return closeVoidedOrder(tools, tx, locked, held, end)
  })
  tools.checkpoint('release recorded')
  return after ? { ok: true, state: 'released', order: after } : { ok: false, reason: 'checking', order }
}

/** Records that no money moved: the authorization is unchanged. */
async function recordRefusal(
  tools: Tools,
  { order, attempt }: Claimed,
  reason: CaptureRefusal,
  issue: string,
): Promise<CaptureResult> {
  const at = tools.clock.now()
  const held = await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return false
    await closeAttempt(tx, attempt.id, { state: 'refused', result: { reason, issue }, at })
    const data = { step: attempt.step, issue }
    await appendToLedger(tx, order.id, at, [{ kind: 'capture-refused', data }], sha256)
    return true
  })
  tools.log.warn({ orderId: order.id, issue }, 'authorization unchanged: capture or void refused')
  return { ok: false, reason: held ? reason : 'checking', order, issue }
}

async function recordUnknown(tools: Tools, { order, attempt }: Claimed, issue: string): Promise<CaptureResult> {
  const at = tools.clock.now()
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return
    // The call that resumes the attempt needs the note written with it.
    await closeAttempt(tx, attempt.id, { state: 'unknown', result: { ...attempt.result, issue }, at })
  })
  tools.log.warn({ orderId: order.id, issue }, 'outcome of capture or void unknown')
  return { ok: false, reason: 'checking', order, issue }
}

async function flagForReview(tools: Tools, claimed: Claimed, issue: string): Promise<CaptureResult> {
  const { order, attempt, held } = claimed
  const at = tools.clock.now()
  await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    if (!(await ownsAttempt(tx, attempt))) return
    await closeAttempt(tx, attempt.id, { state: 'refused', result: { issue }, at })
    await setAuthorizationStatus(tx, held.id, issue === 'AUTHORIZATION_EXPIRED' ? 'EXPIRED' : 'VOIDED')
    const why = `the money that was held is not there any more (${issue}, authorisation ${held.id})`
    await updateOrder(tx, order.id, { payment_state: 'attention', attention: why, updated_at: at })
    await addOrderNote(tx, order.id, `Needs attention: ${why}.`, at)
    await appendToLedger(tx, order.id, at, [{ kind: 'needs-attention', data: { why } }], sha256)
  })
  return { ok: false, reason: 'gone', order: (await findOrder(tools.db.kysely, order.id)) ?? order, issue }
}
