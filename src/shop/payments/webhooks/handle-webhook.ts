import { type EventSubject, eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import {
  type CaptureRow,
  closeWebhookEvent,
  findCapture,
  findCaptures,
  findPendingWebhookEvents,
} from '#database/payments/payments.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { findOrderOfWallet, findWalletOrder, type WalletOrderName } from '#database/payments/wallet-orders.ts'
import { isOver, isPaid } from '#domain/payments/payment-state.ts'
import type { Tools } from '../../shared/tools.ts'
import { type FinishRefusal, finishInBackground } from '../operation/finish-payment.ts'
import { recordLatePayment } from '../reconcile/adopt-late-payment.ts'
import { checkVoidedAuthorization } from '../reconcile/detect-expired-authorizations.ts'
import { flagStrayCapture } from '../reconcile/detect-stray-capture.ts'
import { settleCapturesOf } from '../reconcile/settle-pending-captures.ts'
import { importProviderRefunds } from '../refund/match-provider-refunds.ts'
import { recordDispute } from './record-dispute.ts'
import { flagReversedCapture } from './record-reversal.ts'
import { recordVaultEvent, vaultEvents } from './record-vault-event.ts'

export type ReceivedEvent = {
  id: string
  type: string
  subject: EventSubject
  receivedAt: Date
}

/** Event types of captured or approved money. Besides refunds and disputes all others are stored without effect. */
const paymentEventTypes = new Set([
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
])

/** Delay of an approval webhook: the shopper's own return comes first, since it shows the result. */
const graceMs = 3_000
const vaultRetryMs = 60 * 60 * 1000
const retryMs = 3 * 24 * 60 * 60 * 1000

/** Processes a stored webhook event: reads its wallet order and finishes the payment where one is open. */
export async function handleWebhook(tools: Tools, event: ReceivedEvent): Promise<void> {
  const { kysely } = tools.db
  const close = async (outcome: string) => {
    tools.checkpoint('notification handled before commit')
    await closeWebhookEvent(kysely, event.id, outcome, tools.clock.now())
    tools.checkpoint('notification handled after commit')
  }
  // An own record may be late; after three days the event belongs to no order.
  const closeUnmatched = async (what: string) => {
    const age = tools.clock.now().getTime() - event.receivedAt.getTime()
    if (age <= retryMs) return
    tools.log.error({ event: event.id, type: event.type, what }, 'webhook event matches no payment of this shop')
    await close(`attention: ${what}`)
  }
  if (event.type === 'PAYMENT.CAPTURE.REFUNDED' || event.type === 'PAYMENT.CAPTURE.REVERSED') {
    const capture = (await captureOf(tools, event.subject)) ?? (await captureBeside(tools, event.subject))
    if (!capture) return closeUnmatched('no such capture')
    const adopted = await importProviderRefunds(tools, capture)
    if (adopted === 'unreachable') return undefined
    const took = event.type.endsWith('.REVERSED') && !(await isShownAsRefund(tools, capture, event.subject))
    if (took) return close(await flagReversedCapture(tools, capture))
    return close(adopted === 'adopted' ? 'refund' : 'known')
  }
  if (event.type.startsWith('CUSTOMER.DISPUTE.') && event.subject.dispute) {
    const capture = await captureOf(tools, event.subject)
    if (!capture) return closeUnmatched('no such capture')
    return close(await recordDispute(tools, capture.order_id, event.subject.dispute))
  }
  if (event.type.startsWith(vaultEvents)) {
    const outcome = await recordVaultEvent(tools, { type: event.type, token: event.subject.paymentToken })
    if (outcome === 'unreachable') return undefined
    // Most unknown tokens belong to guests, or to another shop of the merchant.
    const age = tools.clock.now().getTime() - event.receivedAt.getTime()
    if (outcome !== 'later') return close(outcome)
    return age > vaultRetryMs ? close('ignored') : undefined
  }
  const { authorizationId } = event.subject
  if (event.type === 'PAYMENT.AUTHORIZATION.VOIDED' && authorizationId) {
    const outcome = await checkVoidedAuthorization(tools, authorizationId)
    return outcome === 'later' ? undefined : close(outcome)
  }
  if (!paymentEventTypes.has(event.type)) return close('ignored')
  const { walletOrderId } = event.subject
  const found = walletOrderId ? await findOrderOfWallet(kysely, walletOrderId) : null
  if (!found) {
    const late = await recordLatePayment(tools, event.subject)
    if (late === 'unreachable') return undefined
    return late === 'unknown' ? closeUnmatched('no such order') : close(late)
  }
  const { wallet } = found
  let order: OrderRow | undefined = found.order
  if (event.type === 'CHECKOUT.ORDER.APPROVED') {
    // An approval before the final total was shown does not count: our own page asks for it.
    if (order.created_via !== 'checkout') return close('left to the shopper')
    if (!isPaid(order.payment_state)) {
      await tools.clock.sleep(graceMs)
      order = await findOrder(kysely, wallet.order_id)
    }
  }
  // Most events repeat what the shopper's own return did: those need neither the order's lock nor a transaction.
  const outcome = order && isPaid(order.payment_state) ? 'paid' : await finishOutcome(tools, wallet)
  if (outcome === 'checking' || outcome === 'unreachable') return undefined
  if (event.type === 'CHECKOUT.ORDER.APPROVED') return close(outcome)
  const settled = outcome === 'attention' ? await settleCapturesOf(tools, wallet.order_id) : 'none'
  if (settled === 'unreachable') return undefined
  // The event reports captured money: without a record under this wallet order it is unexpected.
  const stray = await flagStrayCapture(tools, wallet, event.subject.captureId)
  return stray === 'unreachable'
    ? undefined
    : close(stray === 'attention' ? stray : settled === 'none' ? outcome : settled)
}

/** Finds the capture that an event names, or that of its wallet order. */
async function captureOf({ db }: Tools, { captureId, walletOrderId }: EventSubject): Promise<CaptureRow | undefined> {
  if (captureId) return findCapture(db.kysely, captureId)
  const wallet = walletOrderId ? await findWalletOrder(db.kysely, walletOrderId) : undefined
  return wallet && (await findCaptures(db.kysely, wallet.order_id)).find(({ wallet_order_id: id }) => id === wallet.id)
}

/** Finds an unexpected capture that was not reported before its refund. */
async function captureBeside(
  tools: Tools,
  { captureId, walletOrderId }: EventSubject,
): Promise<CaptureRow | undefined> {
  const found = captureId && walletOrderId ? await findOrderOfWallet(tools.db.kysely, walletOrderId) : null
  // While a payment attempt is open, its end records the capture.
  if (!captureId || !found || !isOver(found.order.payment_state)) return undefined
  await flagStrayCapture(tools, found.wallet, captureId)
  return findCapture(tools.db.kysely, captureId)
}

/** Reports whether the known refunds cover the reversal of an event. */
async function isShownAsRefund({ db }: Tools, capture: CaptureRow, { refundId }: EventSubject): Promise<boolean> {
  const refunds = await findRefunds(db.kysely, capture.order_id)
  if (refunds.some(({ provider_id: id }) => id === refundId)) return true
  return (await findCapture(db.kysely, capture.id))?.status === 'REFUNDED'
}

async function finishOutcome(
  tools: Tools,
  wallet: WalletOrderName,
): Promise<FinishRefusal | 'paid' | 'held' | 'review'> {
  const result = await finishInBackground(tools, wallet.order_id, wallet.id)
  return result.ok ? result.state : result.reason
}

/** Retries events that could not be processed. @returns the number of events tried */
export async function retryPendingWebhooks(tools: Tools): Promise<number> {
  const before = new Date(tools.clock.now().getTime() - 20_000)
  const waiting = await findPendingWebhookEvents(tools.db.kysely, before, {
    limit: 50,
    chance: tools.chance.fraction(),
  })
  for (const row of waiting) {
    const event = webhookEvent.safeParse(JSON.parse(row.body))
    if (!event.success) {
      await closeWebhookEvent(tools.db.kysely, row.id, 'attention: unreadable', tools.clock.now())
      continue
    }
    await handleWebhook(tools, {
      id: row.id,
      type: row.type,
      subject: eventSubject(event.data),
      receivedAt: row.received_at,
    }).catch((error: unknown) => tools.log.error({ event: row.id, error: String(error) }, 'webhook event failed again'))
  }
  return waiting.length
}
