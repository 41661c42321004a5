import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { StoreClient } from '#tests/support/rest/store-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const app = 'https://app.example'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { storeApi: { origins: [app] } } })
})
afterAll(() => shop.close())

const at = (path: string, init: RequestInit = {}) => fetch(`${shop.url}/wp-json/wc/store/v1/${path}`, init)

describe('origins of the Store API', () => {
  it('answers the preflight of a listed origin with methods, headers and credentials', async () => {
    const asked = { origin: app, 'access-control-request-method': 'POST', 'access-control-request-headers': 'nonce' }
    const { status, headers } = await at('cart/items', { method: 'OPTIONS', headers: asked })
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(app)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(headers.get('access-control-allow-methods')).toContain(method)
    for (const name of ['Nonce', 'Cart-Token', 'Content-Type'])
      expect(headers.get('access-control-allow-headers')).toContain(name)
    expect(headers.get('vary')).toContain('Origin')
  })

  it('lets pages of a listed origin read answers and their headers, also of failures', async () => {
    for (const path of ['cart', 'products', 'cart/coupons/none']) {
      const { headers } = await at(path, { headers: { origin: app } })
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, app])
      for (const name of ['Nonce', 'Cart-Token', 'Cart-Hash', 'X-WP-Total', 'RateLimit-Remaining'])
        expect(headers.get('access-control-expose-headers')).toContain(name)
    }
  })

  it('T12 gives an unlisted origin no headers, and takes no write of it by cookie', async () => {
    const origin = 'https://evil.example'
    const preflight = await at('cart/add-item', { method: 'OPTIONS', headers: { origin } })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    const read = await at('cart', { headers: { origin } })
    expect(read.headers.get('access-control-allow-origin')).toBeNull()
    const client = await new StoreClient(shop, 'cookie').begin()
    client.more.origin = origin
    const { status, code } = await client.fail('POST', 'cart/add-item', { id: await shop.idOf('MUG') })
    expect([status, code]).toEqual([403, 'foreign_origin'])
  })

  it('takes writes of a listed origin with a nonce, and of a token from anywhere', async () => {
    const page = await new StoreClient(shop, 'cookie').begin()
    page.more.origin = app
    expect((await page.post('cart/add-item', { id: await shop.idOf('MUG') })).status).toBe(201)
    const program = await new StoreClient(shop).begin()
    program.more.origin = 'https://anywhere.example'
    expect((await program.post('cart/add-item', { id: await shop.idOf('MUG') })).status).toBe(201)
  })

  it('opens no other interface to a listed origin', async () => {
    const response = await fetch(`${shop.url}/?wc-ajax=add_to_cart`, { method: 'POST', headers: { origin: app } })
    expect(response.status).toBe(403)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    const rest = await fetch(`${shop.url}/wp-json/wc/v3/orders`, { headers: { origin: app } })
    expect(rest.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the rate limit of the Store API', () => {
  it('is off by default, and counts requests by network or customer once it is on', async () => {
    expect((await at('products')).headers.get('ratelimit-limit')).toBeNull()
    await writeSettings(shop.db, { storeApi: { origins: [app], rateLimit: { enabled: true } } })
    await reconfigured(shop)
    const remaining: number[] = []
    let last = await at('cart')
    for (let nr = 0; nr < 40 && last.status === 200; nr += 1) {
      expect(last.headers.get('ratelimit-limit')).toBe('25')
      remaining.push(Number(last.headers.get('ratelimit-remaining')))
      last = await at(nr % 2 ? 'cart' : 'products')
    }
    expect(remaining.length).toBeGreaterThanOrEqual(25)
    expect(remaining[0]).toBe(24)
    expect(Math.min(...remaining)).toBe(0)
    expect(last.status).toBe(429)
    expect(await last.json()).toMatchObject({ code: 'rate_limit_exceeded', data: { status: 429 } })
    expect(last.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(last.headers.get('ratelimit-retry-after'))).toBeGreaterThan(0)
    expect(Number(last.headers.get('ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1)
    await writeSettings(shop.db, { storeApi: { origins: [app] } })
    await reconfigured(shop)
    expect((await at('cart')).status).toBe(200)
  })
})

describe('wc/store/v1/batch', () => {
  type Answers = { responses: { status: number; body: StoreCartRecord & { code?: string }; headers: object }[] }
  const add = (id: number, more: object = {}) => ({
    method: 'POST',
    path: '/wc/store/v1/cart/add-item',
    body: { id },
    ...more,
  })

  it('runs its requests in sequence on one cart; a failed one does not stop the others', async () => {
    const client = await new StoreClient(shop, 'cookie').begin()
    const [mug, bowl] = [await shop.idOf('MUG'), await shop.idOf('BOWL')]
    const { status, body, headers } = await client.post<Answers>('batch', {
      requests: [
        add(mug, { headers: { Nonce: client.nonce } }),
        add(999_999),
        add(bowl, { path: '/wc/store/cart/add-item?quantity=2' }),
        { method: 'POST', path: '/wc/store/v1/checkout', body: {} },
        { method: 'DELETE', path: '/wc/store/v1/cart/items/unknown' },
      ],
    })
    expect(status).toBe(207)
    expect(body.responses.map((one) => [one.status, one.body.code ?? one.body.items_count])).toEqual([
      [201, 1],
      [404, 'woocommerce_rest_cart_invalid_product'],
      [201, 3],
      [404, 'rest_no_route'],
      [409, 'woocommerce_rest_cart_invalid_key'],
    ])
    expect(headers.get('nonce')).toBeTruthy()
    expect((await client.cart()).items_count).toBe(3)
  })

  it('takes 25 requests and no more, all with a valid nonce before the first runs', async () => {
    const client = await new StoreClient(shop, 'cookie').begin()
    const mug = await shop.idOf('MUG')
    const many = (count: number) => ({ requests: Array.from({ length: count }, () => add(mug)) })
    const tooMany = await client.fail('POST', 'batch', many(26))
    expect([tooMany.status, tooMany.code]).toEqual([400, 'rest_invalid_param'])
    expect((await client.fail('POST', 'batch', {})).code).toBe('rest_missing_callback_param')
    const forged = await client.fail('POST', 'batch', {
      requests: [add(mug), add(mug, { headers: { nonce: '0123456789' } })],
    })
    expect([forged.status, forged.code]).toEqual([403, 'woocommerce_rest_invalid_nonce'])
    expect((await client.cart()).items_count).toBe(0)
    expect((await client.post<Answers>('batch', many(25))).body.responses).toHaveLength(25)
    expect((await client.cart()).items_count).toBe(25)
    const strict = { validation: 'require-all-validate', requests: [add(mug), { method: 'POST', path: '/nowhere' }] }
    expect((await client.fail('POST', 'batch', strict)).code).toBe('rest_no_route')
    expect((await client.cart()).items_count).toBe(25)
  })
})
