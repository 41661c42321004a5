import type { OrderRow } from '#database/orders/orders.ts'

/** Describes the payment state of an order: `unpaid` for every state without money. Programs get the state itself. */
export function moneyText({
  payment_state: state,
  imported_from: importedFrom,
}: Pick<OrderRow, 'payment_state' | 'imported_from'>): string {
  if (importedFrom !== null) return 'imported'
  return state === 'none' || state === 'pending' || state === 'failed' ? 'unpaid' : state
}

/** Describes the status of an order. An order that was cancelled before any payment did not fail. */
export function statusText(order: Pick<OrderRow, 'status' | 'payment_state' | 'imported_from'>): string {
  return order.status === 'cancelled' ? `cancelled, ${moneyText(order)}` : order.status
}

/** Describes the payment state beside `statusText`: a cancelled order owes nothing, and its payment did not fail. */
export function paymentText(order: Pick<OrderRow, 'status' | 'payment_state' | 'imported_from'>): string {
  return order.status === 'cancelled' || order.imported_from !== null ? moneyText(order) : order.payment_state
}
