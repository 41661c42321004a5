import { transaction } from '#database/engine/connect.ts'
import { addOrderNote } from '#database/orders/orders.ts'
import type { Tools } from '../../shared/tools.ts'

/** A payment failed for a reason that only the merchant can remove, in their account at the provider. */
export async function notifyMerchant(tools: Tools, orderId: number, issue: string): Promise<void> {
  tools.log.error({ orderId, issue }, 'the account at the provider does not allow this payment')
  const note = `PayPal does not allow your account this payment (${issue}). Look into your account there.`
  await transaction(tools, (tx) => addOrderNote(tx, orderId, note, tools.clock.now()))
}
