import { findOrder } from '#database/orders/orders.ts'
import type { Jobs } from '../../shared/jobs.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSoldOutRefundDue } from '../refund/refund-sold-out.ts'
import { voidAuthorizedPayment } from './void-authorization.ts'

/**
 * Voids the authorization of an order whose products were sold out, once, also on repeats.
 * @throws when the job must be retried; a final refusal of PayPal leaves the order in manual review
 */
export async function voidSoldOutAuthorization(tools: Tools, { orderId }: Jobs['let-go']): Promise<void> {
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order || !isSoldOutRefundDue(order)) return
  const result = await voidAuthorizedPayment(tools, orderId)
  if (result.ok || (result.reason !== 'unreachable' && result.reason !== 'checking')) return
  throw new Error(`authorization of order ${orderId} not voided: ${result.reason} ${result.issue ?? ''}`)
}
