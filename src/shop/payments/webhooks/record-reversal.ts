import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { type CaptureRow, findCapture, setCaptureStatus } from '#database/payments/payments.ts'
import { isHere } from '#domain/payments/money-status.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Flags an order for review whose money PayPal withdrew without a refund, and marks the capture: the order does not
 * count as paid by it. A fully refunded order stays unchanged.
 */
export async function flagReversedCapture(tools: Tools, { id, order_id }: CaptureRow): Promise<'attention' | 'known'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, order_id)
    const capture = await findCapture(tx, id)
    if (!order || !capture || !isHere(capture)) return 'known'
    if (!isPaid(order.payment_state) && order.payment_state !== 'attention') return 'known'
    await setCaptureStatus(tx, id, 'REVERSED')
    const why = `the provider took the money back (capture ${id})`
    const before = order.payment_state === 'attention' ? order.attention : null
    await transitionLockedOrder(tools, tx, order, {
      to: order.status,
      note: `Needs attention: ${why}.`,
      change: { payment_state: 'attention', attention: before ? `${before}; ${why}` : why },
      event: { kind: 'needs-attention', data: { why, capture: id, reversed: true } },
    })
    return 'attention'
  })
}
