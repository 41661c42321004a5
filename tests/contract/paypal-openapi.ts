import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'

/**
 * The oracle of the contract tests: what PayPal's own descriptions say of a request or an answer. It shares nothing
 * with the emulator but the files.
 */

const FILES = [
  'checkout_orders_v2',
  'payments_payment_v2',
  'vault_payment_tokens_v3',
  'notifications_webhooks_v1',
] as const

/** What the files of February 2024 do not know yet, and the service has had since. */
const OVERLAY: readonly { file: string; schema: string; path: readonly string[]; value: unknown; why: string }[] = [
  {
    file: 'checkout_orders_v2',
    schema: 'shipment_tracker',
    path: ['required'],
    value: [],
    why: 'the call of orders names the capture; `transaction_id` and `status` belong to the older call',
  },
  {
    file: 'vault_payment_tokens_v3',
    schema: 'token_id_request',
    path: ['properties', 'type', 'enum'],
    value: ['BILLING_AGREEMENT', 'SETUP_TOKEN', 'NONCE'],
    why: 'a setup token becomes a payment token by this body, a single-use token by `NONCE`; the file lists one type only',
  },
  {
    file: 'vault_payment_tokens_v3',
    schema: 'token_id_request',
    path: ['properties', 'id', 'pattern'],
    value: '^[0-9a-zA-Z_-]+$',
    why: 'setup tokens and single-use tokens hold small letters too',
  },
]

/** Calls that no published file describes, by the parts that everybody relies on. */
const UNPUBLISHED = unpublished()

/** Issues that the real service answers although the list of the operation does not name them. */
const UNLISTED = new Set([
  'ACTION_DOES_NOT_MATCH_INTENT',
  // Agreements have no published file.
  'AGREEMENT_ALREADY_CANCELLED',
  'AGREEMENT_NOT_APPROVED',
  'AUTHORIZATION_EXPIRED',
  // Of the list for creating an order; authorising and confirming meet the same card.
  'CARD_EXPIRED',
  'INSTRUMENT_DECLINED',
  'DECIMALS_NOT_SUPPORTED',
  'INVALID_ARRAY_MAX_ITEMS',
  'INVALID_ARRAY_MIN_ITEMS',
  'INVALID_PATCH_OPERATION',
  'INVALID_RESOURCE_ID',
  'INVALID_STRING_LENGTH',
  'MALFORMED_REQUEST_JSON',
  'MISSING_REQUIRED_PARAMETER',
  'INVALID_PARAMETER_SYNTAX',
  'INVALID_PARAMETER_VALUE',
  'INCOMPATIBLE_PARAMETER_VALUE',
  'ONLY_ONE_PAYMENT_SOURCE_ALLOWED',
  'ORDER_ALREADY_AUTHORIZED',
  'PAYPAL_REQUEST_ID_REQUIRED',
  'PREVIOUS_REQUEST_IN_PROGRESS',
  'REAUTHORIZATION_TOO_SOON',
])

/** The vault's file lists no issues at all; these are the ones a shop has to know. */
const VAULT_ISSUES = new Set([
  'BILLING_AGREEMENT_NOT_FOUND',
  'CARD_EXPIRED',
  'CARD_EXPIRY_REQUIRED',
  'CARD_NUMBER_REQUIRED',
  'INVALID_EXPIRY_DATE',
  'INVALID_SECURITY_CODE_LENGTH',
  'PAYMENT_SOURCE_DECLINED_BY_PROCESSOR',
  'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED',
  'SETUP_TOKEN_NOT_APPROVED',
  'TOKEN_EXPIRED',
])

type Json = Record<string, unknown>
type Operation = { file: string; pattern: RegExp; method: string; description: Json; document: Json }

const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false })
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)

const operations: Operation[] = FILES.flatMap((file) => {
  const address = new URL(`../../src/contract/paypal/openapi/${file}.json`, import.meta.url)
  const document: Json = JSON.parse(readFileSync(address, 'utf8'))
  for (const { schema, path, value } of OVERLAY.filter((gap) => gap.file === file)) {
    at(document, 'components', 'schemas', schema, ...path.slice(0, -1))[path.at(-1) ?? ''] = value
  }
  ajv.addSchema(document, file)
  return Object.entries(at(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, description]) => ({
      file,
      document,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      description: description as Json,
    })),
  )
})

/** The descriptions have no schema for this status; the documentation does. */
const checkRateLimit = ajv.compile({
  type: 'object',
  required: ['name', 'message', 'debug_id'],
  properties: { name: { const: 'RATE_LIMIT_REACHED' }, message: { type: 'string' }, debug_id: { type: 'string' } },
})

const compiled = new Map<object, ValidateFunction>()

/** What the descriptions find wrong with an answer; empty when all is well. */
export function answerFaults(method: string, path: string, status: number, body: unknown): string[] {
  const own = UNPUBLISHED.find((call) => call.method === method && call.pattern.test(path.split('?')[0] ?? path))
  if (own && status < 400) return own.check(status, body)
  const operation = own ? operationOf('POST', '/v2/checkout/orders') : operationOf(method, path)
  if (!operation) return [`no operation ${method} ${path}`]
  const responses = at(operation.description, 'responses')
  const listed = at(responses, String(status))
  if (status === 204) return 'responses' in operation.description && responses['204'] ? [] : ['204 is not described']
  if (status < 400) {
    const schema = schemaOf(operation, listed)
    return schema ? faultsOf(operation, schema, body) : [`${status} is not described`]
  }
  if (status === 429) return checkRateLimit(body) ? [] : ['not the body of a 429']
  const base = faultsOf(operation, { $ref: `#/components/schemas/${baseErrorOf(operation, status)}` }, body)
  return [...base, ...issueFaults(operation, listed, body)]
}

