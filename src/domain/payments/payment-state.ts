/** State of an order's payment. It follows PayPal's API only, never browser data or webhook contents. */
export type PaymentState =
  | 'none'
  | 'pending'
  | 'authorising'
  /** Authorized; the merchant has not captured it yet. */
  | 'authorised'
  | 'review'
  | 'captured'
  | 'paid'
  | 'failed'
  | 'attention'
  | 'partly-refunded'
  | 'refunded'
  | 'disputed'

/** All moves of a payment; `docs/architecture.md` draws them. */
export const paymentTransitions: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  none: ['pending', 'paid', 'failed'],
  // Back to none: the shopper left the wallet and pays on delivery.
  pending: ['none', 'authorising', 'authorised', 'review', 'captured', 'paid', 'failed', 'attention'],
  authorising: ['pending', 'authorised', 'review', 'captured', 'paid', 'failed', 'attention'],
  // Failed: the authorization was voided, so nothing is owed and nothing was captured.
  authorised: ['review', 'captured', 'paid', 'failed', 'attention'],
  review: ['authorised', 'captured', 'paid', 'failed', 'attention'],
  captured: ['paid', 'attention'],
  paid: ['partly-refunded', 'refunded', 'disputed', 'attention'],
  // Cancelled, yet PayPal may still report a capture.
  failed: ['none', 'pending', 'authorising', 'attention'],
  // To none: no money was received, and another method pays.
  attention: ['none', 'paid', 'refunded', 'partly-refunded', 'disputed', 'failed'],
  'partly-refunded': ['refunded', 'disputed', 'attention'],
  refunded: [],
  disputed: ['paid', 'partly-refunded', 'refunded', 'attention'],
}

export function isAllowedPaymentTransition(from: PaymentState, to: PaymentState): boolean {
  return from === to || paymentTransitions[from].includes(to)
}

export function isPaid(state: PaymentState): boolean {
  return state === 'paid' || state === 'partly-refunded' || state === 'disputed'
}

/** Reports whether no payment is in progress or awaited: further money is unexpected. */
export function isOver(state: PaymentState): boolean {
  return isPaid(state) || state === 'refunded' || state === 'attention'
}

/**
 * Reports whether the customer has paid: captured, authorized, or under review. No further payment may be requested.
 */
export function customerHasPaid(state: PaymentState): boolean {
  return isPaid(state) || state === 'authorised' || state === 'review'
}

/**
 * Returns the payment state after a refund. A disputed order or one in manual review stays so until nothing is left.
 * @param full nothing of the order is left to refund
 */
export function stateAfterRefunds(before: PaymentState, { full }: { full: boolean }): PaymentState {
  if (full) return 'refunded'
  return before === 'disputed' || before === 'attention' ? before : 'partly-refunded'
}
