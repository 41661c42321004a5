import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Issue } from './error-bodies.ts'

/** The vendored descriptions by the name of their file. */
export type Document =
  | 'checkout_orders_v2'
  | 'payments_payment_v2'
  | 'vault_payment_tokens_v3'
  | 'notifications_webhooks_v1'

const FOLDER = new URL('../../src/contract/paypal/openapi/', import.meta.url)

export const documents: Record<Document, Record<string, unknown>> = {
  checkout_orders_v2: read('checkout_orders_v2'),
  payments_payment_v2: read('payments_payment_v2'),
  vault_payment_tokens_v3: withNewerTokens(read('vault_payment_tokens_v3')),
  notifications_webhooks_v1: read('notifications_webhooks_v1'),
}

function read(name: Document): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}

/** The published file knows one kind of token to keep; the service takes setup tokens and single-use ones too. */
function withNewerTokens(document: Record<string, unknown>): Record<string, unknown> {
  // The vendored file has this schema: the tests of the vault would not start without.
  const { components } = document as { components: { schemas: Record<string, Record<string, unknown>> } }
  const token = components.schemas.token_id_request
  return {
    ...document,
    components: {
      ...components,
      schemas: {
        ...components.schemas,
        token_id_request: {
          ...token,
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[0-9a-zA-Z_-]+$' },
            type: { type: 'string', enum: ['BILLING_AGREEMENT', 'SETUP_TOKEN', 'NONCE'] },
          },
        },
      },
    },
  }
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

// Not strict: OpenAPI has words that JSON Schema does not know. Unicode off: some patterns are not valid with the u flag.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false, verbose: true })
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('date-time', DATE_TIME)
for (const [name, document] of Object.entries(documents)) ajv.addSchema({ ...document }, name)

/** A compiled check of one schema; compiled when first asked for. */
export function validator(document: Document, schema: string): ValidateFunction {
  const $ref = `${document}#/components/schemas/${schema}`
  const compiled = ajv.getSchema($ref)
  if (!compiled) throw new Error(`${document} has no schema ${schema}`)
  return compiled
}

const order = (schema: string) => ({ $ref: `checkout_orders_v2#/components/schemas/${schema}` })

/** What a shop answers to the provider's question about shipping; no published file describes it. */
export const shippingAnswer: ValidateFunction = ajv.compile({
  type: 'object',
  required: ['id', 'purchase_units'],
  properties: {
    id: { type: 'string' },
    purchase_units: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        required: ['amount'],
        properties: {
          reference_id: { type: 'string', maxLength: 256 },
          amount: order('amount_with_breakdown'),
          items: { type: 'array', items: order('item') },
          shipping_options: { type: 'array', maxItems: 10, items: order('shipping_option') },
        },
      },
    },
  },
})

const legacyAddress = {
  type: 'object',
  properties: Object.fromEntries(
    ['recipient_name', 'line1', 'line2', 'city', 'state', 'postal_code', 'country_code'].map((name) => [
      name,
      { type: 'string', maxLength: 300 },
    ]),
  ),
}

const ofTracker = (place: string) => order(`shipment_tracker/properties/${place}`)
const ofRequest = (place: string) => order(`order_tracker_request/allOf/1/properties/${place}`)

/**
 * A parcel to be tracked. The published schema also asks for the members of the older call, `transaction_id` and `status`, which
 * neither its examples nor the provider's own libraries send.
 */
export const trackingRequest: ValidateFunction = ajv.compile({
  type: 'object',
  required: ['capture_id'],
  properties: {
    capture_id: ofRequest('capture_id'),
    tracking_number: ofTracker('tracking_number'),
    // The list lacks the word that its own description names for every other carrier.
    carrier: { if: { const: 'OTHER' }, else: order('shipment_carrier') },
    carrier_name_other: ofTracker('carrier_name_other'),
    notify_payer: ofRequest('notify_payer'),
    items: ofRequest('items'),
  },
})

/** Operations on a tracker. What is wrong with one of them is refused with issues of its own. */
export const trackerPatch: ValidateFunction = ajv.compile({
  type: 'array',
  items: { type: 'object', properties: { op: { type: 'string' }, path: { type: 'string' } } },
})

