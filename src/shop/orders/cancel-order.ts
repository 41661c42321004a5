import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import type { Tools } from '../shared/tools.ts'
import { abandonOrder } from './abandon-order.ts'

/**
 * Takes an unpaid order back for whoever it belongs to. One whose money is under way, or has come, stays.
 * @returns 'not-found' also for an order of somebody else
 */
export async function cancelOrder(
  tools: Tools,
  orderId: number,
  isOwn: (order: { key: string; session_id: string; customer_id: number | null }) => boolean,
): Promise<'cancelled' | 'not-found' | 'too-late'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !isOwn(order)) return 'not-found'
    if (order.status === 'cancelled') return 'cancelled'
    if (order.status !== 'pending' && order.status !== 'failed') return 'too-late'
    return (await abandonOrder(tools, tx, order, 'Cancelled by the customer.')) ? 'cancelled' : 'too-late'
  })
}
