/**
 * What the shop does about an issue with which the provider refuses to take money:
 * - `read`: it may have been done already, or is on its way: what the provider shows decides
 * - `restart`: declined; the same wallet order can be approved again
 * - `payer-step`: not declined: the provider wants one more step of the shopper before it pays
 * - `approve`: the shopper has not approved yet
 * - `other-means`: final for this means, not for the shopper
 * - `new-order`: this wallet order is used up, another one may be opened
 * - `other-kind`: what is kept is of the other kind, a wallet instead of a card or the reverse
 * - `address`: the address is not one that parcels go to
 * - `merchant`: the merchant's account is not allowed to do this
 */
export type IssueReaction =
  | 'read'
  | 'restart'
  | 'payer-step'
  | 'approve'
  | 'other-means'
  | 'new-order'
  | 'other-kind'
  | 'address'
  | 'merchant'

const reactions: Readonly<Record<string, IssueReaction>> = {
  ORDER_ALREADY_CAPTURED: 'read',
  ORDER_ALREADY_AUTHORIZED: 'read',
  ORDER_COMPLETION_IN_PROGRESS: 'read',
  PREVIOUS_REQUEST_IN_PROGRESS: 'read',
  AUTHORIZATION_ALREADY_CAPTURED: 'read',
  // The number carries the attempt: whatever was paid under it was paid for this order.
  DUPLICATE_INVOICE_ID: 'read',

  INSTRUMENT_DECLINED: 'restart',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: 'restart',
  PAYER_ACTION_REQUIRED: 'payer-step',
  ORDER_NOT_APPROVED: 'approve',

  MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE: 'other-kind',

  TRANSACTION_REFUSED: 'other-means',
  PAYER_CANNOT_PAY: 'other-means',
  PAYEE_BLOCKED_TRANSACTION: 'other-means',
  COMPLIANCE_VIOLATION: 'other-means',
  TRANSACTION_LIMIT_EXCEEDED: 'other-means',
  PAYER_ACCOUNT_RESTRICTED: 'other-means',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'other-means',
  CARD_EXPIRED: 'other-means',

  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'new-order',
  ORDER_EXPIRED: 'new-order',
  ORDER_VOIDED: 'new-order',

  SHIPPING_ADDRESS_INVALID: 'address',
  CITY_REQUIRED: 'address',
  POSTAL_CODE_REQUIRED: 'address',

  ACTION_DOES_NOT_MATCH_INTENT: 'merchant',
  PAYEE_ACCOUNT_RESTRICTED: 'merchant',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'merchant',
  NOT_ENABLED_FOR_CARD_PROCESSING: 'merchant',
  NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE: 'merchant',
  PERMISSION_DENIED: 'merchant',
}

/** An issue that nobody has heard of is final for the means that was tried. */
export function issueReaction(issue: string): IssueReaction {
  return (Object.hasOwn(reactions, issue) ? reactions[issue] : undefined) ?? 'other-means'
}
