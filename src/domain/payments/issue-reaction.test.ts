import { expect, it } from 'vitest'
import { type IssueReaction, issueReaction } from './issue-reaction.ts'

const table: [IssueReaction, string[]][] = [
  [
    'read',
    ['ORDER_ALREADY_CAPTURED', 'ORDER_ALREADY_AUTHORIZED', 'ORDER_COMPLETION_IN_PROGRESS', 'DUPLICATE_INVOICE_ID'],
  ],
  ['restart', ['INSTRUMENT_DECLINED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING']],
  ['payer-step', ['PAYER_ACTION_REQUIRED']],
  ['approve', ['ORDER_NOT_APPROVED']],
  [
    'other-means',
    [
      'TRANSACTION_REFUSED',
      'PAYER_CANNOT_PAY',
      'PAYEE_BLOCKED_TRANSACTION',
      'COMPLIANCE_VIOLATION',
      'TRANSACTION_LIMIT_EXCEEDED',
      'PAYER_ACCOUNT_RESTRICTED',
      'CARD_EXPIRED',
      'SOMETHING_NEW',
      'constructor',
    ],
  ],
  ['address', ['SHIPPING_ADDRESS_INVALID', 'CITY_REQUIRED', 'POSTAL_CODE_REQUIRED']],
  ['new-order', ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED']],
  ['other-kind', ['MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE']],
  ['merchant', ['PAYEE_ACCOUNT_RESTRICTED', 'NOT_ENABLED_FOR_CARD_PROCESSING', 'NOT_ENABLED_TO_VAULT_PAYMENT_SOURCE']],
]

it.each(table)('F12 at S11: the shop reacts with "%s" to %j', (reaction, issues) => {
  for (const issue of issues) expect(issueReaction(issue), issue).toBe(reaction)
})