/** Items of a parcel. */
export const trackedItems: ValidateFunction = ajv.compile(ofRequest('items'))

/** The older calls for agreements; no published file describes them. */
export const agreementTokenRequest: ValidateFunction = ajv.compile({
  type: 'object',
  required: ['payer', 'plan'],
  properties: {
    description: { type: 'string', maxLength: 127 },
    payer: {
      type: 'object',
      required: ['payment_method'],
      properties: { payment_method: { type: 'string', enum: ['PAYPAL'] } },
    },
    plan: {
      type: 'object',
      required: ['type', 'merchant_preferences'],
      properties: {
        type: {
          type: 'string',
          enum: [
            'MERCHANT_INITIATED_BILLING',
            'MERCHANT_INITIATED_BILLING_SINGLE_AGREEMENT',
            'CHANNEL_INITIATED_BILLING',
          ],
        },
        merchant_preferences: {
          type: 'object',
          required: ['return_url', 'cancel_url'],
          properties: {
            return_url: { type: 'string', format: 'uri' },
            cancel_url: { type: 'string', format: 'uri' },
            notify_url: { type: 'string', format: 'uri' },
            skip_shipping_address: { type: 'boolean' },
            immutable_shipping_address: { type: 'boolean' },
          },
        },
      },
    },
    shipping_address: legacyAddress,
  },
})

export const agreementRequest: ValidateFunction = ajv.compile({
  type: 'object',
  required: ['token_id'],
  properties: { token_id: { type: 'string', minLength: 1, maxLength: 64 } },
})

/** Payment methods that a buyer may be offered; no published file describes it. */
export const eligibleMethodsRequest: ValidateFunction = ajv.compile({
  type: 'object',
  properties: {
    customer: {
      type: 'object',
      properties: {
        id: { type: 'string', maxLength: 36 },
        country_code: { type: 'string', pattern: '^[A-Z]{2}$' },
        email: { type: 'string', maxLength: 254 },
        channel: { type: 'object' },
      },
    },
    purchase_units: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: {
        type: 'object',
        properties: { amount: order('money'), payee: { type: 'object' } },
      },
    },
    preferences: {
      type: 'object',
      properties: {
        payment_flow: { type: 'string', enum: ['ONE_TIME_PAYMENT', 'VAULT_WITH_PAYMENT', 'VAULT_WITHOUT_PAYMENT'] },
        payment_source_constraint: {
          type: 'object',
          properties: {
            constraint_type: { type: 'string', enum: ['INCLUDE', 'EXCLUDE'] },
            payment_sources: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
})

/** What a refused body is told, field by field, in the words the provider uses. */
export function issuesOf(errors: readonly ErrorObject[]): Issue[] {
  const issues = new Map<string, Issue>()
  for (const error of errors) {
    const issue = ISSUE_BY_KEYWORD[error.keyword]
    if (!issue) continue
    const missing = error.keyword === 'required' ? `/${String(error.params.missingProperty)}` : ''
    const field = `${error.instancePath}${missing}` || '/'
    const found: Issue = { issue, field, location: 'body' }
    if (!missing && (typeof error.data === 'string' || typeof error.data === 'number')) found.value = String(error.data)
    if (!issues.has(field)) issues.set(field, found)
  }
  return [...issues.values()]
}

const ISSUE_BY_KEYWORD: Record<string, string> = {
  required: 'MISSING_REQUIRED_PARAMETER',
  enum: 'INVALID_PARAMETER_VALUE',
  type: 'INVALID_PARAMETER_SYNTAX',
  pattern: 'INVALID_PARAMETER_SYNTAX',
  format: 'INVALID_PARAMETER_SYNTAX',
  minLength: 'INVALID_STRING_LENGTH',
  maxLength: 'INVALID_STRING_LENGTH',
  minItems: 'INVALID_ARRAY_MIN_ITEMS',
  maxItems: 'INVALID_ARRAY_MAX_ITEMS',
  minimum: 'INVALID_PARAMETER_VALUE',
  maximum: 'INVALID_PARAMETER_VALUE',
}