/** What the descriptions find wrong with the body of a request. */
export function requestFaults(method: string, path: string, body: unknown): string[] {
  const operation = operationOf(method, path)
  if (!operation) return [`no operation ${method} ${path}`]
  const schema = schemaOf(operation, at(operation.description, 'requestBody'))
  return schema ? faultsOf(operation, schema, body) : []
}

function operationOf(method: string, path: string): Operation | undefined {
  const plain = path.split('?')[0] ?? path
  return operations.find((operation) => operation.method === method && operation.pattern.test(plain))
}

/** Statuses that every call can have, described or not, have their schema in the description of orders. */
function baseErrorOf(operation: Operation, status: number): string {
  if (operation.file === 'notifications_webhooks_v1') return 'error'
  if (operation.file === 'vault_payment_tokens_v3' && ![400, 401, 403, 404, 409, 415, 422, 500, 503].includes(status)) {
    return 'error'
  }
  return [400, 401, 403, 404, 409, 415, 422, 500, 503].includes(status) ? `error_${status}` : 'error_default'
}

function issueFaults(operation: Operation, listed: Json, body: unknown): string[] {
  if (operation.file === 'notifications_webhooks_v1') return []
  const allowed = new Set<string>()
  const schema = schemaOf(operation, listed)
  const lists = (schema?.allOf as { $ref: string }[] | undefined) ?? []
  for (const { $ref } of lists) {
    const choices = at(follow(operation.document, $ref), 'properties', 'details', 'items').anyOf
    for (const choice of Array.isArray(choices) ? choices : []) {
      const issue = (at(choice, 'properties', 'issue').enum as string[] | undefined)?.[0]
      if (issue) allowed.add(issue)
    }
  }
  const details = (body as { details?: { issue: string; description?: string }[] }).details ?? []
  return details.flatMap(({ issue, description }) => [
    ...(allowed.has(issue) || UNLISTED.has(issue) || isOfVault(operation, issue)
      ? []
      : [`issue ${issue} is not described`]),
    ...(description ? [] : [`issue ${issue} has no description`]),
  ])
}

function isOfVault({ file }: Operation, issue: string): boolean {
  return file === 'vault_payment_tokens_v3' && VAULT_ISSUES.has(issue)
}

function unpublished(): { method: string; pattern: RegExp; check(status: number, body: unknown): string[] }[] {
  const text = { type: 'string', minLength: 1 }
  const object = (required: Json, more: Json = {}) => ({
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...more },
  })
  const links = { type: 'array', minItems: 1, items: object({ href: text, rel: text, method: text }) }
  const payer = object({
    payer_info: object({
      email: text,
      first_name: text,
      last_name: text,
      payer_id: { type: 'string', pattern: '^[2-9A-HJ-NP-Z]{13}$' },
    }),
  })
  const agreement = object({ id: { type: 'string', pattern: '^B-' }, state: text, payer })
  const token = { type: 'string', pattern: '^BA-[0-9A-Z]{17}$' }
  const base = '/v1/billing-agreements'
  const amount = object({ currency_code: text, value: text })
  const dispute = object({
    dispute_id: { type: 'string', pattern: '^PP-' },
    status: text,
    reason: text,
    dispute_amount: amount,
    disputed_transactions: { type: 'array', minItems: 1, items: object({ seller_transaction_id: text }) },
    links,
  })
  const methods = {
    type: 'object',
    additionalProperties: { type: 'object' },
    propertyNames: { enum: ['paypal', 'paypal_pay_later', 'venmo', 'advanced_cards', 'card'] },
  }
  const calls: [string, string, Record<number, object | null>][] = [
    ['POST', `${base}/agreement-tokens`, { 201: object({ token_id: token, links }), 200: object({ token_id: token }) }],
    [
      'GET',
      `${base}/agreement-tokens/[^/]+`,
      { 200: object({ token_id: token, token_status: text, links }, { payer }) },
    ],
    ['POST', `${base}/agreements`, { 201: agreement, 200: agreement }],
    ['GET', `${base}/agreements/[^/]+`, { 200: agreement }],
    ['POST', `${base}/agreements/[^/]+/cancel`, { 204: null }],
    ['GET', '/v1/customer/disputes', { 200: object({ items: { type: 'array', items: dispute } }) }],
    ['GET', '/v1/customer/disputes/[^/]+', { 200: dispute }],
    ['POST', '/v2/payments/find-eligible-methods', { 200: object({ eligible_methods: methods }) }],
  ]
  return calls.map(([method, pattern, answers]) => ({
    method,
    pattern: new RegExp(`^${pattern}$`),
    check(status, body) {
      const schema = answers[status]
      if (schema === undefined) return [`${status} is not expected of ${method} ${pattern}`]
      if (schema === null) return []
      const check = ajv.compile(schema)
      return check(body) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`)
    },
  }))
}

function schemaOf(operation: Operation, holder: Json): Json | undefined {
  const whole = typeof holder.$ref === 'string' ? follow(operation.document, holder.$ref) : holder
  const schema = at(whole, 'content', 'application/json').schema
  return schema as Json | undefined
}

function faultsOf(operation: Operation, schema: Json, body: unknown): string[] {
  let check = compiled.get(schema)
  if (!check) {
    // References inside a file are relative to the file.
    check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${operation.file}#/`)))
    compiled.set(schema, check)
  }
  return check(body) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`)
}

function follow(document: Json, reference: string): Json {
  return at(document, ...reference.replace('#/', '').split('/'))
}

function at(value: unknown, ...path: string[]): Json {
  return path.reduce<Json>((here, key) => (here[key] as Json | undefined) ?? {}, (value ?? {}) as Json)
}
