import type { OrderRow } from '#database/orders/orders.ts'

/** Says how an order's money stands: `unpaid` for every way in which none has come. Programs get the state itself. */
export function moneyText({ payment_state: state }: Pick<OrderRow, 'payment_state'>): string {
  return state === 'none' || state === 'pending' || state === 'failed' ? 'unpaid' : state
}

/** Says where an order stands. An order that was given up before any money came did not fail. */
export function statusText(order: Pick<OrderRow, 'status' | 'payment_state'>): string {
  return order.status === 'cancelled' ? `cancelled, ${moneyText(order)}` : order.status
}

/** How the money stands, beside `statusText`: of an order that was given up nothing is owed, and nothing has failed. */
export function paymentText(order: Pick<OrderRow, 'status' | 'payment_state'>): string {
  return order.status === 'cancelled' ? moneyText(order) : order.payment_state
}
