import type { z } from 'zod'
import type { Visit } from '../../http/visit.ts'

/** The required identity of the caller. */
export type IdentityPolicy =
  /** Reads and writes no personal data. */
  | 'anyone'
  /** Reads and writes only the caller's own session, identified by its cookie. */
  | 'own-session'
  /** A translator, by the role of the session's customer; the call checks it. */
  | 'translator'
  /** A shop manager, by the same role; the call checks it. */
  | 'shop-manager'
  /** A program with an API key, or a shop manager; the call checks it. */
  | 'consumer-key'
  /** An order's secret key, compared in constant time. */
  | 'order-key'
  /** The provider, by its signature over the raw bytes. */
  | 'provider-signature'
  /** The provider, by a secret in the URL that only it received, for one order. */
  | 'provider-token'

/** The effect of a repeated request. */
export type IdempotencyMode =
  /** Changes nothing. */
  | 'safe'
  /** A repeat finds the wanted state and leaves it unchanged. */
  | 'natural'
  /** Each request counts, like a press on the button: a repeat adds again. */
  | 'each-counts'
  /** One intention, one effect: the key is printed into the page, or derived from session and cart. */
  | 'intention'
  /** Unique by the sender's own event id. */
  | 'event-id'

/** Priorities, lowest first, for load shedding. */
export type LoadClass = 'statistics' | 'translation' | 'anonymous-page' | 'personal-page' | 'cart' | 'checkout'

export type CachePolicy = 'public' | 'private-no-store'

/** Protection of a state-changing call against CSRF. Every non-GET request passes the origin check as well. */
export type ForgeryPolicy =
  | { nonce: string; field: string }
  | { header: 'X-WP-Nonce' }
  /** The call compares the nonce of this action itself, because a mismatch has an answer of its own. */
  | { checkedByCall: string }
  | { none: 'safe method' | 'wire has no nonce' | 'provider-signature' }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type CallPolicy<Input extends z.ZodType> = {
  /** The name in the public contract: `add_to_cart`, `cart/order`. */
  name: string
  /**
   * Namespace of a REST route; by default that of the payment routes. `api` is the shop's own; `root` has no namespace.
   */
  namespace?: 'wc-ppcp/v1' | 'wc/v3' | 'wc/store/v1' | 'wc/store' | 'wp/v2' | 'vitrine/v1' | 'api' | 'root'
  /** `admin-ajax`: the platform's own endpoint, with the name in `action`. */
  door: 'wc-ajax' | 'admin-ajax' | 'rest' | 'form'
  method: Method
  /** Further methods with the same effect. */
  alsoMethods?: readonly Method[]
  input: Input
  /** `own`: the call reads the body itself, because it is not a form; its input is the URL's. */
  body?: 'own'
  /** Content of a successful answer. */
  output: 'json' | 'html' | 'text' | 'redirect' | 'empty'
  identity: IdentityPolicy
  idempotency: IdempotencyMode
  load: LoadClass
  cache: CachePolicy
  forgery: ForgeryPolicy
  /** `listed`: pages of the merchant's listed origins may call it, and programs with a Cart-Token. */
  origins?: 'listed'
  /** For the description of the API. A REST call without it is not described. */
  description?: CallDescription
  answer: (visit: Visit, input: z.output<Input>) => Promise<Response>
}

/** The schemas of a REST call, for the OpenAPI document. */
export type CallDescription = {
  /** One line, without a period at its end: `List products`. */
  summary: string
  /** Groups the calls of one resource: `products`. */
  tag: string
  /** Parameters of the address, other than those of its path. */
  query?: z.ZodType
  body?: z.ZodType
  /** The body of a successful answer. */
  response: z.ZodType
  /** The status of a successful answer; 200 by default. */
  status?: 200 | 201 | 202 | 207
  /** Members of the path that are texts; others are ids. */
  textPath?: readonly string[]
  /** Media types of the body; JSON by default. */
  bodyTypes?: readonly string[]
  /** Another body of a rejected request than the common error. */
  failure?: z.ZodType
}

/** A call without its input type, as stored in the routes. */
export type Call = CallPolicy<z.ZodType>

/** Returns the namespace for clients; '' for a route without one. */
export const namespaceOf = ({ namespace = 'wc-ppcp/v1' }: Pick<Call, 'namespace'>): string =>
  namespace === 'root' ? '' : namespace

const declared = [
  'name',
  'door',
  'method',
  'input',
  'output',
  'identity',
  'idempotency',
  'load',
  'cache',
  'forgery',
] as const

/**
 * Declares one endpoint. A missing policy fails to compile, and fails at start-up.
 * @throws TypeError naming the missing policy
 */
export function defineCall<Input extends z.ZodType>(policy: CallPolicy<Input>): Call {
  for (const key of declared) {
    if (policy[key] === undefined) throw new TypeError(`call ${policy.name} does not declare its ${key}`)
  }
  // The parsed input comes from the schema that types `answer`.
  return policy as unknown as Call
}
