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

/** How the order is to end, as it was written down with the call that lets its money go. */
export function endOf({ result }: Pick<AttemptRow, 'result'>): OrderEnd | undefined {
  return orderEnd.safeParse(result?.end).data
}

/**
 * Ends an order whose held money was let go: nothing is owed for it any more. One that cannot go where it is to end stays
 * where it is. The order's row is locked, and was read under that lock.
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
    // Money that came beside what was held is for a person to see to, as before.
    change: moneyCame ? {} : { payment_state: 'failed', attention: null },
    event: { kind: 'authorization-released', data: { authorization: held.id } },
  })
  // Of an order that was never accepted the rules tell only the shop; this customer was promised a word.
  if (isSoldOutRefundDue(order)) await insertMail(tx, order.id, [{ kind: 'customer_cancelled_order' }], 'after-an-end')
  return moved.ok ? moved.order : null
}
