import { Agent } from 'node:https'
import RestApi from '@woocommerce/woocommerce-rest-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import TsRestApi from 'woocommerce-rest-ts-api'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { aTlsProxy, type TlsProxy } from '#tests/support/http/tls-proxy.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

// Programs of the ecosystem, as merchants install them: signed requests (OAuth 1.0a) over http, Basic over https.

type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly data: unknown
}
type Body = Record<string, unknown>
type Client = {
  get(endpoint: string, params?: Body): Promise<Answer>
  post(endpoint: string, data: Body): Promise<Answer>
  put(endpoint: string, data: Body): Promise<Answer>
  remove(endpoint: string, params?: Body): Promise<Answer>
}
type Place = { readonly url: string; readonly key: ApiKeyPair; readonly queryStringAuth?: boolean }

const axiosConfig = { httpsAgent: new Agent({ rejectUnauthorized: false }) }

/** The class of a package, which is `default` of its module, and in Node's view of it may be the module itself. */
const classOf = <Class>(own: { readonly default: Class }): Class => own.default ?? (own as unknown as Class)

function official({ url, key, queryStringAuth = false }: Place): Client {
  const Client = classOf(RestApi)
  const client = new Client({ url, ...key, version: 'wc/v3', queryStringAuth, axiosConfig })
  return {
    get: (endpoint, params) => client.get(endpoint, params),
    post: (endpoint, data) => client.post(endpoint, data),
    put: (endpoint, data) => client.put(endpoint, data),
    remove: (endpoint, params) => client.delete(endpoint, params),
  }
}

function typed({ url, key, queryStringAuth = false }: Place): Client {
  const Client = classOf(TsRestApi)
  const client = new Client({ url, ...key, version: 'wc/v3', queryStringAuth, axiosConfig })
  // Its types list the endpoints and parameters of another version of the interface.
  const loose = client as unknown as {
    get(endpoint: string, params?: Body): Promise<Answer>
    post(endpoint: string, data: Body): Promise<Answer>
    put(endpoint: string, data: Body, params: Body): Promise<Answer>
    delete(endpoint: string, data: Body, params: Body): Promise<Answer>
  }
  const split = (endpoint: string) => {
    const at = endpoint.lastIndexOf('/')
    return [endpoint.slice(0, at), { id: Number(endpoint.slice(at + 1)) }] as const
  }
  return {
    get: (endpoint, params) => loose.get(endpoint, params),
    post: (endpoint, data) => loose.post(endpoint, data),
    put: (endpoint, data) => loose.put(...([split(endpoint)[0], data, split(endpoint)[1]] as const)),
    remove: (endpoint, params = {}) => loose.delete(split(endpoint)[0], params, split(endpoint)[1]),
  }
}

const clients = { '@woocommerce/woocommerce-rest-api': official, 'woocommerce-rest-ts-api': typed } as const

let plain: TestShop
let secure: TestShop
let proxy: TlsProxy
const places: Record<string, Place> = {}
const places404 = 99_999_999

beforeAll(async () => {
  proxy = await aTlsProxy()
  plain = await aShop()
  secure = await aShop({ publicBaseUrl: proxy.url, traces: { trustedProxies: 1 } })
  proxy.passTo(secure.url)
  for (const [shop, url] of [
    [plain, plain.url],
    [secure, proxy.url],
  ] as const) {
    const key = await makeApiKey(shop.shop.application.tools, {
      description: 'A client',
      permission: 'read_write',
      who: 'tester',
    })
    places[shop === plain ? 'signed over http' : 'Basic over https'] = { url, key }
  }
  const { url = '', key } = places['Basic over https'] ?? {}
  if (key) places['key in the address over https'] = { url, key, queryStringAuth: true }
  for (const name of ['ida', 'bob', 'eve']) await codOrder(plain, name)
})
afterAll(async () => {
  await plain?.close()
  await secure?.close()
  await proxy?.close()
})

async function codOrder(shop: TestShop, name: string): Promise<void> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', 1)
  await shopper.openCheckout()
  await shopper.post('/?wc-ajax=checkout', shopper.form('cod'))
}

const failureOf = async (answer: Promise<unknown>): Promise<{ status: number; code: string }> => {
  const error: unknown = await answer.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  )
  // The one throws the answer, the other an error of its own with the body.
  const { response, statusCode } = Object(error)
  if (statusCode !== undefined) return { status: statusCode, code: response?.code }
  if (response === undefined) throw error
  return { status: response.status, code: response.data.code }
}

