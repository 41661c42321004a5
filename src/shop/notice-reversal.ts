import { transaction } from '#database/connect.ts'
import { lockOrder } from '#database/orders.ts'
import type { CaptureRow } from '#database/payments.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import { moveLockedOrder } from './move-order.ts'
import type { Tools } from './tools.ts'

/**
 * The provider says that it took an order's money back and shows no refund for it: a person is shown the order. One whose
 * money is all given back, or that somebody looks at already, is left as it is.
 */
export async function noticeReversal(tools: Tools, capture: CaptureRow): Promise<'attention' | 'known'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, capture.order_id)
    if (!order || !isPaid(order.payment_state)) return 'known'
    const why = `the provider took the money back (capture ${capture.id})`
    await moveLockedOrder(tools, tx, order, {
      to: order.status,
      note: `Needs attention: ${why}.`,
      change: { payment_state: 'attention', attention: why },
      event: { kind: 'needs-attention', data: { why } },
    })
    return 'attention'
  })
}
