import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import { takesStock } from '#domain/orders/order-status.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

const justNowMs = 60 * 60 * 1000

/**
 * What this visitor has ordered within the hour, by money that came later too: whoever lost the answer, and finds an empty cart
 * in its place, is to know what became of it. Null: nothing, or nothing that still holds.
 */
export async function recentOrder(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  { state, customerId }: VisitSession,
): Promise<OrderRow | null> {
  const id = state.ownOrders.at(-1)
  const order = id === undefined ? null : await findOrder(db.kysely, id)
  if (!order || !takesStock(order.status)) return null
  // Somebody else's by now: their account asks for a login.
  if (order.customer_id !== null && order.customer_id !== customerId) return null
  const placed = order.paid_at ?? order.created_at
  return clock.now().getTime() - placed.getTime() < justNowMs ? order : null
}
