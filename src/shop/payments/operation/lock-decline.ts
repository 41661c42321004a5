import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { findUnsettledCapture } from '#database/payments/payments.ts'
import { recordDecline } from '#database/payments/wallet-orders.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Sees to it that a shopper may be told that nothing was charged: from then on nothing but their own press takes the money.
 * @param walletOrderId what they approved, or did not; without it all that was opened for the order
 * @returns false where money is on its way, or has come: then it would not be true
 */
export function lockDeclineUnlessPaid(tools: Tools, orderId: number, walletOrderId?: string): Promise<boolean> {
  return transaction(tools, async (tx) => {
    const [order, unsettled] = await Promise.all([lockOrder(tx, orderId), findUnsettledCapture(tx, orderId)])
    if (!order) return true
    const { payment_state: state } = order
    if (unsettled || isPaid(state) || ['authorising', 'authorised', 'review', 'captured'].includes(state)) return false
    await recordDecline(tx, orderId, walletOrderId)
    return true
  })
}
