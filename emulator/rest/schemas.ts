import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Issue } from './error-bodies.ts'

/** The vendored descriptions by the name of their file. */
export type Document = 'checkout_orders_v2' | 'payments_payment_v2' | 'notifications_webhooks_v1'

const FOLDER = new URL('../../src/contract/paypal/openapi/', import.meta.url)
const DOCUMENTS: readonly Document[] = ['checkout_orders_v2', 'payments_payment_v2', 'notifications_webhooks_v1']

export const documents: Record<Document, Record<string, unknown>> = {
  checkout_orders_v2: read('checkout_orders_v2'),
  payments_payment_v2: read('payments_payment_v2'),
  notifications_webhooks_v1: read('notifications_webhooks_v1'),
}

function read(name: Document): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

// Not strict: OpenAPI has words that JSON Schema does not know. Unicode off: some patterns are not valid with the u flag.
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, logger: false, verbose: true })
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('date-time', DATE_TIME)
for (const name of DOCUMENTS) ajv.addSchema({ ...documents[name] }, name)

/** A compiled check of one schema; compiled when first asked for. */
export function validator(document: Document, schema: string): ValidateFunction {
  const $ref = `${document}#/components/schemas/${schema}`
  const compiled = ajv.getSchema($ref)
  if (!compiled) throw new Error(`${document} has no schema ${schema}`)
  return compiled
}

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
