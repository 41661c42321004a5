import { z } from 'zod'
import { storeHeaders, storeNonceAction } from '#contract/cart/store-headers.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { type Call, defineCall, type LoadClass, type Method } from '../../../calls/shared/define-call.ts'
import { noRoute, refuse } from '../../../calls/shared/refuse-call.ts'
import { BadBody } from '../../../http/request/body-limits.ts'
import type { Visit } from '../../../http/visit.ts'
import { StoreCart } from '../cart/current-store-cart.ts'
import { cartTokenFor } from './cart-token.ts'
import { parameterError, StoreError } from './store-error.ts'
import { countRequest } from './store-rate-limit.ts'

/** One request of the Store API, or one part of a batch. */
export type StoreContext = {
  readonly visit: Visit
  readonly tools: Tools
  /** Values of the path: `{ key: '…' }`. */
  readonly path: Readonly<Record<string, string>>
  /** The visitor's cart, shared by the parts of a batch. */
  readonly cart: StoreCart
}

export type StoreAnswer = {
  readonly body: unknown
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

type StoreSpec<Input extends z.ZodType> = {
  /** Below `wc/store/v1`: `cart/items/:key`. */
  name: string
  /** Patterns of the path's members; by default digits. */
  members?: Readonly<Record<string, RegExp>>
  method: Method
  alsoMethods?: readonly Method[]
  summary: string
  /** Group of the description: `cart`. */
  tag: string
  /** `cart`: reads or changes the visitor's own things, so that answers carry nonce and token. */
  about: 'cart' | 'catalogue'
  /** By default the visitor's own session. */
  identity?: 'order-key'
  /** By default that of the cart, or of listings. */
  load?: LoadClass
  input: Input
  /** Schema of a successful body. */
  output: z.ZodType
  status?: 200 | 201 | 207
  answer(context: StoreContext, input: z.output<Input>): Promise<StoreAnswer>
}

/** A route as a batch runs it. */
export type StoreRoute = Pick<StoreSpec<z.ZodType>, 'name' | 'about' | 'members'> & {
  readonly methods: readonly Method[]
  run(context: StoreContext, given: Readonly<Record<string, unknown>>): Promise<StoreAnswer>
}

const routes = new WeakMap<Call, StoreRoute>()

function register(route: StoreRoute, call: Call): Call {
  routes.set(call, route)
  return call
}

/** Returns the route of a call that `storeCall` has declared. */
export const routeOf = (call: Call): StoreRoute | undefined => routes.get(call)

/**
 * Declares a call of the Store API. Writes need the header `Nonce`, unless a Cart-Token names the session. Errors of
 * type `StoreError` become answers.
 */
export function storeCall<Input extends z.ZodType>(spec: StoreSpec<Input>): Call {
  const { name, method, alsoMethods = [], about, input, output, status, summary, tag } = spec
  const isRead = method === 'GET'
  const isOfCart = about === 'cart'
  const route: StoreRoute = {
    name,
    about,
    methods: [method, ...alsoMethods],
    ...(spec.members ? { members: spec.members } : {}),
    async run(context, given) {
      const read = input.safeParse({ ...given, ...context.path })
      if (!read.success) throw parameterError(read.error, given)
      return spec.answer(context, read.data)
    },
  }
  return register(
    route,
    defineCall({
      name,
      namespace: 'wc/store/v1',
      door: 'rest',
      method,
      ...(alsoMethods.length > 0 ? { alsoMethods } : {}),
      input: z.record(z.string(), z.unknown()),
      body: 'own',
      output: 'json',
      identity: spec.identity ?? (isOfCart ? 'own-session' : 'anyone'),
      idempotency: isRead ? 'safe' : tag === 'checkout' ? 'intention' : method === 'POST' ? 'each-counts' : 'natural',
      load: spec.load ?? (isOfCart ? 'cart' : 'anonymous-page'),
      cache: 'private-no-store',
      forgery: isRead ? { none: 'safe method' } : { checkedByCall: storeNonceAction },
      origins: 'listed',
      description: {
        summary,
        tag,
        ...(isRead ? { query: input } : { body: input }),
        response: output,
        ...(status ? { status } : {}),
      },
      async answer(visit, given) {
        const path = pathOf(route, given)
        if (!path) return noRoute()
        const context = { visit, tools: visit.app.tools, path, cart: new StoreCart(visit) }
        return answerStore(context, route, isRead, async () => ({ ...given, ...(isRead ? {} : await visit.fields()) }))
      },
    }),
  )
}

/** Returns the values of a route's path; null where one does not fit. */
export function pathOf(
  { name, members = {} }: Pick<StoreRoute, 'name' | 'members'>,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> | null {
  const entries = [...name.matchAll(/:(\w+)/g)].map(([, member = '']) => [member, String(given[member])] as const)
  const fits = entries.every(([member, value]) => (members[member] ?? /^\d{1,15}$/).test(value))
  return fits ? Object.fromEntries(entries) : null
}

async function answerStore(
  context: StoreContext,
  route: StoreRoute,
  isRead: boolean,
  fields: () => Promise<Readonly<Record<string, unknown>>>,
): Promise<Response> {
  const { visit } = context
  let limited: Readonly<Record<string, string>> = {}
  let answer: StoreAnswer
  try {
    limited = await countRequest(visit)
    if (!isRead) await requireNonce(visit, visit.request.headers.get(storeHeaders.nonce))
    answer = await route.run(context, await fields())
  } catch (error) {
    answer = await errorAnswer(context, error)
  }
  const own = route.about === 'cart' ? await sessionHeaders(context, answer) : {}
  const { body, status = 200 } = answer
  return Response.json(body, { status, headers: { ...limited, ...own, ...answer.headers } })
}

/** Returns the answer for a failed operation. @throws other errors */
export async function errorAnswer({ cart }: StoreContext, error: unknown): Promise<StoreAnswer> {
  if (error instanceof BadBody) {
    const answer = refuse({ door: 'rest' }, error.status, 'rest_invalid_json', 'Invalid JSON body passed.')
    return { status: error.status, body: await answer.json() }
  }
  if (!(error instanceof StoreError)) throw error
  const { status, code, message, data, headers } = error
  const whole = status === 409 ? { cart: await cart.record() } : {}
  return { status, body: { code, message, data: { status, ...data, ...whole } }, headers }
}

/** @throws StoreError 401 without a nonce, 403 for another one */
export async function requireNonce(visit: Visit, nonce: string | null): Promise<void> {
  if (visit.isByToken) return
  if (nonce === null || nonce === '') {
    visit.refuse('nonce', storeNonceAction)
    throw new StoreError(401, 'woocommerce_rest_missing_nonce', 'Missing the Nonce header. This endpoint requires one.')
  }
  if (!(await visit.isNonce(nonce, storeNonceAction))) {
    throw new StoreError(403, 'woocommerce_rest_invalid_nonce', 'Nonce is invalid.')
  }
}

/** Returns the headers with which a client goes on: the session may be another one than before. */
async function sessionHeaders(
  { visit, cart }: StoreContext,
  { status = 200 }: StoreAnswer,
): Promise<Record<string, string>> {
  const hash = status === 401 || status === 403 || status === 429 ? '' : await cart.hash()
  const session = await visit.session()
  const { customerId, device } = session
  return {
    [storeHeaders.nonce]: visit.nonceIn(session, storeNonceAction),
    [storeHeaders.nonceTimestamp]: String(Math.floor(visit.now.getTime() / 1000)),
    [storeHeaders.userId]: customerId === null ? device : String(customerId),
    [storeHeaders.cartToken]: cartTokenFor(visit.app.secret, device, visit.now),
    [storeHeaders.cartHash]: hash,
  }
}
