import { urls } from '#contract/shared/urls.ts'
import { findShownOrder, type OrderRow } from '#database/orders/orders.ts'
import { findWalletOrder } from '#database/payments/wallet-orders.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { payPlacedOrder } from '#shop/checkout/pay-placed-order.ts'
import type { PayOrderResult } from '#shop/payments/operation/pay-order.ts'
import { paymentProblem, type Submission } from '../checkout/checkout-answer.tsx'
import type { Visit } from '../http/visit.ts'
import { errorNotice } from '../notices/cart-notices.tsx'
import { closeExpress } from './wallet-answer.ts'

/**
 * Stores in the session that this visitor pays an order other than the cart's: the return from the wallet finds it, and
 * the cart stays unchanged.
 */
export async function storePayingOrder(visit: Visit, orderId: number): Promise<void> {
  await visit.change((state) => {
    const known = state.awaitingOrder === orderId || state.ownOrders.includes(orderId)
    return {
      state: known ? state : { ...state, ownOrders: [...state.ownOrders, orderId].slice(-20) },
      result: undefined,
    }
  })
}

/** Finds the order of a wallet order, if this visitor may pay it. */
export async function orderOfWallet(visit: Visit, walletOrderId: string): Promise<OrderRow | null> {
  const { kysely } = visit.app.tools.db
  const row = await findWalletOrder(kysely, walletOrderId)
  const session = await visit.session()
  if (!row || (row.session_id !== session.id && !session.state.ownOrders.includes(row.order_id))) return null
  return (await findShownOrder(kysely, row.order_id)) ?? null
}

/** Completes a payment of the order-pay page after its approval. */
export async function closeOrderPay(visit: Visit, walletOrderId: string): Promise<Submission> {
  const { t } = await visit.app.shop()
  const order = await orderOfWallet(visit, walletOrderId)
  if (!order) {
    const notices = [errorNotice(t('This payment does not belong to you. Nothing was charged.'))]
    return { kind: 'notices', notices, refresh: false, issue: 'UNKNOWN_ORDER' }
  }
  // Started by a wallet button, whatever page the request names: payer and address are unknown yet.
  if (order.created_via === 'wallet') return closeExpress(visit, walletOrderId)
  return payingSubmission(visit, await payPlacedOrder(visit.app.tools, { kind: 'approved', order, walletOrderId }))
}

/** Returns the submission for the result of paying an order. */
export async function payingSubmission(visit: Visit, result: PayOrderResult): Promise<Submission> {
  if (result.ok) {
    const { order } = result
    const url = result.kind === 'done' ? visit.path(urls.orderReceived(order.id, order.key)) : result.approveUrl
    const wallet = result.kind === 'done' ? {} : { walletOrderId: result.walletOrderId }
    return { kind: 'redirect', url, orderId: order.id, ...wallet }
  }
  if (result.reason === 'payment' && (result.problem === 'checking' || result.problem === 'attention')) {
    const { id, key } = result.order
    return { kind: 'redirect', url: visit.path(urls.orderReceived(id, key)), orderId: id }
  }
  const issue = result.reason === 'payment' ? { issue: result.issue ?? result.problem.toUpperCase() } : {}
  return { kind: 'notices', notices: [await refusal(visit, result)], refresh: false, ...issue }
}

async function refusal(visit: Visit, result: PayOrderResult & { ok: false }): Promise<NoticeFacts> {
  const shop = await visit.app.shop()
  const { t } = shop
  switch (result.reason) {
    case 'not-payable':
      return errorNotice(t('This order can no longer be paid for. Please contact us if you need help.'))
    case 'no-such-method':
      return errorNotice(t('Please choose a payment method.'))
    case 'total-changed':
      return errorNotice(t('The total has changed. Please review your order, then pay.'))
    case 'payment':
      return errorNotice(paymentProblem(shop, result.problem))
  }
}
