import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import type { Tools } from '../shared/tools.ts'
import { abandonOrder } from './abandon-order.ts'

/**
 * Cancels an unpaid order for its customer. An order that is paid or in payment stays.
 * @returns 'not-found' also for another customer's order
 */
export async function cancelOrder(
  tools: Tools,
  orderId: number,
  isOwn: (order: { key: string; session_id: string; customer_id: number | null }) => boolean,
): Promise<'cancelled' | 'not-found' | 'too-late'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || order.trashed_at !== null || !isOwn(order)) return 'not-found'
    if (order.status === 'cancelled') return 'cancelled'
    if (order.status !== 'pending' && order.status !== 'failed') return 'too-late'
    return (await abandonOrder(tools, tx, order, 'Canceled by the customer.')) ? 'cancelled' : 'too-late'
  })
}
