import { transaction } from '#database/engine/connect.ts'
import { lockOrder } from '#database/orders/orders.ts'
import { announceInvoice } from '../mail/mail-events.ts'
import type { Tools } from '../shared/tools.ts'
import { isImported } from './imported-order.ts'

/** Queues the email of an order to its customer, with a payment link while it is unpaid. */
export function requestInvoice(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  orderId: number,
): Promise<'queued' | 'not-found' | 'imported'> {
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) return 'not-found'
    if (isImported(order)) return 'imported'
    await announceInvoice(tx, orderId)
    return 'queued'
  })
}
