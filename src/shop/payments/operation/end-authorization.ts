import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertMail } from '#database/mail/messages.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { type AttemptRow, type AuthorizationRow, findCaptures } from '#database/payments/payments.ts'
import { isAllowedTransition } from '#domain/orders/order-status.ts'
import { transitionLockedOrder } from '../../orders/transition-order.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSoldOutRefundDue } from '../refund/refund-sold-out.ts'

const orderEnd = z.object({
  to: z.enum(['cancelled', 'failed']).optional(),
  note: z.string().optional(),
  restock: z.boolean().optional(),
})
export type OrderEnd = z.infer<typeof orderEnd>

/** Returns the requested end of the order, as recorded with the void attempt. */
export function endOf({ result }: Pick<AttemptRow, 'result'>): OrderEnd | undefined {
  return orderEnd.safeParse(result?.end).data
}

/**
 * Closes an order whose authorization was voided: nothing is owed for it any more. Where the transition is not allowed,
 * the status stays. The caller holds the row lock and read the order under it.
 */
export async function closeVoidedOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  held: AuthorizationRow,
  { to = 'cancelled', note, restock = true }: OrderEnd = {},
): Promise<OrderRow | null> {
  const captures = await findCaptures(tx, order.id)
  const moneyCame = captures.some(({ status }) => status !== 'DECLINED' && status !== 'FAILED')
  const moved = await transitionLockedOrder(tools, tx, order, {
    to: isAllowedTransition(order.status, to) ? to : order.status,
    note: note ?? `The held money was let go (authorisation ${held.id}).`,
    restock,
    // Money that came beside the authorization stays in manual review.
    change: moneyCame ? {} : { payment_state: 'failed', attention: null },
    event: { kind: 'authorization-released', data: { authorization: held.id } },
  })
  // The rules notify only the shop of an order that was never accepted; here the customer was promised an email.
  if (isSoldOutRefundDue(order)) await insertMail(tx, order.id, [{ kind: 'customer_cancelled_order' }], 'after-an-end')
  return moved.ok ? moved.order : null
}
