import type { OrderRow } from '#database/orders/orders.ts'
import { issueReaction } from '#domain/payments/issue-reaction.ts'

export type FinishResult =
  /** `held`: the provider holds the money until the merchant takes it. */
  | { ok: true; state: 'paid' | 'held' | 'review'; order: OrderRow }
  | { ok: false; reason: FinishRefusal; order: OrderRow | null; issue?: string }

export type FinishRefusal =
  /** No such order, or it was never started at the provider. */
  | 'unknown-order'
  /** The shopper has not approved yet, or must approve again. */
  | 'not-approved'
  /** The instrument was declined: the same wallet order can be approved again with another. */
  | 'declined'
  /** The provider wants one more step of the shopper, and pays after it. Nothing was taken. */
  | 'payer-step'
  /** The card's bank did not recognise its holder: another card is needed. */
  | 'card-rejected'
  /** The card's bank could not ask its holder: the same card may be tried once more. */
  | 'card-retry'
  /** So many payments have failed lately that the next must wait. */
  | 'paused'
  /** The provider does not take the shipping address. */
  | 'address'
  /** A kept way to pay that this shopper does not have. */
  | 'unknown-means'
  /** The wallet order is not the newest of this order, or asks for another amount. Nothing was taken. */
  | 'outdated'
  /** The order was cancelled or replaced. Nothing was taken. */
  | 'cancelled'
  /** Sold out since. Nothing was taken. */
  | 'stock'
  /** The provider could not be reached. Nothing was taken. */
  | 'unreachable'
  /** The provider refuses this payment for good. Nothing was taken. */
  | 'refused'
  /** Whether money was taken is being found out. Nothing else may be tried meanwhile. */
  | 'checking'
  /** Money came that does not fit the order: a person looks at it. */
  | 'attention'

/**
 * Refused by the provider or by a bank: what somebody who tries out stolen cards meets. What the merchant has to mend, and a
 * kept means that is tried again as one of the other kind, count against nobody.
 */
export function isFailedPayment(reason: FinishRefusal, issue: string): boolean {
  if (reason === 'declined' || reason === 'card-rejected') return true
  const reaction = issueReaction(issue)
  return reason === 'refused' && reaction !== 'merchant' && reaction !== 'other-kind'
}
