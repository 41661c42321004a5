import { findOrderItems, lockOrder, type OrderItem, type OrderRow } from '#database/orders/orders.ts'
import { isAllowedPaymentTransition } from '#domain/payments/payment-state.ts'
import { unpaidOrderStatus } from '../payments/operation/payment-methods.ts'
import { commitWithCheckpoints } from '../shared/checkpointed-transaction.ts'
import type { Tools } from '../shared/tools.ts'
import { lineFacts, paidOrderStatus } from './order-lines.ts'
import { type OrderTransition, transitionLockedOrder } from './transition-order.ts'

/** The order was cancelled in another tab, is being paid by wallet, is out of stock, or its coupon is used up. */
export type AcceptRefusal = 'cancelled' | 'checking' | 'stock' | 'coupon-used-up'

/**
 * Accepts an order that needs no payment now: nothing is due, or it is paid by transfer, cheque or cash on delivery.
 * Idempotent.
 */
export async function acceptOrder(tools: Tools, orderId: number): Promise<OrderRow | AcceptRefusal> {
  return commitWithCheckpoints(tools, 'S13 acceptance', async (tx) => {
    const [order, items] = await Promise.all([lockOrder(tx, orderId), findOrderItems(tx, orderId)])
    if (!order) throw new Error(`the order ${orderId} does not exist`)
    if (order.status === 'cancelled') return 'cancelled'
    if (order.status !== 'pending') return order
    const move = acceptance(order, items, tools.clock.now())
    // An open wallet order is abandoned, unless its payment is in progress.
    if (!isAllowedPaymentTransition(order.payment_state, move.change.payment_state)) return 'checking'
    const moved = await transitionLockedOrder(tools, tx, order, move, { items })
    if (moved.ok) return moved.order
    // An imported order is never pending.
    if (moved.reason === 'not-allowed' || moved.reason === 'imported')
      throw new Error(`the order ${orderId} cannot change to status ${move.to}`)
    return moved.reason === 'sold-out' ? 'stock' : moved.reason
  })
}

/** Returns the transition of an order that needs no payment now. */
export function acceptance(
  order: OrderRow,
  items: readonly OrderItem[],
  now: Date,
): OrderTransition & Required<Pick<OrderTransition, 'event'>> & { change: { payment_state: 'paid' | 'none' } } {
  const change =
    order.total === 0 ? ({ payment_state: 'paid', paid_at: now } as const) : ({ payment_state: 'none' } as const)
  const event = { kind: 'accepted', data: { method: order.payment_method } }
  return { to: statusOf(order, items), note: noteOf(order), change, event }
}

function statusOf({ total, payment_method }: OrderRow, items: readonly OrderItem[]) {
  if (total === 0) return paidOrderStatus(items)
  const downloadable = items.some((item) => item.type === 'line_item' && lineFacts(item).downloadable)
  return unpaidOrderStatus(payment_method, downloadable)
}

function noteOf({ total, payment_method }: OrderRow): string {
  if (total === 0) return 'Nothing to pay.'
  if (payment_method === 'cod') return 'To be paid on delivery.'
  return payment_method === 'bacs' ? 'Waiting for the bank transfer.' : 'Waiting for the check.'
}
