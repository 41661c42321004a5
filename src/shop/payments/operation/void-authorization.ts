import type { WalletOrder } from '#contract/paypal/order.ts'
import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { closeAttempt, ownsAttempt, setAuthorizationStatus } from '#database/payments/payments.ts'
import type { Tools } from '../../shared/tools.ts'
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
  recordAuthorizedCapture,
} from './authorized-payment.ts'
import { closeVoidedOrder, endOf, type OrderEnd } from './end-authorization.ts'
import { done, type PaymentStep } from './payment-step.ts'
import { runPaymentStep } from './run-payment-step.ts'

/**
 * Voids the authorization of an order and cancels the order, also one in manual review: no money of the customer stays
 * blocked. Another call completes an attempt that was left open, with the end requested first.
 * @param end the merchant's reason, and whether the pieces are restocked
 */
export function voidAuthorizedPayment(tools: Tools, orderId: number, end: OrderEnd = {}): Promise<CaptureResult> {
  return runPaymentStep(tools, voidAuthorization(end), (tx) =>
    admitAuthorized(tools, tx, orderId, { step: 'void', note: { end } }),
  )
}

/** The wallet order where it shows a capture instead; null: the authorization is voided. */
type VoidOutcome = WalletOrder | null

function voidAuthorization(
  requested: OrderEnd,
): PaymentStep<AuthorizedWork, null, VoidOutcome, AuthorizedDecline, CaptureResult> {
  return {
    ...authorizedStep,
    call: {
      milestone: 'release',
      send: (paypal, { held, attempt }) => paypal.voidAuthorization(held.id, { requestId: attempt.request_id }),
      read: done,
      readRefusal: (refused, work, tools) => {
        if (possiblyCaptured.has(refused.issue)) return readCapture(refused.issue, work, tools)
        return isGone(refused) ? done(null) : no('refused', refused.issue)
      },
    },
    recordDone: (tools, work, captured) =>
      captured
        ? recordAuthorizedCapture(tools, work, captured)
        : recordVoid(tools, work, endOf(work.attempt) ?? requested),
  }
}

async function recordVoid(
  tools: Tools,
  { order, held, attempt }: AuthorizedWork,
  end: OrderEnd,
): Promise<CaptureResult> {
  const at = tools.clock.now()
  const after = await transaction(tools, async (tx) => {
    const locked = await lockOrder(tx, order.id)
    if (!locked || !(await ownsAttempt(tx, attempt))) return null
    await setAuthorizationStatus(tx, held.id, 'VOIDED')
    await closeAttempt(tx, attempt.id, { state: 'succeeded', result: { authorization: held.id }, at })
    return closeVoidedOrder(tools, tx, locked, held, end)
  })
  return after ? { ok: true, state: 'released', order: after } : { ok: false, reason: 'checking', order }
}
