import type { z } from 'zod'
import type { VisitSession } from '#shop/customers/sessions/visit-session.ts'
import type { Visit } from '../../http/visit.ts'

/** Who may call, and how that is known. */
export type IdentityPolicy =
  /** Reads nothing and writes nothing of anybody. */
  | 'anyone'
  /** Reads and writes only the caller's own session, known by its cookie. */
  | 'own-session'
  /** Whoever may correct translations, known by the role of the session's customer; the call checks it. */
  | 'translator'
  /** Whoever may run the shop, known in the same way; the call checks it. */
  | 'shop-manager'
  /** A program by its key, or whoever may run the shop; the call checks it. */
  | 'consumer-key'
  /** An order's secret key, compared in constant time. */
  | 'order-key'
  /** The provider, known by its signature over the raw bytes. */
  | 'provider-signature'
  /** The provider, known by a secret in the address that was told to it alone, for one order. */
  | 'provider-token'

/** What a repeated request does. */
export type IdempotencyMode =
  /** Changes nothing. */
  | 'safe'
  /** A repeat finds the state that it wants and leaves it alone. */
  | 'natural'
  /** Each request counts, as a press on the button does: a repeat adds again. */
  | 'each-counts'
  /** One intention, one effect: the key is the intention printed into the page or derived from session and cart. */
  | 'intention'
  /** Unique by the sender's own event id. */
  | 'event-id'

/** Shed from the bottom when the shop is overloaded. */
export type LoadClass = 'statistics' | 'translation' | 'anonymous-page' | 'personal-page' | 'cart' | 'checkout'

export type CachePolicy = 'public' | 'private-no-store'

/** What protects a call that changes something from being sent by another site. Every non-GET passes the origin check as well. */
export type ForgeryPolicy =
  | { nonce: string; field: string }
  | { header: 'X-WP-Nonce' }
  /** The call compares the nonce of this action itself, because its failure has an answer of its own. */
  | { checkedByCall: string }
  | { none: 'safe method' | 'wire has no nonce' | 'provider-signature' }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type CallPolicy<Input extends z.ZodType> = {
  /** The name in the public contract: `add_to_cart`, `cart/order`. */
  name: string
  /** Of a REST route; the payment routes', unless told. `api` holds what is ours alone; `root` stands above all others. */
  namespace?: 'wc-ppcp/v1' | 'wc/v3' | 'wp/v2' | 'vitrine/v1' | 'api' | 'root'
  /** `admin-ajax`: by the name in `action`, where the platform's own calls are. */
  door: 'wc-ajax' | 'admin-ajax' | 'rest' | 'form'
  method: Method
  /** Methods that mean the same here. */
  alsoMethods?: readonly Method[]
  input: Input
  /** `own`: the call reads the body itself, for it is no form; its input is what the address says. */
  body?: 'own'
  /** What a successful answer carries. */
  output: 'json' | 'html' | 'text' | 'redirect' | 'empty'
  identity: IdentityPolicy
  idempotency: IdempotencyMode
  load: LoadClass
  cache: CachePolicy
  forgery: ForgeryPolicy
  answer: (visit: Visit, input: z.output<Input>) => Promise<Response>
  /**
   * The same by one write that has what is remembered as its condition. Null where that cannot be, or does not hold any more:
   * then nothing was done, the session is read, and all is decided by `answer`.
   */
  answerFromSessionCache?: (visit: Visit, input: z.output<Input>, session: VisitSession) => Promise<Response | null>
}

/** A call with its input type forgotten, as the routes keep it. */
export type Call = CallPolicy<z.ZodType>

/** The namespace as clients are told of it; '' for what stands above all. */
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
 * Declares one endpoint. The compiler refuses a call that leaves a policy out, and so does the start of the process.
 * @throws TypeError naming the missing policy
 */
export function defineCall<Input extends z.ZodType>(policy: CallPolicy<Input>): Call {
  for (const key of declared) {
    if (policy[key] === undefined) throw new TypeError(`the call ${policy.name} does not declare its ${key}`)
  }
  // The parsed input is produced by the very schema that `answer` was typed with.
  return policy as unknown as Call
}
