import { findShownOrder, type OrderRow } from '#database/orders/orders.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

/** Finds the order that the same press placed before: later cart items were not on its form. */
export async function orderOfIntention(
  tools: Tools,
  { state }: VisitSession,
  intention: string,
): Promise<OrderRow | null> {
  if (intention === '') return null
  const orders = await Promise.all(state.ownOrders.slice(-5).map((id) => findShownOrder(tools.db.kysely, id)))
  // An order that replaces a cancelled one has the same intention with a suffix.
  return orders.find((order) => order?.intention.split(':')[0] === intention) ?? null
}
