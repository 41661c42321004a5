import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp } from '#server/http/app.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let app: App
let key: ApiKeyPair
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  app = createApp({ ...shop.shop.application, secure: true })
  key = await makeApiKey(shop.shop.application.tools, { description: 'Bookkeeping', who: 'tester' })
})
afterAll(() => shop.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

const list = '/wp-json/wc/v3/orders'
const ask = (path: string, headers: Record<string, string> = {}) =>
  app(new Request(shop.url + path, { headers }), { ip: '203.0.113.5' })
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text, 'latin1').toString('base64')}` })

describe('the door for programs', () => {
  it('T17 answers whatever stands in a header or a query, and lets nobody in by it', async () => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'x'.repeat(8192),
        '%00',
        '%E0%A4%A',
        '\u00ff\u00fe',
        `${'ck_'}${'0'.repeat(40)}`,
        "' or 1=1 --",
        '__proto__',
        '9'.repeat(400),
        '-1',
      ),
    )
    const names = fc.constantFrom(
      'consumer_key',
      'consumer_secret',
      'oauth_consumer_key',
      'oauth_nonce',
      'oauth_signature',
      'oauth_signature_method',
      'oauth_timestamp',
      '_wpnonce',
      'oauth_signature[]',
    )
    const header = fc.oneof(
      strange.map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
      strange.map((text) => `Basic ${Buffer.from(`${key.consumerKey}:${text}`).toString('base64')}`),
      strange.map(
        (text) => `OAuth oauth_consumer_key="${encodeURIComponent(text.toWellFormed())}", ${'a="b",'.repeat(50)}`,
      ),
      fc.constantFrom('Basic', 'Basic ====', 'OAuth', 'OAuth ,,,"', 'Bearer x', 'basic :', `Basic ${'A'.repeat(8000)}`),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.option(header, { nil: undefined }),
        fc.array(fc.tuple(names, strange), { maxLength: 6 }),
        async (authorization, query) => {
          await shop.db.sql`delete from rate_limits`
          const asked = new URLSearchParams(
            query.map(([name, value]) => [name, value.toWellFormed().replaceAll('\0', '')]),
          )
          const response = await ask(`${list}?${asked}`, authorization === undefined ? {} : { authorization })
          expect([400, 401, 403, 414]).toContain(response.status)
          expect(await response.text()).not.toContain(key.consumerSecret)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('takes a secret that is longer, shorter or otherwise written for none', async () => {
    const { consumerKey, consumerSecret } = key
    expect((await ask(list, basic(`${consumerKey}:${consumerSecret}`))).status).toBe(200)
    for (const text of [
      `${consumerKey}:${consumerSecret} `,
      `${consumerKey}:${consumerSecret.toUpperCase()}`,
      `${consumerKey}:${consumerSecret.slice(0, -1)}`,
      `${consumerKey}:${consumerSecret}:`,
      `${consumerKey.toUpperCase()}:${consumerSecret}`,
      `${consumerKey}:`,
      consumerKey,
    ]) {
      const response = await ask(list, basic(text))
      expect([text, response.status]).toEqual([text, 401])
    }
  })

  it('no address outside the interface opens by a key, and nothing is changed by one that reads', async () => {
    const authorization = basic(`${key.consumerKey}:${key.consumerSecret}`)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const request = new Request(shop.url + list, { method, headers: authorization })
      expect([method, (await app(request, { ip: '203.0.113.5' })).status]).toEqual([
        method,
        method === 'POST' ? 401 : 405,
      ])
    }
    expect((await ask('/wp-json/wc/v3/customers', authorization)).status).toBe(200)
    expect((await ask('/wp-json/wp/v2/media', authorization)).status).toBeGreaterThanOrEqual(401)
    const account = await ask('/my-account/orders/', authorization)
    expect(await account.text()).toContain('woocommerce-form-login')
  })

  it('waits for a program that asks too often, and answers others meanwhile', async () => {
    const { tools } = shop.shop.application
    const other = await makeApiKey(tools, { description: 'Another', who: 'tester' })
    const headersOf = ({ consumerKey, consumerSecret }: ApiKeyPair) => basic(`${consumerKey}:${consumerSecret}`)
    // As if it had asked 300 times a moment ago.
    const [before] = await shop.db.sql`select count(*)::int as n from rate_limits`
    expect((await ask(`${list}?_fields=id`, headersOf(key))).status).toBe(200)
    const [after] = await shop.db.sql`select count(*)::int as n from rate_limits`
    expect([before?.n, after?.n]).toEqual([0, 1])
    await shop.db.sql`update rate_limits set used_until = ${new Date(tools.clock.now().getTime() + 60_000)}`
    const response = await ask(`${list}?_fields=id`, headersOf(key))
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(((await response.json()) as { code: string }).code).toBe('woocommerce_rest_too_many_requests')
    expect((await ask(`${list}?_fields=id`, headersOf(other))).status).toBe(200)
  })
})
