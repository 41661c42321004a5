import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { appendToLedger } from '#database/orders/ledger.ts'
import { lockOrder } from '#database/orders/orders.ts'
import {
  type AuthorizationRow,
  insertAuthorization,
  ownsAttempt,
  setAuthorizationStatus,
} from '#database/payments/payments.ts'
import { money } from '#domain/money/money.ts'
import { fromAmount, toAmount } from '#paypal/amounts.ts'
import type { PayPal } from '#paypal/client.ts'
import type { Refused } from '#paypal/result.ts'
import { sha256 } from '../../shared/digest.ts'
import type { Tools } from '../../shared/tools.ts'
import { captureIn } from '../wallet/read-wallet-order.ts'
import {
  type AuthorizedDecline,
  type AuthorizedWork,
  admitAuthorized,
  authorizedStep,
  type CaptureResult,
  isGone,
  no,
  possiblyCaptured,
  readCapture,
  readCapturedWallet,
  recordAuthorizedCapture,
} from './authorized-payment.ts'
import { type Checked, done, type PaymentStep, type Reading, unknown } from './payment-step.ts'
import { runPaymentStep } from './run-payment-step.ts'

export type { CaptureRefusal, CaptureResult } from './authorized-payment.ts'

/** PayPal's honor period: captures are guaranteed for three days; afterwards the authorization is renewed first. */
const honorPeriodMs = 3 * 24 * 60 * 60 * 1000
/** The money was captured in part before, or PayPal allows less than requested. */
const limitExceeded = new Set(['MAX_CAPTURE_AMOUNT_EXCEEDED', 'MAX_CAPTURE_COUNT_EXCEEDED'])

/** Captures the full authorized amount of an order, once. Another call completes an attempt that was left open. */
export function captureAuthorizedPayment(tools: Tools, orderId: number): Promise<CaptureResult> {
  return runPaymentStep(tools, captureAuthorization, (tx) => admitAuthorized(tools, tx, orderId, { step: 'capture' }))
}

type CaptureReading = Reading<WalletOrder, AuthorizedDecline>

const captureAuthorization: PaymentStep<AuthorizedWork, unknown, WalletOrder, AuthorizedDecline, CaptureResult> = {
  ...authorizedStep,
  call: {
    milestone: 'S11',
    check: checkAuthorization,
    send: (paypal, { order, held, attempt }, tools) => {
      const amount = toAmount(money(held.amount, held.currency))
      if (!amount) throw new Error(`the authorization ${held.id} has an amount that PayPal cannot represent`)
      const invoice = `${tools.settings.orderPrefix}${order.id}-${order.key.slice(-6)}-h${attempt.revision}`
      const body = { amount, invoice_id: invoice, final_capture: true }
      return paypal.captureAuthorization(held.id, body, { requestId: attempt.request_id })
    },
    read: (_, work, tools) => readCapture('not shown yet', work, tools),
    readRefusal,
    recover: readCapture,
  },
  recordDone: recordAuthorizedCapture,
}

/**
 * Reads captures made on PayPal's site first: PayPal allows a second one slightly above the authorized amount. A
 * resumed attempt reads its own.
 */
async function checkAuthorization(
  tools: Tools,
  paypal: PayPal,
  work: AuthorizedWork,
): Promise<Checked<AuthorizedWork, WalletOrder, AuthorizedDecline>> {
  if (work.resume) {
    const shown = await readCapturedWallet(tools, work.wallet)
    if (shown === 'unreachable') return { reading: unknown('the wallet order could not be read') }
    if (shown) return { reading: done(shown) }
  }
  const seen = await paypal.getAuthorization(work.held.id)
  if (seen.ok && (seen.value.status === 'CAPTURED' || seen.value.status === 'PARTIALLY_CAPTURED')) {
    return { reading: await readCapture(seen.value.status, work, tools) }
  }
  const held = await renewIfDue(tools, paypal, work)
  return held === 'unknown'
    ? { reading: unknown('outcome of the reauthorization is unknown') }
    : { work: { ...work, held } }
}

async function readRefusal(refused: Refused, work: AuthorizedWork, tools: Tools): Promise<CaptureReading> {
  const { issue } = refused
  if (possiblyCaptured.has(issue)) return readCapture(issue, work, tools)
  if (limitExceeded.has(issue)) {
    const shown = await readCapturedWallet(tools, work.wallet)
    if (shown === 'unreachable') return unknown(issue)
    const status = shown && captureIn(shown)?.status
    return shown && status !== 'DECLINED' && status !== 'FAILED' ? done(shown) : no('refused', issue)
  }
  return no(isGone(refused) ? 'gone' : 'refused', issue)
}

/**
 * Renews an authorization whose honor period is over. The capture is tried even where PayPal refuses the renewal: it
 * may still succeed.
 * @returns `unknown` where the money may have a new authorization id; the same call repeated returns it
 */
async function renewIfDue(
  tools: Tools,
  paypal: PayPal,
  { order, held, attempt }: AuthorizedWork,
): Promise<AuthorizationRow | 'unknown'> {
  const now = tools.clock.now()
  if (now.getTime() - held.authorized_at.getTime() < honorPeriodMs) return held
  const renewed = await paypal.reauthorize(held.id, {}, { requestId: `${attempt.request_id}-r` })
  if (!renewed.ok && renewed.kind === 'unknown') {
    const seen = await paypal.getAuthorization(held.id)
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
