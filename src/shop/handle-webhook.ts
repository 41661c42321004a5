import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { findOrder } from '#database/orders.ts'
import {
  closeWebhookEvent,
  findWaitingWebhookEvents,
  findWalletOrder,
  type WalletOrderRow,
} from '#database/payments.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { type FinishRefusal, finishPayment } from './finish-payment.ts'
import { noticeStrayCapture } from './notice-stray-capture.ts'
import type { Tools } from './tools.ts'

export type ReceivedEvent = {
  id: string
  type: string
  subject: { walletOrderId: string | undefined; customId: string | undefined }
  receivedAt: Date
}

/** Events that say that money moved or may be taken now. All others change nothing here and are kept. */
const aboutMoney = new Set([
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.ORDER.COMPLETED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
])

/** An approval is left to the shopper's own return for so long, since that one shows what happens. */
const graceMs = 3_000
const patienceMs = 3 * 24 * 60 * 60 * 1000

/** Acts on a stored notification: reads the wallet order it is about and finishes the payment if there is one to finish. */
export async function handleWebhook(tools: Tools, event: ReceivedEvent): Promise<void> {
  const { kysely } = tools.db
  const close = (outcome: string) => closeWebhookEvent(kysely, event.id, outcome, tools.clock.now())
  if (!aboutMoney.has(event.type)) return close('ignored')
  const { walletOrderId } = event.subject
  const wallet = walletOrderId ? await findWalletOrder(kysely, walletOrderId) : undefined
  if (!wallet) {
    // Ours may be a moment late; after three days it is nobody's.
    const age = tools.clock.now().getTime() - event.receivedAt.getTime()
    return age > patienceMs ? close('attention: no such order') : undefined
  }
  let order = await findOrder(kysely, wallet.order_id)
  if (event.type === 'CHECKOUT.ORDER.APPROVED') {
    // Who approved before seeing the final total has not said yes to it: that is asked on our own page.
    if (order?.created_via !== 'checkout') return close('left to the shopper')
    if (!isPaid(order.payment_state)) {
      await tools.clock.sleep(graceMs)
      order = await findOrder(kysely, wallet.order_id)
    }
  }
  // Most events tell of what the shopper's own return has done: those need neither the order's lock nor a transaction.
  const outcome = order && isPaid(order.payment_state) ? 'paid' : await finished(tools, wallet)
  if (outcome === 'checking' || outcome === 'unreachable') return undefined
  if (event.type === 'CHECKOUT.ORDER.APPROVED' || outcome === 'attention') return close(outcome)
  // The event says that money moved: if none is known under this wallet order, it is money that nobody expects.
  const stray = await noticeStrayCapture(tools, wallet)
  return stray === 'unreachable' ? undefined : close(stray === 'attention' ? stray : outcome)
}

async function finished(tools: Tools, wallet: WalletOrderRow): Promise<FinishRefusal | 'paid' | 'review'> {
  const result = await finishPayment(tools, wallet.order_id, wallet.id)
  return result.ok ? result.state : result.reason
}

/** Tries again what could not be acted on. @returns how many were tried */
export async function handleWaitingWebhooks(tools: Tools): Promise<number> {
  const before = new Date(tools.clock.now().getTime() - 20_000)
  const waiting = await findWaitingWebhookEvents(tools.db.kysely, before, 50)
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
    }).catch((error: unknown) =>
      tools.log.error({ event: row.id, error: String(error) }, 'a notification failed again'),
    )
  }
  return waiting.length
}
