/** How far an order's money has come. Browser data and notifications never move it, only what was read from the provider. */
export type PaymentState =
  | 'none'
  | 'pending'
  | 'authorising'
  | 'review'
  | 'captured'
  | 'paid'
  | 'failed'
  | 'attention'
  | 'partly-refunded'
  | 'refunded'
  | 'disputed'

const moves: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  none: ['pending', 'paid', 'failed'],
  // Back to none: the shopper turned away from the wallet and pays on delivery.
  pending: ['none', 'authorising', 'review', 'captured', 'paid', 'failed', 'attention'],
  authorising: ['pending', 'review', 'captured', 'paid', 'failed', 'attention'],
  review: ['captured', 'paid', 'failed', 'attention'],
  captured: ['paid', 'attention'],
  paid: ['partly-refunded', 'refunded', 'disputed', 'attention'],
  // Given up, yet the provider may still report that it took money.
  failed: ['none', 'pending', 'authorising', 'attention'],
  attention: ['paid', 'refunded', 'partly-refunded', 'failed'],
  'partly-refunded': ['refunded', 'disputed', 'attention'],
  refunded: [],
  disputed: ['paid', 'refunded', 'attention'],
}

export function mayMovePayment(from: PaymentState, to: PaymentState): boolean {
  return from === to || moves[from].includes(to)
}

export function isPaid(state: PaymentState): boolean {
  return state === 'paid' || state === 'partly-refunded' || state === 'disputed'
}
