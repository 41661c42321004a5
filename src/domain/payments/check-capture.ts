import type { PaymentState } from './payment-state.ts'

/** Expected figures of a capture, fixed when the order was placed. */
export type Expected = {
  orderId: number
  amountMinor: number
  currency: string
  environment: string
  /** '' until PayPal has reported the payee once. */
  payee: string
}

/** Figures read from PayPal. */
export type Reported = {
  /** PayPal's field for the shop's order id. */
  customId: string
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'FAILED' | 'REFUNDED' | 'PARTIALLY_REFUNDED'
  amountMinor: number
  currency: string
  environment: string
  payee: string
}

export type Judgement =
  | { state: Extract<PaymentState, 'captured' | 'review' | 'failed'> }
  | { state: 'attention'; mismatch: 'order' | 'amount' | 'currency' | 'environment' | 'payee' }

/**
 * Reports whether a capture pays for the order: amount, currency, payee, environment and the order's own reference must
 * all be as expected. Mismatched money is neither accepted nor refunded: it needs manual review.
 */
export function validateCapture(expected: Expected, reported: Reported): Judgement {
  if (reported.status === 'DECLINED' || reported.status === 'FAILED') return { state: 'failed' }
  if (reported.environment !== expected.environment) return { state: 'attention', mismatch: 'environment' }
  if (reported.customId !== String(expected.orderId)) return { state: 'attention', mismatch: 'order' }
  if (reported.currency !== expected.currency) return { state: 'attention', mismatch: 'currency' }
  if (reported.amountMinor !== expected.amountMinor) return { state: 'attention', mismatch: 'amount' }
  if (expected.payee !== '' && reported.payee !== '' && reported.payee !== expected.payee) {
    return { state: 'attention', mismatch: 'payee' }
  }
  return { state: reported.status === 'PENDING' ? 'review' : 'captured' }
}