const idsOf = ({ data }: Answer) => (data as { id: number }[]).map(({ id }) => id)

const combinations = Object.keys(clients).flatMap((client) =>
  ['signed over http', 'Basic over https', 'key in the address over https'].map((way) => [client, way] as const),
)

describe.each(combinations)('%s, %s', (name, way) => {
  const make = Object.entries(clients).find(([own]) => own === name)?.[1] ?? official
  const place = (): Place => {
    const known = places[way]
    if (!known) throw new Error(`no shop for ${way}`)
    return known
  }

  it('creates, reads, lists, changes and deletes a product', async () => {
    const client = make(place())
    const sku = `${name.length}-${way.length}`
    const created = await client.post('products', { name: `Bowl ${sku}`, sku, regular_price: '12.50', type: 'simple' })
    expect(created).toMatchObject({ status: 201, data: { sku, regular_price: '12.50', status: 'publish' } })
    const { id } = created.data as { id: number }
    expect(created.headers.location).toBe(`${place().url}/wp-json/wc/v3/products/${id}`)
    expect((await client.get(`products/${id}`)).data).toMatchObject({ id, name: `Bowl ${sku}` })
    expect(idsOf(await client.get('products', { sku }))).toEqual([id])
    const changed = await client.put(`products/${id}`, { regular_price: '14', sale_price: '9.99' })
    expect(changed).toMatchObject({ status: 200, data: { id, price: '9.99', on_sale: true } })
    expect((await client.remove(`products/${id}`, { force: true })).data).toMatchObject({ id })
    expect(await failureOf(client.get(`products/${id}`))).toEqual({
      status: 404,
      code: 'woocommerce_rest_product_invalid_id',
    })
  })

  it('pages through a list by its headers, and asks for lists of values', async () => {
    const client = make(place())
    const first = await client.get('products', { per_page: 5, orderby: 'id', order: 'asc', page: 1 })
    expect(Number(first.headers['x-wp-total'])).toBeGreaterThan(5)
    const pages = Number(first.headers['x-wp-totalpages'])
    const all = [...idsOf(first)]
    for (let page = 2; page <= pages; page += 1) {
      all.push(...idsOf(await client.get('products', { per_page: 5, orderby: 'id', order: 'asc', page })))
    }
    expect(new Set(all).size).toBe(Number(first.headers['x-wp-total']))
    const two = all.slice(0, 2)
    expect(idsOf(await client.get('products', { include: two, orderby: 'id', order: 'asc' }))).toEqual(two)
    const search = 'linen & "mugs" (50%)+ü'
    expect((await client.get('products', { search })).data).toEqual([])
  })

  it('sends a batch, and learns of each element', async () => {
    const client = make(place())
    const sku = `batch-${name.length}-${way.length}`
    const { status, data } = await client.post('products/batch', {
      create: [
        { name: 'One', sku, regular_price: '1' },
        { name: 'Two', sku, regular_price: '2' },
      ],
      delete: [places404],
    })
    expect([status, data]).toMatchObject([
      200,
      {
        create: [{ sku }, { error: { code: 'product_invalid_sku' } }],
        delete: [{ id: places404, error: { code: 'woocommerce_rest_product_invalid_id' } }],
      },
    ])
  })

  it('learns that a key is wrong, and which parameter is', async () => {
    const { key, ...rest } = place()
    const wrong = make({ ...rest, key: { ...key, consumerSecret: `cs_${'0'.repeat(40)}` } })
    expect(await failureOf(wrong.get('orders'))).toMatchObject({ status: 401 })
    expect(await failureOf(make(place()).get('orders', { per_page: 0 }))).toEqual({
      status: 400,
      code: 'rest_invalid_param',
    })
  })
})

describe.each(Object.entries(clients))('%s, about orders', (_, make) => {
  it('reads orders page by page, signed over http', async () => {
    const place = places['signed over http']
    if (!place) throw new Error('no shop over http')
    const client = make(place)
    const answer = await client.get('orders', { per_page: 2, status: ['processing', 'on-hold'], order: 'asc' })
    expect(answer.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '2' })
    expect(answer.data).toHaveLength(2)
    const [id = 0] = idsOf(answer)
    expect((await client.get(`orders/${id}`)).data).toMatchObject({ id, status: 'processing', currency: 'USD' })
  })
})
