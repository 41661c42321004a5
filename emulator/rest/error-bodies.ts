import { type Document, documents } from './schemas.ts'

/** One entry of an error's `details`. */
export type Issue = {
  issue: string
  field?: string
  value?: string
  location?: 'body' | 'path' | 'query'
  description?: string
}

/** A call that the provider does not carry out. Thrown by operations, turned into an answer in one place. */
export class Refusal extends Error {
  readonly status: number
  readonly issues: readonly Issue[]
  readonly links: readonly Link[]

  constructor(status: number, issues: readonly Issue[] = [], links: readonly Link[] = []) {
    super(`${status} ${issues.map((issue) => issue.issue).join(' ')}`)
    this.status = status
    this.issues = issues
    this.links = links
  }
}

export type Link = { href: string; rel: string; method?: string }

export function refuse(status: number, issue: string, more: Omit<Issue, 'issue'> = {}): Refusal {
  return new Refusal(status, [{ issue, ...more }])
}

export function notFound(id: string, field: string): Refusal {
  return refuse(404, 'INVALID_RESOURCE_ID', { field, value: id, location: 'path' })
}

type Heading = { name: string; message: string }

/** Name and message per status, read out of the description so that the words are the provider's own. */
const HEADINGS = new Map<number, Heading>(
  [400, 401, 403, 404, 409, 415, 422, 500, 503].map((status) => [status, headingOf(status)]),
)
// The descriptions have no schema for 429.
HEADINGS.set(429, { name: 'RATE_LIMIT_REACHED', message: 'Too many requests. Blocked due to rate limiting.' })

function headingOf(status: number): Heading {
  const properties = at(documents.checkout_orders_v2, ['components', 'schemas', `error_${status}`, 'properties'])
  return { name: firstOf(at(properties, ['name', 'enum'])), message: firstOf(at(properties, ['message', 'enum'])) }
}

/** Text per schema and issue: some issues are worded differently from call to call. */
const TEXTS_BY_SCHEMA = new Map<string, string>()

/** The status an issue comes with, for `PayPal-Mock-Response`. */
const STATUS_BY_ISSUE = new Map<string, number>()

/** Text per issue: of the document at hand first, then of any other. */
const TEXTS: Record<Document, Map<string, string>> = {
  checkout_orders_v2: textsOf('checkout_orders_v2'),
  payments_payment_v2: textsOf('payments_payment_v2'),
  // Its file lists no issues: the texts of orders serve.
  vault_payment_tokens_v3: new Map(),
  notifications_webhooks_v1: new Map(),
}

// The service answers so within the three days of the honour period; the file of February 2024 does not list it.
const TOO_SOON = 'REAUTHORIZATION_TOO_SOON'
TEXTS.payments_payment_v2.set(
  TOO_SOON,
  'A reauthorization is not allowed within the honor period of the authorization.',
)
STATUS_BY_ISSUE.set(TOO_SOON, 422)

function textsOf(document: Document): Map<string, string> {
  const texts = new Map<string, string>()
  const schemas = at(documents[document], ['components', 'schemas'])
  for (const [name, schema] of Object.entries(isRecord(schemas) ? schemas : {})) {
    const status = Number(/(?:^|-)(4\d\d)$/.exec(name)?.[1])
    const choices = at(schema, ['properties', 'details', 'items', 'anyOf'])
    if (!status || !Array.isArray(choices)) continue
    for (const choice of choices) {
      const issue = firstOf(at(choice, ['properties', 'issue', 'enum']))
      const text = firstOf(at(choice, ['properties', 'description', 'enum']))
      if (!texts.has(issue)) texts.set(issue, text)
      TEXTS_BY_SCHEMA.set(`${document} ${name} ${issue}`, text)
      // Where an issue is listed under two statuses the more frequent, 422, wins.
      if (STATUS_BY_ISSUE.get(issue) !== 422) STATUS_BY_ISSUE.set(issue, status)
    }
  }
  return texts
}

/** The status that goes with a mocked issue or error name; nothing when neither is known. */
export function statusOfMock(code: string): number | undefined {
  const byName = [...HEADINGS].find(([, heading]) => heading.name === code)?.[0]
  return byName ?? STATUS_BY_ISSUE.get(code)
}

/** Where an operation's error texts stand: the document, and the schema's prefix such as `orders.capture-`. */
export type ErrorSource = { document: Document; prefix: string }

/** The body of an error answer. */
export function errorBody(status: number, debugId: string, refusal: Refusal | undefined, source: ErrorSource): object {
  const heading = HEADINGS.get(status) ?? HEADINGS.get(500) ?? { name: 'INTERNAL_SERVER_ERROR', message: '' }
  const links = refusal?.links ?? []
  const information = {
    href: `https://developer.paypal.com/api/rest/responses/#${heading.name}`,
    rel: 'information_link',
    method: 'GET',
  }
  const body = { name: heading.name, message: heading.message, debug_id: debugId, links: [...links, information] }
  if (!refusal || refusal.issues.length === 0) return body
  return { ...body, details: refusal.issues.map((issue) => described(issue, status, source)) }
}

function described(issue: Issue, status: number, { document, prefix }: ErrorSource): Issue {
  if (issue.description !== undefined) return issue
  const text =
    TEXTS_BY_SCHEMA.get(`${document} ${prefix}${status} ${issue.issue}`) ??
    TEXTS_BY_SCHEMA.get(`${document} ${status} ${issue.issue}`) ??
    TEXTS[document].get(issue.issue) ??
    TEXTS.checkout_orders_v2.get(issue.issue) ??
    TEXTS.payments_payment_v2.get(issue.issue)
  return text === undefined ? issue : { ...issue, description: text }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, key) => (isRecord(here) ? here[key] : undefined), value)
}

function firstOf(value: unknown): string {
  return Array.isArray(value) ? String(value[0]) : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
