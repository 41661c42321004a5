import { findOrder } from '#database/orders/orders.ts'
import type { Visit } from '../../../http/visit.ts'
import { compareEmail, type GuardedOrder, guardOrder } from '../../../orders/order-access.ts'
import { StoreError } from '../shared/store-error.ts'

/**
 * Returns an order that this visitor may read and pay: their own, or one whose key they have. A guest's order of
 * another session also needs its billing email address.
 * @throws StoreError
 */
export async function requireOrder(
  visit: Visit,
  { id, key, email }: { id: number; key: string; email: string },
): Promise<(GuardedOrder & { kind: 'open' })['order']> {
  const guarded = await guardOrder(visit, String(id), key || (await ownKey(visit, id)), async (_, orderId, known) =>
    email === '' ? 'none' : compareEmail(visit, orderId, known, email),
  )
  switch (guarded.kind) {
    case 'open':
      if (guarded.order.row.status !== 'checkout-draft') return guarded.order
      throw unknownOrder()
    case 'unknown':
      throw unknownOrder()
    case 'log-in':
      throw new StoreError(403, 'woocommerce_rest_invalid_user', 'This order belongs to a different customer.')
    case 'verify-email':
      throw new StoreError(401, 'woocommerce_rest_invalid_billing_email', 'Invalid billing email provided.')
  }
}

const unknownOrder = () => new StoreError(404, 'woocommerce_rest_invalid_order', 'Invalid order ID or key provided.')

/** Visitors need no key for orders that they placed; '' for others. */
async function ownKey(visit: Visit, id: number): Promise<string> {
  const { customerId, id: sessionId, state } = await visit.session()
  const order = await findOrder(visit.app.tools.db.kysely, id)
  if (!order) return ''
  const isOwn =
    order.customer_id === null
      ? order.session_id === sessionId || state.ownOrders.includes(id)
      : order.customer_id === customerId
  return isOwn ? order.key : ''
}
