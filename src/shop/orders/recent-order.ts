import { findShownOrder, type OrderRow } from '#database/orders/orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

const recentMs = 60 * 60 * 1000

/**
 * Returns the visitor's order of the last hour, also one paid later: a shopper whose response was lost finds an empty
 * cart and needs the result. Returns null where there is none, or it was cancelled.
 */
export async function recentOrder(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { state, customerId }: VisitSession,
): Promise<OrderRow | null> {
  const id = state.ownOrders.at(-1)
  const order = id === undefined ? null : await findShownOrder(db.kysely, id)
  if (!order || !takesStock(order.status)) return null
  // Another customer's order by now: their account requires a login.
  if (order.customer_id !== null && order.customer_id !== customerId) return null
  const placed = order.paid_at ?? order.created_at
  return clock.now().getTime() - placed.getTime() < recentMs ? order : null
}
