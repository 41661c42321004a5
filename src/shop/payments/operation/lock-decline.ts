import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { findUnsettledCapture } from '#database/payments/payments.ts'
import { recordDecline } from '#database/payments/wallet-orders.ts'
import { isPaid } from '#domain/payments/payment-state.ts'
import type { Tools } from '../../shared/tools.ts'

/**
 * Locks a decline before the shopper sees it: from then on only the shopper's own press captures the money.
 * @param walletOrderId the wallet order that was declined; without it all wallet orders of the order
 * @returns false where a capture is in progress or succeeded: the decline would be false
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
