import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { Tools } from '../shared/tools.ts'
import { transitionLockedOrder } from './transition-order.ts'

/** Cancels an unpaid order. An order in payment stays, with its figures. */
export async function abandonOrder(
  tools: Tools,
  tx: Transaction<Schema>,
  order: OrderRow,
  why: string,
): Promise<boolean> {
  if (!['none', 'pending', 'failed'].includes(order.payment_state)) return false
  const event = { kind: 'cancelled', data: { why } }
  const move = { to: 'cancelled', note: why, change: { payment_state: 'failed' }, event } as const
  return (await transitionLockedOrder(tools, tx, order, move)).ok
}
