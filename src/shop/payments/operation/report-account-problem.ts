import { transaction } from '#database/engine/connect.ts'
import { addOrderNote } from '#database/orders/orders.ts'
import type { Tools } from '../../shared/tools.ts'

/** Reports a payment that failed for a reason in the merchant's PayPal account. */
export async function notifyMerchant(tools: Tools, orderId: number, issue: string): Promise<void> {
  tools.log.error({ orderId, issue }, 'PayPal account does not allow this payment')
  const note = `PayPal does not allow your account this payment (${issue}). Look into your account there.`
  await transaction(tools, (tx) => addOrderNote(tx, orderId, note, tools.clock.now()))
}
