import { findOrder } from '#database/orders/orders.ts'
import type { Jobs } from '../../shared/jobs.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSoldOutRefundDue } from '../refund/refund-sold-out.ts'
import { voidAuthorizedPayment } from './capture-authorization.ts'

/**
 * Lets the money go that is held for an order whose pieces were gone, once, however often it is asked. @throws when it is to
 * be tried again; what the provider refuses for good stays with a person, for whom the order is marked
 */
export async function voidSoldOutAuthorization(tools: Tools, { orderId }: Jobs['let-go']): Promise<void> {
  const order = await findOrder(tools.db.kysely, orderId)
  if (!order || !isSoldOutRefundDue(order)) return
  const result = await voidAuthorizedPayment(tools, orderId)
  if (result.ok || (result.reason !== 'unreachable' && result.reason !== 'checking')) return
  throw new Error(`the held money of order ${orderId} is not let go: ${result.reason} ${result.issue ?? ''}`)
}
