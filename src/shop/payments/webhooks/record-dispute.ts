import type { DisputeNews } from '#contract/paypal/webhook-event.ts'
import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { findDisputes, findRefunds, saveDispute } from '#database/payments/refunds.ts'
import { isAllowedPaymentTransition, isPaid } from '#domain/payments/payment-state.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import type { Tools } from '../../shared/tools.ts'

/** Marks an order as disputed, and removes the mark when no dispute is open any more. */
export async function recordDispute(
  tools: Tools,
  orderId: number,
  news: DisputeNews,
): Promise<'disputed' | 'resolved' | 'old'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return 'old'
    const changed_at = news.changedAt ?? tools.clock.now()
    const { id, status, outcome } = news
    if (!(await saveDispute(tx, { id, order_id: orderId, status, outcome, changed_at }))) return 'old'
    const open = (await findDisputes(tx, orderId)).some((dispute) => dispute.status !== 'RESOLVED')
    const refunded = (await findRefunds(tx, orderId)).some(({ state, stray }) => state === 'done' && !stray)
    const state = open ? 'disputed' : refunded ? 'partly-refunded' : 'paid'
    const note = open
      ? `The customer disputes the payment (${id}, ${status}).`
      : `The dispute ${id} is over: ${outcome ?? 'no outcome given'}.`
    // An order in manual review or fully refunded keeps its state: the note reports the dispute.
    const moves = isPaid(order.payment_state) && isAllowedPaymentTransition(order.payment_state, state)
    await transitionLockedOrder(tools, tx, order, {
      to: order.status,
      note,
      change: moves ? { payment_state: state } : {},
      event: { kind: 'dispute', data: { dispute: id, says: status, outcome } },
    })
    return open ? 'disputed' : 'resolved'
  })
}
