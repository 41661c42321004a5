import type { Transaction } from 'kysely'
import type { StockChangeResult } from '#database/catalog/stock.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertMail } from '#database/mail/messages.ts'
import { mailsOfTransition } from '#domain/orders/order-mails.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { stockNews } from '#domain/orders/stock-alerts.ts'

type Tx = Transaction<Schema>

// Every event that causes an email calls one of these in its own transaction, with the order locked. Whether the email
// is enabled, and its recipients, are determined when it is sent.

/** Enqueues the emails of an order's new status. Each is sent once until the order fails or is cancelled. */
export function announceTransition(
  tx: Tx,
  { orderId, from, to }: { orderId: number; from: OrderStatus; to: OrderStatus },
): Promise<void> {
  const mails = mailsOfTransition(from, to).map((kind) => ({ kind }))
  return insertMail(tx, orderId, mails, 'after-an-end')
}

/** Enqueues the customer's email about a refund. @param full nothing is left to refund */
export function announceRefund(
  tx: Tx,
  { orderId, refundId, full }: { orderId: number; refundId: number; full: boolean },
): Promise<void> {
  const kind = full ? 'customer_refunded_order' : 'customer_partially_refunded_order'
  return insertMail(tx, orderId, [{ kind, about: refundId }], 'never')
}

/** Enqueues a note of the merchant to the customer. */
export function announceNote(tx: Tx, { orderId, noteId }: { orderId: number; noteId: number }): Promise<void> {
  return insertMail(tx, orderId, [{ kind: 'customer_note', about: noteId }], 'never')
}

/** Enqueues the order with its total, and a payment link while it is unpaid. Each call sends it again. */
export function announceInvoice(tx: Tx, orderId: number): Promise<void> {
  return insertMail(tx, orderId, [{ kind: 'customer_invoice' }], 'always')
}

/** Enqueues the shop's email about products that an order has sold out, or nearly so. */
export function announceStock(tx: Tx, orderId: number, moves: readonly StockChangeResult[]): Promise<void> {
  const mails = moves.flatMap((move) => stockNews(move).map((kind) => ({ kind, about: move.productId })))
  return insertMail(tx, orderId, mails, 'after-an-end')
}
