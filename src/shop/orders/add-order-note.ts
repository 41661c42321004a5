import { transaction } from '#database/engine/connect.ts'
import { addOrderNote as insertNote, lockOrder } from '#database/orders/orders.ts'
import { visibleText } from '#domain/translation/visible-text.ts'
import { announceNote } from '../mail/mail-events.ts'
import type { Tools } from '../shared/tools.ts'
import { isImported } from './imported-order.ts'

const maxLength = 5_000

/** Adds a merchant's note to an order; a customer note is emailed and shown with the order. */
export async function addOrderNote(
  tools: Tools,
  orderId: number,
  { text, forCustomer }: { text: string; forCustomer: boolean },
): Promise<{ ok: true; noteId: number } | { ok: false; reason: 'not-found' | 'imported' | 'empty' | 'too-long' }> {
  const note = visibleText(text)
  if (note === '') return { ok: false, reason: 'empty' }
  if (note.length > maxLength) return { ok: false, reason: 'too-long' }
  return transaction(tools, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || order.trashed_at !== null) return { ok: false, reason: 'not-found' }
    // Customers get no email about an order of another shop.
    if (forCustomer && isImported(order)) return { ok: false, reason: 'imported' }
    const noteId = await insertNote(tx, orderId, note, tools.clock.now(), forCustomer)
    if (forCustomer) await announceNote(tx, { orderId, noteId })
    return { ok: true, noteId }
  })
}
