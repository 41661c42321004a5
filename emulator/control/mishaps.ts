/** One button: what is asked of the control API. */
export type Wish = { text: string; path: string; fields?: Record<string, string> }

/** A thing that goes wrong in real shops, under the name that the shop's list of faults gives it. */
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
  ['a byte a second', 'drip'],
  ['half of the JSON', 'malformed'],
  ['a page instead of JSON', 'wrong_type'],
  ['ten megabytes', 'huge'],
]

/** What can go wrong, in the order of the shop's list. */
export const MISHAPS: readonly Mishap[] = [
  {
    id: 'F6',
    title: 'Nobody answers',
    text: 'The connection is cut before anything happens.',
    wishes: [
      fault('The next call', { route: ANY_CALL, effect: 'drop' }),
      fault('The next three', { route: ANY_CALL, effect: 'drop', times: '3' }),
      fault('For a minute', { route: ANY_CALL, effect: 'drop', seconds: '60' }),
    ],
  },
  {
    id: 'F7',
    title: 'Done, but the answer is lost',
    text: 'The payment is made; the shop does not hear of it.',
    wishes: [
      fault('Payment: connection cut', { route: PAYING, effect: 'done_then_drop' }),
      fault('Payment: 30 seconds late', { route: PAYING, effect: 'answer_late', value: '30000' }),
      fault('New order: connection cut', { route: CREATING, effect: 'done_then_drop' }),
      fault('Refund: connection cut', { route: 'captures.refund', effect: 'done_then_drop' }),
    ],
  },
  {
    id: 'F8',
    title: 'Server errors',
    text: 'Once, a few times, or for a while.',
    wishes: [
      fault('503 once', { route: ANY_CALL, effect: 'status', value: '503' }),
      fault('500 three times', { route: ANY_CALL, effect: 'status', value: '500', times: '3' }),
      fault('503 for a minute', { route: ANY_CALL, effect: 'status', value: '503', seconds: '60' }),
      fault('Payment done, 500 answered', { route: PAYING, effect: 'done_then_500' }),
    ],
  },
  {
    id: 'F9',
    title: 'Too many calls',
    text: '429 with the time after which to come again.',
    wishes: [
      fault('Again after 1 second', { route: ANY_CALL, effect: 'status', value: '429', retry_after: '1' }),
      fault('Again after 5 seconds', { route: ANY_CALL, effect: 'status', value: '429', retry_after: '5' }),
    ],
  },
  {
    id: 'F10',
    title: 'The access token is over',
    text: 'Before the time it was given for.',
    wishes: [
      { text: 'All tokens, now', path: '/tokens/expire' },
      fault('401 at the next payment', { route: PAYING, effect: 'status', value: '401' }),
    ],
  },
  {
    id: 'F11',
    title: 'Broken answers',
    text: 'What was asked for is done; what comes back is of no use.',
    wishes: [
      ...BROKEN.map(([text, effect]) => fault(`Payment: ${text}`, { route: PAYING, effect })),
      ...BROKEN.slice(1).map(([text, effect]) => fault(`New order: ${text}`, { route: CREATING, effect })),
    ],
  },
  {
    id: 'F12',
    title: 'The next payment is refused',
    text: 'By its issue, or made and declined.',
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
    title: 'The next payment is under review',
    text: 'It stays pending until you clear or deny it in the list of orders.',
    wishes: [{ text: 'PENDING_REVIEW', path: '/captures/next', fields: { outcome: 'PENDING_REVIEW' } }],
  },
  {
    id: 'F17',
    title: 'Notifications',
    text: 'Repeated, mixed up, late, old, or not the provider’s.',
    wishes: [
      { text: 'Each five times', path: '/webhooks/duplicate', fields: { copies: '5' } },
      { text: 'Last first', path: '/webhooks/reorder', fields: { on: 'true' } },
      { text: 'Hold back', path: '/webhooks/hold', fields: { on: 'true' } },
      { text: 'Lose the next', path: '/webhooks/drop', fields: { count: '1' } },
      { text: 'Three days late', path: '/webhooks/backdate', fields: { days: '3' } },
      { text: 'An old one again', path: '/webhooks/replay' },
      { text: 'Forged signature', path: '/webhooks/false', fields: { kind: 'forged' } },
      { text: 'Another merchant’s', path: '/webhooks/false', fields: { kind: 'foreign-merchant' } },
      { text: 'From the sandbox', path: '/webhooks/false', fields: { kind: 'sandbox' } },
    ],
  },
  {
    id: 'F33',
    title: 'The script',
    text: 'What the shop’s page loads from here.',
    wishes: [
      fault('Does not load', { route: 'sdk.script', effect: 'status', value: '503' }),
      fault('Ten seconds late', { route: 'sdk.script', effect: 'delay', value: '10000' }),
    ],
  },
  {
    id: 'F38',
    title: 'The next refund is refused',
    text: 'Or is made and fails, at once or after a while. While a complaint is open (list of orders), a part is refused as well.',
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
    title: 'Questions about shipping',
    text: 'To the shop that took the latest order with a callback.',
    wishes: [
      {
        text: 'In ten seconds, perhaps too late',
        path: '/orders/latest/shipping',
        fields: { delay_ms: '10000', country_code: 'US', background: 'true' },
      },
      {
        text: 'About another order',
        path: '/orders/latest/shipping',
        fields: { order_id_override: '5O190127TN364715T', country_code: 'US' },
      },
      {
        text: 'With a way of shipping nobody offered',
        path: '/orders/latest/shipping',
        fields: { option: 'stolen:1' },
      },
    ],
  },
  {
    id: 'F40',
    title: 'Paid twice',
    text: 'Another wallet order for the same shop order is paid as well.',
    wishes: [{ text: 'Pay the latest order again', path: '/orders/latest/second' }],
  },
]
