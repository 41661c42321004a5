import { z } from 'zod'
import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import { storeHeaders } from '#contract/cart/store-headers.ts'
import { calls } from '#server/calls/shared/call-routes.ts'
import type { TestShop } from '#tests/support/shop.ts'

export type StoreResponse<Body> = {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** Code of a failed request, else ''. */
  readonly code: string
}

type Mode = 'cookie' | 'token'
type Failed = { code: string; message: string; data: Record<string, unknown> & { cart?: StoreCartRecord } }

export const storeAddress = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: '',
  address_1: '1 Main Street',
  address_2: '',
  city: 'San Jose',
  state: 'CA',
  postcode: '95131',
  country: 'US',
  phone: '4085550100',
}

/** A client of the Store API: with cookies and nonces like a page of the shop, or with a Cart-Token and no cookies. */
export class StoreClient {
  readonly #shop: Pick<TestShop, 'url'>
  readonly #mode: Mode
  readonly #base: string
  readonly cookies = new Map<string, string>()
  nonce = ''
  token = ''
  /** Further headers of each request. */
  readonly more: Record<string, string> = {}

  constructor(shop: Pick<TestShop, 'url'>, mode: Mode = 'token', base = '/wp-json/wc/store/v1') {
    this.#shop = shop
    this.#mode = mode
    this.#base = base
  }

  async send<Body>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<StoreResponse<Body>> {
    const byMode: Record<string, string> =
      this.#mode === 'cookie'
        ? {
            cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            ...(this.nonce ? { [storeHeaders.nonce]: this.nonce } : {}),
          }
        : this.token
          ? { [storeHeaders.cartToken]: this.token }
          : {}
    const response = await fetch(`${this.#shop.url}${this.#base}/${path}`, {
      method,
      headers: { ...byMode, ...(body ? { 'content-type': 'application/json' } : {}), ...this.more, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    this.nonce = response.headers.get(storeHeaders.nonce) ?? this.nonce
    this.token = response.headers.get(storeHeaders.cartToken) ?? this.token
    const read = (await response.json()) as Body & Partial<Failed>
    if (response.ok) fitsDescription(method, path, response.status, read)
    return { status: response.status, headers: response.headers, body: read, code: read.code ?? '' }
  }

  get = <Body>(path: string, headers: Record<string, string> = {}) => this.send<Body>('GET', path, undefined, headers)
  post = <Body>(path: string, body: object = {}, headers: Record<string, string> = {}) =>
    this.send<Body>('POST', path, body, headers)

  cart = async (): Promise<StoreCartRecord> => (await this.get<StoreCartRecord>('cart')).body

  /** A client without a nonce or token has neither before its first answer. */
  async begin(): Promise<this> {
    await this.get('cart')
    return this
  }

  async fail(method: string, path: string, body?: object): Promise<StoreResponse<Failed>> {
    return this.send<Failed>(method, path, body)
  }
}

const described = calls.filter(({ namespace }) => namespace === 'wc/store/v1')

/** Validates an answer against the declared schema, in which no member is unknown. */
function fitsDescription(method: string, path: string, status: number, body: unknown): void {
  const parts = path.split('?')[0]?.split('/') ?? []
  const call = described.find(({ name, method: one, alsoMethods = [] }) => {
    const own = name.split('/')
    if (own.length !== parts.length || ![one, ...alsoMethods].some((known) => known === method)) return false
    return own.every((part, at) => part.startsWith(':') || part === parts[at])
  })
  if (!call?.description) throw new Error(`${method} ${path} is not described`)
  const read = strict(call.description.response).safeParse(body)
  if (!read.success) throw new Error(`${method} ${path}: ${read.error.message}`)
  if ((call.description.status ?? 200) !== status) throw new Error(`${method} ${path} answered ${status}`)
}

/** Objects of a schema take no other members, as the OpenAPI document says. */
function strict(schema: z.ZodType): z.ZodType {
  return z.fromJSONSchema(z.toJSONSchema(schema, { io: 'output' }) as Parameters<typeof z.fromJSONSchema>[0])
}
