import type { Transaction } from 'kysely'
import type { StockChangeResult } from '#database/catalog/stock.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { insertMail } from '#database/mail/messages.ts'
import { mailsOfTransition } from '#domain/orders/order-mails.ts'
import type { OrderStatus } from '#domain/orders/order-status.ts'
import { stockNews } from '#domain/orders/stock-alerts.ts'

type Tx = Transaction<Schema>

// What causes a message calls one of these in its own transaction and with the order locked. Whether the message is switched
// on, and who it goes to, is found out when it is sent.

/** Tells of an order's new status. Within one life of the order, until it fails or is cancelled, each message leaves once. */
export function announceTransition(
  tx: Tx,
  { orderId, from, to }: { orderId: number; from: OrderStatus; to: OrderStatus },
): Promise<void> {
  const mails = mailsOfTransition(from, to).map((kind) => ({ kind }))
  return insertMail(tx, orderId, mails, 'after-an-end')
}

/** Tells the customer that money was given back. @param full nothing of the order is left to give back */
export function announceRefund(
  tx: Tx,
  { orderId, refundId, full }: { orderId: number; refundId: number; full: boolean },
): Promise<void> {
  const kind = full ? 'customer_refunded_order' : 'customer_partially_refunded_order'
  return insertMail(tx, orderId, [{ kind, about: refundId }], 'never')
}

/** Sends the customer a note that the merchant has written. */
export function announceNote(tx: Tx, { orderId, noteId }: { orderId: number; noteId: number }): Promise<void> {
  return insertMail(tx, orderId, [{ kind: 'customer_note', about: noteId }], 'never')
}

/** Sends the customer the order with its total, and the link to pay while it is unpaid. Each call sends it anew. */
export function announceInvoice(tx: Tx, orderId: number): Promise<void> {
  return insertMail(tx, orderId, [{ kind: 'customer_invoice' }], 'always')
}

/** Tells the shop which products an order's sale has brought to an end, or near it. */
export function announceStock(tx: Tx, orderId: number, moves: readonly StockChangeResult[]): Promise<void> {
  const mails = moves.flatMap((move) => stockNews(move).map((kind) => ({ kind, about: move.productId })))
  return insertMail(tx, orderId, mails, 'after-an-end')
}
