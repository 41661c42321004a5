import { findOrder, findOrderItems } from '#database/orders/orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { type Bought, purchasedLines, withoutPurchasedLines } from '../cart/cart-lines.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'
import type { CheckoutOutcome, CheckoutResult } from './checkout-stages.ts'

/**
 * Stage 6, close: an outcome to the result of the checkout. A paid or accepted order closes its purchase: the bought
 * lines leave the cart, once per order. Every entrance ends here, the Store API as well, except order-pay: its order
 * is not that of a cart. A manual order of the desk has no cart to close.
 */
export async function closeCheckout(
  tools: Tools,
  session: VisitSession,
  outcome: CheckoutOutcome,
): Promise<CheckoutResult> {
  if (outcome.ok && outcome.kind === 'done') {
    return { ...outcome, session: await closePurchase(tools, session, outcome.order.id) }
  }
  if (outcome.ok || outcome.reason !== 'payment' || !('endsApproval' in outcome)) return { ...outcome, session }
  const { endsApproval, ...refusal } = outcome
  return { ...refusal, session: endsApproval ? await withoutApproval(tools, session) : session }
}

async function withoutApproval(tools: Tools, session: VisitSession): Promise<VisitSession> {
  const { session: next } = await changeSession(tools, session, (state) => ({
    state: state.approvedWallet === null ? state : { ...state, approvedWallet: null },
    result: undefined,
  }))
  return next
}

/**
 * Removes lines from the cart that were paid without the shopper, by a webhook or after a crash: they would be ordered
 * again with the next order.
 */
export async function closeFinishedPurchase(tools: Tools, session: VisitSession): Promise<VisitSession> {
  const { awaitingOrder } = session.state
  if (awaitingOrder === null) return session
  const order = await findOrder(tools.db.kysely, awaitingOrder)
  if (order && (isPaid(order.payment_state) || takesStock(order.status))) {
    return closePurchase(tools, session, order.id)
  }
  return session
}

export async function closePurchase(tools: Tools, session: VisitSession, orderId: number): Promise<VisitSession> {
  if (session.state.ownOrders.includes(orderId)) return session
  const bought = await boughtWith(tools, orderId)
  const taken = (state: SessionState) => ({
    state: state.ownOrders.includes(orderId) ? state : withoutPurchasedLines(state, bought),
    result: undefined,
  })
  const { session: next } = await changeSession(tools, session, taken, 'S13 cart')
  return next
}

async function boughtWith(tools: Tools, orderId: number): Promise<Bought> {
  return purchasedLines(orderId, await findOrderItems(tools.db.kysely, orderId))
}
