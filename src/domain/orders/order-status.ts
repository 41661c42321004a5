export const orderStatuses = [
  'checkout-draft',
  'pending',
  'on-hold',
  'processing',
  'completed',
  'cancelled',
  'refunded',
  'failed',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  'checkout-draft': ['pending', 'cancelled'],
  pending: ['on-hold', 'processing', 'completed', 'cancelled', 'failed'],
  'on-hold': ['pending', 'processing', 'completed', 'cancelled', 'failed', 'refunded'],
  processing: ['on-hold', 'completed', 'cancelled', 'refunded', 'failed'],
  completed: ['processing', 'refunded'],
  cancelled: ['pending', 'processing', 'on-hold', 'completed'],
  refunded: [],
  failed: ['pending', 'on-hold', 'processing', 'completed', 'cancelled'],
}

export function isAllowedTransition(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || moves[from].includes(to)
}

/** Waits for money: a total above nothing and a status that payment may complete. */
export function needsPayment(order: { status: OrderStatus; totalMinor: number }): boolean {
  return order.totalMinor > 0 && (order.status === 'pending' || order.status === 'failed')
}

/** Where an order goes when it is paid: done at once if there is nothing to make or send. */
export function paidStatus(lines: readonly { virtual: boolean; downloadable: boolean }[]): 'processing' | 'completed' {
  return lines.length > 0 && lines.every((line) => line.virtual && line.downloadable) ? 'completed' : 'processing'
}

/** Pieces have left the shelf in these; they come back when an order moves from one of these to any other. */
export function takesStock(status: OrderStatus): boolean {
  return status === 'processing' || status === 'on-hold' || status === 'completed'
}

/** Coupons count as used by an order in any of these; they come free when it moves to one of the others. */
export function usesCoupons(status: OrderStatus): boolean {
  return status !== 'cancelled' && status !== 'failed' && status !== 'checkout-draft'
}

/**
 * Whether a merchant who moves an unpaid order there says by it that the money is here: a transfer or cheque has arrived
 * when the order is made ready, cash on delivery when it is handed over.
 */
export function isPaidByHand(method: string, to: OrderStatus): boolean {
  return to === 'completed' || (to === 'processing' && method !== 'cod')
}
