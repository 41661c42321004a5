import { readTogether } from '#database/engine/pipeline.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findUnsettledCapture } from '#database/payments/payments.ts'
import { findCurrentWalletOrder, recordDecline, recordWalletOrderEnd } from '#database/payments/wallet-orders.ts'
import type { Tools } from '../../shared/tools.ts'
import { confirmedCardIn } from '../wallet/read-wallet-order.ts'
import { admitCapture, type CaptureOrigin } from './admit-capture.ts'
import { type CaptureResult, captureAuthorizedPayment } from './capture-authorization.ts'
import { captureWalletOrder, hasProviderCapture, shopperApprovalRequired } from './capture-wallet-order.ts'
import { lockDeclineUnlessPaid } from './lock-decline.ts'
import { resumePayWithoutApproval } from './pay-in-one-call.ts'
import type { FinishRefusal, FinishResult } from './payment-result.ts'
import { runPaymentStep } from './run-payment-step.ts'

export type { FinishRefusal, FinishResult } from './payment-result.ts'

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
  const { finishing } = tools
  const name = `${origin.by} ${orderId}`
  const again = finishing.get(name)
  if (again) return again

  const call = finish(tools, orderId, walletOrderId, origin).finally(() => finishing.delete(name))
  finishing.set(name, call)
  return call
}

/** Waits for the calls of this process for an order. A paid order is paid, by any origin and wallet order. */
async function findPaidInProgress(tools: Tools, orderId: number): Promise<FinishResult | null> {
  for (const by of ['shopper', 'background'] as const) {
    const result = await tools.finishing.get(`${by} ${orderId}`)?.catch(() => undefined)
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

function finish(
  tools: Tools,
  orderId: number,
  walletOrderId: string | undefined,
  origin: CaptureOrigin,
): Promise<FinishResult> {
  const isOpen = (result: FinishResult) => !result.ok && result.reason !== 'checking' && result.reason !== 'attention'
  const complete = {
    authorized: async () => resultOfCapture(await captureAuthorizedPayment(tools, orderId)),
    payment: async () => {
      const result = await resumePayWithoutApproval(tools, orderId)
      // The call opened a wallet order that waits for its capture: it is the newest now.
      if (!result.ok && result.reason === 'not-captured') return null
      if (!result.ok && result.reason === 'payer-action') {
        return { ok: false, reason: 'not-approved', order: result.order, issue: 'PAYER_ACTION_REQUIRED' } as const
      }
      return walletOrderId !== undefined && isOpen(result) ? null : result
    },
  }
  return runPaymentStep(
    tools,
    captureWalletOrder,
    (tx) => admitCapture(tools, tx, { orderId, walletOrderId, origin }, complete),
    {
      // An earlier wallet order was settled first, without money: the requested one follows.
      isSuperseded: ({ wallet }, result) =>
        walletOrderId !== undefined && walletOrderId !== wallet.id && isOpen(result),
    },
  )
}

function resultOfCapture(taken: CaptureResult): FinishResult {
  if (taken.ok) return { ok: true, state: taken.state === 'released' ? 'held' : taken.state, order: taken.order }
  if (!taken.order) return { ok: false, reason: 'unknown-order', order: null }
  // Until the merchant captures it, the authorization is unchanged.
  if (taken.order.payment_state === 'authorised') return { ok: true, state: 'held', order: taken.order }
  return { ok: false, reason: taken.order.payment_state === 'attention' ? 'attention' : 'checking', order: taken.order }
}
