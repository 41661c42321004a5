import type { OrderRow } from '#database/orders/orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'

export type FinishResult =
  /** `held`: the money is authorized until the merchant captures it. */
  | { ok: true; state: 'paid' | 'held' | 'review'; order: OrderRow }
  | { ok: false; reason: FinishRefusal; order: OrderRow | null; issue?: string }

export type FinishRefusal =
  /** The order does not exist, or has no wallet order. */
  | 'unknown-order'
  /** The shopper has not approved yet, or must approve again. */
  | 'not-approved'
  /** The payment source was declined: the same wallet order can be approved again with another. */
  | 'declined'
  /** PayPal requires one more step of the shopper before it pays. No money was captured. */
  | 'payer-step'
  /** The card's bank did not authenticate the cardholder: another card is required. */
  | 'card-rejected'
  /** The card's bank could not authenticate the cardholder: the same card may be tried again. */
  | 'card-retry'
  /** The limit of failed payments is reached: the next must wait. */
  | 'paused'
  /** PayPal rejects the shipping address. */
  | 'address'
  /** A saved payment method that this shopper does not have. */
  | 'unknown-means'
  /** The wallet order is not the newest of this order, or has another amount. No money was captured. */
  | 'outdated'
  /** The order was cancelled or replaced. No money was captured. */
  | 'cancelled'
  /** Sold out since. No money was captured. */
  | 'stock'
  /** PayPal could not be reached. No money was captured. */
  | 'unreachable'
  /** PayPal refuses this payment for good. No money was captured. */
  | 'refused'
  /** The outcome is unknown. Nothing else may be paid until reconciliation. */
  | 'checking'
  /** The money does not fit the order: it needs manual review. */
  | 'attention'

/**
 * Reports whether PayPal or a bank refused the payment, as for stolen cards. Faults of the merchant's account, and a
 * saved payment method that is retried as another kind, do not count against the shopper.
 */
export function isFailedPayment(reason: FinishRefusal, issue: string): boolean {
  if (reason === 'declined' || reason === 'card-rejected') return true
  const reaction = issueReaction(issue)
  return reason === 'refused' && reaction !== 'merchant' && reaction !== 'other-kind'
}
