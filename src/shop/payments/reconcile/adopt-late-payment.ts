import type { EventSubject } from '#contract/paypal/webhook-event.ts'
import { transaction } from '#database/engine/connect.ts'
import { findOrder, lockOrder } from '#database/orders/orders.ts'
import { findAttempts } from '#database/payments/payments.ts'
import { findWalletOrder, insertWalletOrder } from '#database/payments/wallet-orders.ts'
import type { Tools } from '../../shared/tools.ts'
import { captureWalletOrder } from '../operation/capture-wallet-order.ts'
import { done } from '../operation/payment-step.ts'
import { settle } from '../operation/run-payment-step.ts'
import { openedWallet } from '../wallet/opened-wallet.ts'
import { authorizationIn, captureIn, customIdIn } from '../wallet/read-wallet-order.ts'
import { flagStrayCapture } from './detect-stray-capture.ts'

/**
 * Records a one-call payment that PayPal reports after its attempt was flagged for review.
 * It belongs to the shop if the wallet order, as read from PayPal, has the invoice number of that attempt.
 * @returns `unknown` where no such payment exists
 */
export async function recordLatePayment(
  tools: Tools,
  { walletOrderId, customId }: EventSubject,
): Promise<'paid' | 'held' | 'attention' | 'unknown' | 'unreachable'> {
  if (!walletOrderId || !/^\d{1,15}$/.test(customId ?? '')) return 'unknown'
  const order = await findOrder(tools.db.kysely, Number(customId))
  const attempts = order ? (await findAttempts(tools.db.kysely, order.id)).filter(isGivenUp) : []
  if (!order || attempts.length === 0) return 'unknown'
  const read = await tools.paypal?.getOrder(walletOrderId)
  if (!read?.ok) return read?.kind === 'refused' && read.status === 404 ? 'unknown' : 'unreachable'
  const shown = read.value
  const invoice = shown.purchase_units?.[0]?.invoice_id
  const attempt = attempts.find(({ result }) => invoice !== undefined && result?.invoice === invoice)
  if (!attempt || customIdIn(shown) !== String(order.id)) return 'unknown'
  if (!captureIn(shown) && !authorizationIn(shown)) return 'unknown'

  const wallet = await transaction(tools, async (tx) => {
    await lockOrder(tx, order.id)
    const intent = shown.intent ?? 'CAPTURE'
    await insertWalletOrder(
      tx,
      openedWallet(tools, order, { attempt, wallet: shown, url: '', intent, at: attempt.opened_at }),
    )
    return findWalletOrder(tx, shown.id)
  })
  if (!wallet) throw new Error(`the wallet order ${shown.id} was not inserted`)
  tools.log.info({ orderId: order.id, walletOrder: shown.id }, 'late payment received')
  if (order.payment_state !== 'attention') {
    // The order was reviewed in the meantime: further money needs manual review.
    const stray = await flagStrayCapture(tools, wallet)
    return stray === 'none' ? 'attention' : stray
  }
  const work = { order, attempt, wallet, resume: true, mayTake: false, isAddressSent: () => false }
  const result = await settle(tools, captureWalletOrder, work, done(shown))
  if (!result.ok) return 'attention'
  return result.state === 'paid' ? 'paid' : 'held'
}

function isGivenUp({ step, result }: { step: string; result: Record<string, unknown> | null }): boolean {
  return step === 'pay' && result?.issue === 'TOO_LATE'
}
