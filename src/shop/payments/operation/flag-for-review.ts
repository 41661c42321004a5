import type { Transaction } from 'kysely'
import type { Schema } from '#database/engine/schema/schema.ts'
import { appendToLedger, type LedgerEvent } from '#database/orders/ledger.ts'
import { addOrderNote, updateOrder } from '#database/orders/orders.ts'
import { sha256 } from '../../shared/digest.ts'

/**
 * Flags an order for the merchant's review: its money and its state do not agree. The order's row must be locked.
 * @param options.subject the capture or authorization in question, for the order note
 * @param options.attention the order's attention text, where it had an earlier reason too; by default `why`
 */
export async function flagForReview(
  tx: Transaction<Schema>,
  orderId: number,
  why: string,
  at: Date,
  { subject, attention = why, data = {} }: { subject?: string; attention?: string; data?: LedgerEvent['data'] } = {},
): Promise<void> {
  await updateOrder(tx, orderId, { payment_state: 'attention', attention, trashed_at: null, updated_at: at })
  await addOrderNote(tx, orderId, `Needs attention: ${why}${subject ? ` (${subject})` : ''}.`, at)
  await appendToLedger(tx, orderId, at, [{ kind: 'needs-attention', data: { ...data, why } }], sha256)
}
