/**
 * Reaction of the shop to an issue with which PayPal refuses a payment:
 * - `read`: the payment may have succeeded or be in progress: PayPal's state decides
 * - `restart`: declined; the same wallet order can be approved again
 * - `payer-step`: not declined: PayPal requires one more step of the shopper
 * - `approve`: the shopper has not approved yet
 * - `other-means`: final for this payment source, not for the shopper
 * - `new-order`: this wallet order cannot be used again, another one may be opened
 * - `other-kind`: the saved payment method is of the other kind, a wallet instead of a card or the reverse
 * - `address`: PayPal rejects the shipping address
 * - `merchant`: the merchant's account does not allow the payment
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
  // The invoice number contains the attempt: any payment with it belongs to this order.
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

/** Returns the reaction to an issue. Unknown issues are final for the payment source. */
export function issueReaction(issue: string): IssueReaction {
  return (Object.hasOwn(reactions, issue) ? reactions[issue] : undefined) ?? 'other-means'
}
