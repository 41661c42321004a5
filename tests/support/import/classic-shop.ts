import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Network } from '#contract/shared/environment.ts'

const folder = join(import.meta.dirname, '../../fixtures/classic-shop')
// The fixtures are lists of plain records.
const fixture = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

export type Records = Record<string, unknown>[]
export type Lists = Record<string, Records>

/** The lists of the recorded shop by path below `wc/v3/`. */
export function recordedLists(): Lists {
  const { zones, locations, methods } = fixture('shipping')
  const { classes, rates } = fixture('taxes')
  const below = (kind: string, lists: Lists) =>
    Object.entries(lists).map(([id, list]) => [`shipping/zones/${id}/${kind}`, list] as const)
  return {
    ...Object.fromEntries(
      Object.entries<Records>(fixture('settings')).map(([group, list]) => [`settings/${group}`, list]),
    ),
    'taxes/classes': classes,
    taxes: rates,
    ...fixture('terms'),
    products: fixture('products'),
    ...Object.fromEntries(
      Object.entries<Records>(fixture('variations')).map(([id, list]) => [`products/${id}/variations`, list]),
    ),
    'shipping/zones': zones,
    ...Object.fromEntries([...below('locations', locations), ...below('methods', methods)]),
    coupons: fixture('coupons'),
    customers: fixture('customers'),
    orders: fixture('orders'),
    'products/reviews': fixture('reviews'),
    payment_gateways: fixture('payment_gateways'),
  }
}

export const consumerKey = `ck_${'a1'.repeat(20)}`
export const consumerSecret = `cs_${'b2'.repeat(20)}`

/** Lists without pages in the classic shop. */
const whole = /^(?:settings\/|taxes\/classes|products\/attributes$|shipping\/|payment_gateways)/
const host = 'old.example'

export type ClassicShop = {
  readonly port: number
  readonly lists: Lists
  /** Requests by method and path, in their order. */
  readonly requests: {
    readonly method: string
    readonly path: string
    readonly query: URLSearchParams
    readonly status: number
  }[]
  /** Answers that replace the next ones of a path: a status, and headers. */
  readonly troubles: {
    readonly path: string
    readonly status: number
    readonly headers?: Record<string, string>
    readonly body?: string
  }[]
  /** The largest page; the classic shop's is 100. */
  pageSize: number
  /** Called before each answer of the interface. */
  onRequest: (path: string) => void
  /** Reaches the server under `https://old.example`, as if by TLS; every other host is unreachable. */
  readonly network: Network
  close(): Promise<void>
}

/** Starts a recorded classic shop. It answers signed requests on http, and keys on its host behind TLS. */
export async function aClassicShop(): Promise<ClassicShop> {
  const lists = recordedLists()
  const nonces = new Set<string>()
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server on TCP has an address of this form.
  const { port } = server.address() as AddressInfo

  const shop: ClassicShop = {
    port,
    lists,
    requests: [],
    troubles: [],
    pageSize: 100,
    onRequest: () => {},
    network: {
      async fetch(address, init = {}) {
        const url = new URL(address)
        if (url.protocol !== 'https:' || url.hostname !== host) throw new TypeError(`fetch failed: ${url.host}`)
        const headers = new Headers(init.headers)
        headers.set('x-forwarded-proto', 'https')
        const { reach: _, ...rest } = init
        return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...rest, headers })
      },
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
  return shop

  function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
    const path = url.pathname.replace(/^\/wp-json\/wc\/v3\//, '')
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      shop.requests.push({ method: request.method ?? '', path, query: url.searchParams, status })
      const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers }).end(bytes)
    }
    if (request.method !== 'GET') return send(405, { code: 'rest_no_route', message: 'no', data: { status: 405 } })
    if (url.pathname.startsWith('/wp-content/uploads/')) {
      if (url.pathname.endsWith('missing.png')) return send(404, 'gone', { 'content-type': 'text/html' })
      if (url.pathname.endsWith('.txt')) return send(200, 'Ash and clay.', { 'content-type': 'text/plain' })
      // Another picture under each name.
      return send(200, Buffer.concat([picture, Buffer.from(url.pathname)]), { 'content-type': 'image/png' })
    }
    if (url.pathname === '/wp-json/') return send(200, fixture('index'))
    shop.onRequest(path)
    const trouble = shop.troubles.findIndex((one) => one.path === path)
    const [{ status = 0, headers = {}, body = 'trouble' } = {}] = trouble < 0 ? [] : shop.troubles.splice(trouble, 1)
    if (status > 0) return send(status, body, headers)
    const refusal = refusalOf(request, url)
    if (refusal)
      return send(401, { code: 'woocommerce_rest_authentication_error', message: refusal, data: { status: 401 } })
    const list = lists[path]
    if (!list) return send(404, { code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } })
    if (whole.test(path) || !Array.isArray(list)) return send(200, list)
    const size = Math.min(Number(url.searchParams.get('per_page') ?? 10), shop.pageSize)
    const page = Number(url.searchParams.get('page') ?? 1)
    const after = url.searchParams.get('after')
    const chosen = list.filter((record) => {
      const at = record?.date_created_gmt
      return after === null || typeof at !== 'string' || at > after
    })
    const sorted =
      url.searchParams.get('order') === 'asc' ? chosen.toSorted((a, b) => Number(a?.id) - Number(b?.id)) : chosen
    send(200, sorted.slice((page - 1) * size, page * size), {
      'x-wp-total': String(sorted.length),
      'x-wp-totalpages': String(Math.ceil(sorted.length / size)),
    })
  }

  /** Checks the key, or the signature by RFC 5849, written apart from the shop's own code. */
  function refusalOf(request: IncomingMessage, url: URL): string | null {
    if (request.headers['x-forwarded-proto'] === 'https') {
      const pair = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
      const { searchParams: query } = url
      const inQuery = query.get('consumer_key') === consumerKey && query.get('consumer_secret') === consumerSecret
      return request.headers.authorization === `Basic ${pair}` || inQuery ? null : 'Consumer key is invalid.'
    }
    const query = [...url.searchParams].filter(([name]) => name !== 'oauth_signature')
    const given = new Map(query)
    const age = Math.abs(Date.now() / 1000 - Number(given.get('oauth_timestamp')))
    const nonce = given.get('oauth_nonce') ?? ''
    if (given.get('oauth_consumer_key') !== consumerKey || !(age < 900) || nonce === '' || nonces.has(nonce))
      return 'invalid'
    nonces.add(nonce)
    const encoded = (text: string) =>
      encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    const pairs = query
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&')
    const base = `GET&${encoded(`http://${request.headers.host}${url.pathname}`)}&${encoded(pairs)}`
    const wanted = createHmac('sha256', `${consumerSecret}&`).update(base).digest('base64')
    return url.searchParams.get('oauth_signature') === wanted ? null : 'Invalid signature.'
  }
}
