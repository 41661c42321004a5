import type { Transaction } from 'kysely'
import type { OrderRow } from '#database/orders.ts'
import type { Schema } from '#database/schema.ts'
import { moveLockedOrder } from './move-order.ts'
import type { Tools } from './tools.ts'

/** Ends an unpaid order. One whose payment is under way is left: its own figures still hold. */
export async function giveUp(tools: Tools, tx: Transaction<Schema>, order: OrderRow, why: string): Promise<boolean> {
  if (!['none', 'pending', 'failed'].includes(order.payment_state)) return false
  const event = { kind: 'cancelled', data: { why } }
  const move = { to: 'cancelled', note: why, change: { payment_state: 'failed' }, event } as const
  return (await moveLockedOrder(tools, tx, order, move)).ok
}
