/** One button and its request to the control API. */
export type Wish = { text: string; path: string; fields?: Record<string, string> }

/** A fault of real shops. Its id is that of the shop's fault list. */
export type Mishap = { id: string; title: string; text: string; wishes: readonly Wish[] }

/** Every call of the API, tokens included, but no script and no page. */
const ANY_CALL = '/v*'
const PAYING = 'orders.capture,orders.authorize,authorizations.capture'
const CREATING = 'orders.create'

function fault(text: string, fields: Record<string, string>): Wish {
  return { text, path: '/fault', fields }
}

function refused(issue: string, route = PAYING): Wish {
  return fault(issue, { route, effect: 'issue', value: issue })
}

const BROKEN: readonly (readonly [string, string])[] = [
  ['one byte per second', 'drip'],
  ['truncated JSON', 'malformed'],
  ['HTML instead of JSON', 'wrong_type'],
  ['ten megabytes', 'huge'],
]

/** The faults, in the order of the shop's fault list. */
export const MISHAPS: readonly Mishap[] = [
  {
    id: 'F6',
    title: 'Connection refused',
    text: 'The connection is closed before the call is executed.',
    wishes: [
      fault('The next call', { route: ANY_CALL, effect: 'drop' }),
      fault('The next three calls', { route: ANY_CALL, effect: 'drop', times: '3' }),
      fault('All calls for a minute', { route: ANY_CALL, effect: 'drop', seconds: '60' }),
    ],
  },
  {
    id: 'F7',
    title: 'Lost response',
    text: 'The call is executed, and the shop does not receive the response.',
    wishes: [
      fault('Payment: connection closed', { route: PAYING, effect: 'done_then_drop' }),
      fault('Payment: 30 seconds late', { route: PAYING, effect: 'answer_late', value: '30000' }),
      fault('New order: connection closed', { route: CREATING, effect: 'done_then_drop' }),
      fault('Refund: connection closed', { route: 'captures.refund', effect: 'done_then_drop' }),
    ],
  },
  {
    id: 'F8',
    title: 'Server errors',
    text: 'Once, several times, or for a minute.',
    wishes: [
      fault('503 once', { route: ANY_CALL, effect: 'status', value: '503' }),
      fault('500 three times', { route: ANY_CALL, effect: 'status', value: '500', times: '3' }),
      fault('503 for a minute', { route: ANY_CALL, effect: 'status', value: '503', seconds: '60' }),
      fault('Payment executed, response 500', { route: PAYING, effect: 'done_then_500' }),
    ],
  },
  {
    id: 'F9',
    title: 'Rate limit',
    text: 'Status 429 with a Retry-After header.',
    wishes: [
      fault('Retry after 1 second', { route: ANY_CALL, effect: 'status', value: '429', retry_after: '1' }),
      fault('Retry after 5 seconds', { route: ANY_CALL, effect: 'status', value: '429', retry_after: '5' }),
    ],
  },
  {
    id: 'F10',
    title: 'Expired access token',
    text: 'The token expires before its announced lifetime.',
    wishes: [
      { text: 'Expire all tokens now', path: '/tokens/expire' },
      fault('401 for the next payment', { route: PAYING, effect: 'status', value: '401' }),
    ],
  },
  {
    id: 'F11',
    title: 'Invalid responses',
    text: 'The call is executed, and its response cannot be used.',
    wishes: [
      ...BROKEN.map(([text, effect]) => fault(`Payment: ${text}`, { route: PAYING, effect })),
      ...BROKEN.slice(1).map(([text, effect]) => fault(`New order: ${text}`, { route: CREATING, effect })),
    ],
  },
  {
    id: 'F12',
    title: 'Declined payment',
    text: 'The next payment fails with this issue, or its capture is declined.',
    wishes: [
      { text: 'DECLINED capture', path: '/captures/next', fields: { outcome: 'DECLINED' } },
      ...[
        'INSTRUMENT_DECLINED',
        'PAYER_ACTION_REQUIRED',
        'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
        'ORDER_NOT_APPROVED',
        'ORDER_ALREADY_CAPTURED',
        'DUPLICATE_INVOICE_ID',
        'TRANSACTION_REFUSED',
        'PAYER_CANNOT_PAY',
        'PAYEE_BLOCKED_TRANSACTION',
        'COMPLIANCE_VIOLATION',
        'TRANSACTION_LIMIT_EXCEEDED',
        'PAYER_ACCOUNT_RESTRICTED',
        'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
        'AUTHORIZATION_VOIDED',
        'AUTH_CAPTURE_CURRENCY_MISMATCH',
      ].map((issue) => refused(issue)),
      ...['AMOUNT_MISMATCH', 'CARD_EXPIRED', 'PAYEE_ACCOUNT_RESTRICTED'].map((issue) => ({
        ...refused(issue, CREATING),
        text: `New order: ${issue}`,
      })),
    ],
  },
  {
    id: 'F13',
    title: 'Payment under review',
    text: 'The next payment stays pending until you approve or deny it in the list of orders.',
    wishes: [{ text: 'PENDING_REVIEW', path: '/captures/next', fields: { outcome: 'PENDING_REVIEW' } }],
  },
  {
    id: 'F17',
    title: 'Webhooks',
    text: 'Duplicated, out of order, late, replayed, or forged.',
    wishes: [
      { text: 'Send each five times', path: '/webhooks/duplicate', fields: { copies: '5' } },
      { text: 'Reverse the order', path: '/webhooks/reorder', fields: { on: 'true' } },
      { text: 'Hold', path: '/webhooks/hold', fields: { on: 'true' } },
      { text: 'Lose the next one', path: '/webhooks/drop', fields: { count: '1' } },
      { text: 'Three days late', path: '/webhooks/backdate', fields: { days: '3' } },
      { text: 'Replay an old one', path: '/webhooks/replay' },
      { text: 'Forged signature', path: '/webhooks/false', fields: { kind: 'forged' } },
      { text: 'From another merchant', path: '/webhooks/false', fields: { kind: 'foreign-merchant' } },
      { text: 'From the sandbox', path: '/webhooks/false', fields: { kind: 'sandbox' } },
    ],
  },
  {
    id: 'F33',
    title: 'Script',
    text: 'The script that the shop’s pages load from here.',
    wishes: [
      fault('Fails to load', { route: 'sdk.script', effect: 'status', value: '503' }),
      fault('Loads after ten seconds', { route: 'sdk.script', effect: 'delay', value: '10000' }),
    ],
  },
  {
    id: 'F38',
    title: 'Failed refund',
    text: 'The next refund fails with this issue, or is accepted and fails later. While a dispute is open, partial refunds are rejected too.',
    wishes: [
      ...['REFUND_FAILED_INSUFFICIENT_FUNDS', 'TRANSACTION_DISPUTED', 'CAPTURE_FULLY_REFUNDED', 'PENDING_CAPTURE'].map(
        (issue) => refused(issue, 'captures.refund'),
      ),
      { text: 'PENDING refund', path: '/refunds/next', fields: { outcome: 'PENDING' } },
      { text: 'FAILED refund', path: '/refunds/next', fields: { outcome: 'FAILED' } },
    ],
  },
  {
    id: 'F39',
    title: 'Shipping callbacks',
    text: 'Sent for the latest order that has a callback.',
    wishes: [
      {
        text: 'After ten seconds',
        path: '/orders/latest/shipping',
        fields: { delay_ms: '10000', country_code: 'US', background: 'true' },
      },
      {
        text: 'With the ID of another order',
        path: '/orders/latest/shipping',
        fields: { order_id_override: '5O190127TN364715T', country_code: 'US' },
      },
      {
        text: 'With a shipping option that was not offered',
        path: '/orders/latest/shipping',
        fields: { option: 'stolen:1' },
      },
    ],
  },
  {
    id: 'F40',
    title: 'Duplicate payment',
    text: 'A second PayPal order for the same shop order is paid.',
    wishes: [{ text: 'Pay the latest order again', path: '/orders/latest/second' }],
  },
]
