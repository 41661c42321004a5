import type { OrderRow } from '#database/orders/orders.ts'

/**
 * Reports whether an order was imported from another shop. Such an order is history: it is shown, exported and erased,
 * and never paid, refunded, moved or mailed.
 */
export function isImported({ imported_from: from }: Pick<OrderRow, 'imported_from'>): boolean {
  return from !== null
}

/** Returns the number that the customer knows: an imported order keeps the one of its shop. */
export function orderNumber({ id, imported_number: number }: Pick<OrderRow, 'id' | 'imported_number'>): string {
  return number ?? String(id)
}
