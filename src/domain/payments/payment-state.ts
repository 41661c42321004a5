/** How far an order's money has come. Browser data and notifications never move it, only what was read from the provider. */
export type PaymentState =
  | 'none'
  | 'pending'
  | 'authorising'
  /** The provider holds the money; the merchant has not taken it yet. */
  | 'authorised'
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
  pending: ['none', 'authorising', 'authorised', 'review', 'captured', 'paid', 'failed', 'attention'],
  authorising: ['pending', 'authorised', 'review', 'captured', 'paid', 'failed', 'attention'],
  // Failed: the hold was let go, so nothing is owed and nothing was taken.
  authorised: ['review', 'captured', 'paid', 'failed', 'attention'],
  review: ['authorised', 'captured', 'paid', 'failed', 'attention'],
  captured: ['paid', 'attention'],
  paid: ['partly-refunded', 'refunded', 'disputed', 'attention'],
  // Given up, yet the provider may still report that it took money.
  failed: ['none', 'pending', 'authorising', 'attention'],
  // To none: no money is here, and it is to come by another way.
  attention: ['none', 'paid', 'refunded', 'partly-refunded', 'disputed', 'failed'],
  'partly-refunded': ['refunded', 'disputed', 'attention'],
  refunded: [],
  disputed: ['paid', 'partly-refunded', 'refunded', 'attention'],
}

export function isAllowedPaymentTransition(from: PaymentState, to: PaymentState): boolean {
  return from === to || moves[from].includes(to)
}

export function isPaid(state: PaymentState): boolean {
  return state === 'paid' || state === 'partly-refunded' || state === 'disputed'
}

/** No payment is under way or awaited: what comes now comes beside it. */
export function isOver(state: PaymentState): boolean {
  return isPaid(state) || state === 'refunded' || state === 'attention'
}

/** The customer has done their part: the money is here, held, or being looked at. Nothing more may be asked of them. */
export function customerHasPaid(state: PaymentState): boolean {
  return isPaid(state) || state === 'authorised' || state === 'review'
}

/**
 * How the money stands once a refund has gone out. What is disputed or needs a person stays so until nothing is left.
 * @param full nothing of the order is left to give back
 */
export function stateAfterRefunds(before: PaymentState, { full }: { full: boolean }): PaymentState {
  if (full) return 'refunded'
  return before === 'disputed' || before === 'attention' ? before : 'partly-refunded'
}
