import { findOrder, findOrderItems } from '#database/orders/orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { type Bought, purchasedLines, withoutPurchasedLines } from '../cart/cart-lines.ts'
import type { SessionState } from '../customers/sessions/session-state.ts'
import { changeSession, type VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

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
