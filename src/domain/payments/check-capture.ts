import type { PaymentState } from './payment-state.ts'

/** What the shop expects of a capture: its own figures, frozen when the order was placed. */
export type Expected = {
  orderId: number
  amountMinor: number
  currency: string
  environment: string
  /** '' until the provider has named the payee once. */
  payee: string
}

/** What was read from the provider. */
export type Reported = {
  /** The provider's own field for the shop's order id. */
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
 * Whether a capture pays for the order: amount, currency, payee, environment and the order's own reference must all be
 * as expected. Money that came without that is neither accepted nor sent back: a person looks at it.
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
