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

const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
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
  return from === to || transitions[from].includes(to)
}

/** Reports whether an order awaits payment: a positive total and a status that a payment completes. */
export function needsPayment(order: { status: OrderStatus; totalMinor: number }): boolean {
  return order.totalMinor > 0 && (order.status === 'pending' || order.status === 'failed')
}

/** Returns the status of a paid order: completed at once if nothing needs work or shipping. */
export function paidStatus(lines: readonly { virtual: boolean; downloadable: boolean }[]): 'processing' | 'completed' {
  return lines.length > 0 && lines.every((line) => line.virtual && line.downloadable) ? 'completed' : 'processing'
}

/** Reports whether stock is reduced in a status; it is restocked on a transition to any other. */
export function takesStock(status: OrderStatus): boolean {
  return status === 'processing' || status === 'on-hold' || status === 'completed'
}

/** Reports whether coupon uses count in a status; they are released on a transition to any other. */
export function usesCoupons(status: OrderStatus): boolean {
  return status !== 'cancelled' && status !== 'failed' && status !== 'checkout-draft'
}

/**
 * Reports whether a merchant's transition of an unpaid order implies a payment: a transfer or cheque on processing,
 * cash on delivery on completion.
 */
export function isPaidByHand(method: string, to: OrderStatus): boolean {
  return to === 'completed' || (to === 'processing' && method !== 'cod')
}
