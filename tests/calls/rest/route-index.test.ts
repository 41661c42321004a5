import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

type Route = {
  namespace: string
  methods: string[]
  endpoints: { methods: string[]; args: object }[]
  _links?: { self: { href: string }[] }
}
type Index = { name: string; namespaces: string[]; routes: Record<string, Route> }

let shop: TestShop
let key: ApiKeyPair
beforeAll(async () => {
  shop = await aShop({
    settings: { tagline: 'Clay and linen', timeZone: 'Asia/Kolkata', languages: [{ tag: 'de-DE' }] },
  })
  key = await makeApiKey(shop.shop.application.tools, { description: 'An ERP', who: 'tester' })
})
afterAll(() => shop.close())

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, shop.url), { redirect: 'manual', ...init })
const read = async <Answer = Index>(path: string) => (await (await ask(path)).json()) as Answer

describe('the index of the REST interface', () => {
  it('leads a program that knows the shop’s address alone to the orders', async () => {
    const home = await ask('/', { method: 'HEAD' })
    const [, root = ''] = /<([^>]+)>; rel="https:\/\/api\.w\.org\/"/.exec(home.headers.get('link') ?? '') ?? []
    expect(root).toBe(`${shop.url}/wp-json/`)
    // Also from a page that is kept, and where it is made for one visitor.
    for (const headers of [{}, { cookie: 'vitrine_notices=1' }]) {
      for (const method of ['GET', 'GET', 'HEAD']) {
        const again = await ask('/', { method, headers })
        await again.arrayBuffer()
        expect(again.headers.get('link')).toBe(home.headers.get('link'))
      }
    }
    const { namespaces, routes } = await read(root)
    expect(namespaces).toContain('wc/v3')
    const orders = routes['/wc/v3/orders']
    expect(orders).toMatchObject({ namespace: 'wc/v3', methods: ['GET', 'POST'] })
    expect(orders).toMatchObject({
      endpoints: [
        { methods: ['GET'], args: {} },
        { methods: ['POST'], args: {} },
      ],
    })
    const { consumerKey: name, consumerSecret: word } = key
    const headers = { authorization: `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}` }
    expect((await ask(orders?._links?.self[0]?.href ?? '', { headers })).status).toBe(200)
    // A pattern holds for the addresses that it is of.
    const one = Object.keys(routes).find((pattern) => /^\/wc\/v3\/orders\/\([^/]+$/.test(pattern))
    expect('/wc/v3/orders/17').toMatch(new RegExp(`^${one?.replace('?P<', '?<')}$`))
  })

  it('says what shop it is, and is the same wherever it is asked and kept for a while', async () => {
    const index = await read('/wp-json/')
    expect(index).toMatchObject({
      name: 'Test shop',
      description: 'Clay and linen',
      url: shop.url,
      home: shop.url,
      gmt_offset: 5.5,
      timezone_string: 'Asia/Kolkata',
      authentication: {},
    })
    for (const path of ['/wp-json', '/?rest_route=/', '/index.php?rest_route=/', '/de/wp-json/'])
      expect(await read(path), path).toEqual(index)
    const { headers } = await ask('/wp-json/')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('set-cookie')).toBeNull()
    expect(await read('/wp-json/?_fields=name,namespaces')).toEqual({ name: 'Test shop', namespaces: index.namespaces })
  })

  it('tells of one namespace by itself, and of none that there is not', async () => {
    const { namespace, routes, _links } = await read<{ namespace: string; routes: object; _links: object }>(
      '/wp-json/wc/v3/',
    )
    const known = ['', '/orders', '/orders/(?P<id>[\\d]+)', '/orders/(?P<order_id>[\\d]+)/refunds', '/webhooks']
    expect([namespace, Object.keys(routes)]).toEqual([
      'wc/v3',
      expect.arrayContaining(known.map((route) => `/wc/v3${route}`)),
    ])
    for (const route of Object.keys(routes)) expect(route).toMatch(/^\/wc\/v3(?:\/|$)/)
    expect(_links).toEqual({ up: [{ href: `${shop.url}/wp-json/` }] })
    for (const path of ['/wp-json/wc/v9', '/wp-json/root/v1', '/wp-json/wc', '/?rest_route=/wc/stores']) {
      const answer = await ask(path)
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'rest_no_route' }),
      ])
    }
    const options = await ask('/wp-json/', { method: 'OPTIONS' })
    expect([options.headers.get('allow'), await options.json()]).toEqual(['GET', { namespace: '', methods: ['GET'] }])
  })

  it('has no route twice, and tells strangers nothing of the provider’s, of staff, or of what runs the shop', async () => {
    const { routes } = await read('/wp-json/')
    for (const [pattern, { methods }] of Object.entries(routes))
      expect([pattern, methods.length]).toEqual([pattern, new Set(methods).size])
    expect(routes['/wp/v2/media']?.methods).toEqual(['GET', 'POST'])
    const text = JSON.stringify(routes) + (await (await ask('/wp-json/')).text())
    for (const secret of [
      'wc-ppcp/v1/webhook',
      'shipping-callback',
      'owner@',
      '/api/',
      key.consumerKey.slice(-7),
      'version',
    ])
      expect(text).not.toContain(secret)
  })
})
