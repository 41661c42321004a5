import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let key: ApiKeyPair
let order: number
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { languages: [{ tag: 'de-DE' }] } })
  key = await makeApiKey(shop.shop.application.tools, { description: 'An ERP', who: 'tester' })
  const shopper = new Shopper({ ...shop, url: shop.url } as never, 'ida')
  await shopper.add('MUG', 1)
  await shopper.openCheckout()
  order = (await shopper.placeOrder('cod')).order_id ?? 0
})
afterAll(() => shop.close())

const list = urls.rest('wc/v3/orders')
const basic = () => `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`
const ask = (path: string, init: RequestInit = {}) =>
  fetch(shop.url + path, { redirect: 'manual', headers: { authorization: basic() }, ...init })
const numbersAt = async (path: string) => {
  const response = await ask(path)
  expect([path, response.status, response.headers.get('x-wp-total')]).toEqual([path, 200, '1'])
  return ((await response.json()) as { id: number }[]).map(({ id }) => id)
}
const codeAt = async (path: string, init?: RequestInit) => {
  const response = await ask(path, init)
  return [response.status, ((await response.json()) as { code: string }).code]
}

describe('an address of the REST interface', () => {
  it('is the same with a slash at its end, and where addresses are not written out', async () => {
    for (const path of [
      `${list}/`,
      `/de${list}/`,
      '/?rest_route=/wc/v3/orders',
      '/?rest_route=/wc/v3/orders/&per_page=1',
      '/index.php?rest_route=%2Fwc%2Fv3%2Forders',
      '/de/?rest_route=/wc/v3/orders',
    ]) {
      expect(await numbersAt(path)).toEqual([order])
    }
    expect(await (await ask(`/?rest_route=/wc/v3/orders/${order}`)).json()).toMatchObject({ id: order })
    expect(await (await ask(`${list}/${order}/`)).json()).toMatchObject({ id: order })
  })

  it('is answered without a way round by POST as well', async () => {
    const nowhere = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
    const known = await codeAt(urls.paypalRest('cart/refresh'), nowhere)
    expect(await codeAt(`${urls.paypalRest('cart/refresh')}/`, nowhere)).toEqual(known)
    expect(await codeAt('/?rest_route=/wc-ppcp/v1/cart/refresh', nowhere)).toEqual(known)
  })

  it('leads on in the form in which it was asked', async () => {
    const answer = await ask('/?rest_route=/wc/v3/orders&page=2&per_page=1')
    expect(answer.headers.get('link')).toBe(
      `<${shop.url}/?rest_route=%2Fwc%2Fv3%2Forders&page=1&per_page=1>; rel="prev"`,
    )
  })

  it('is signed in the form in which it was asked', async () => {
    for (const [path, query] of [
      [`${list}/`, {}],
      ['/', { rest_route: '/wc/v3/orders' }],
    ] as const) {
      expect((await fetch(shop.url + signed(path, query))).status, path).toBe(200)
    }
  })

  it('leads nowhere but into the interface', async () => {
    for (const path of [
      '/?rest_route=/../checkout/',
      '/?rest_route=/wc/v3/orders/..%2f..%2f..',
      '/?rest_route=%2f%2fevil.example',
      '/wp-json/nothing/',
      `${list}/nothing`,
    ]) {
      expect([path, ...(await codeAt(path))]).toEqual([path, 404, 'rest_no_route'])
    }
    expect(await (await ask('/?rest_route=')).text()).toContain('<!doctype html>')
    expect((await ask('/shop/?rest_route=/wc/v3/orders')).headers.get('content-type')).toContain('text/html')
  })

  it('says by OPTIONS how it can be asked, to anybody', async () => {
    const answer = await ask(list, { method: 'OPTIONS', headers: {} })
    expect([answer.status, answer.headers.get('allow')]).toEqual([200, 'GET, POST'])
    expect(await answer.json()).toEqual({ namespace: 'wc/v3', methods: ['GET', 'POST'] })
    const head = await ask(`${list}/`, { method: 'HEAD' })
    expect([head.status, head.headers.get('x-wp-total'), await head.text()]).toEqual([200, '1', ''])
  })
})

describe('the tax of a line', () => {
  type Taxed = { total_tax: string; subtotal_tax?: string; taxes: { id: number; total: string; subtotal: string }[] }
  const read = async () =>
    (await (await ask(`${list}/${order}`)).json()) as {
      line_items: Taxed[]
      shipping_lines: Taxed[]
      tax_lines: { rate_id: number; tax_total: string }[]
    }

  it('is by the rate of the order, where that has one alone', async () => {
    const { line_items: lines, shipping_lines: parcels, tax_lines: rates } = await read()
    const [line] = lines
    const [rate] = rates
    expect(Number(line?.total_tax)).toBeGreaterThan(0)
    expect(line?.taxes).toEqual([{ id: rate?.rate_id, total: line?.total_tax, subtotal: line?.subtotal_tax }])
    expect(line?.taxes[0]?.total).toBe(rate?.tax_total)
    // Not taxed at all.
    expect(parcels.map(({ total_tax, taxes }) => [total_tax, taxes])).toEqual([['0.00', []]])
  })

  it('is by nobody knows which of several', async () => {
    const [{ id = 0 } = {}] = await shop.db.sql<{ id: number }[]>`
      insert into order_items (order_id, position, type, name, total, total_tax, facts)
      select order_id, 90, type, 'City tax', 0, 0, facts from order_items where order_id = ${order} and type = 'tax' returning id`
    expect((await read()).line_items.map(({ taxes }) => taxes)).toEqual([[]])
    await shop.db.sql`delete from order_items where id = ${id}`
  })
})

describe('an order in another language', () => {
  it('names the language of its words, and one in the shop’s own none', async () => {
    await shop.db.sql`update orders set language = 'de-DE' where id = ${order}`
    const meta = async () =>
      ((await (await ask(`${list}/${order}`)).json()) as { meta_data: { key: string; value: string }[] }).meta_data
    expect(await meta()).toContainEqual({ id: expect.any(Number), key: '_vitrine_language', value: 'de-DE' })
    await shop.db.sql`update orders set language = '' where id = ${order}`
    expect((await meta()).map(({ key }) => key)).not.toContain('_vitrine_language')
  })
})

describe('what a program writes into an address', () => {
  it('means a moment however its offset is written, and is refused where there is no such', async () => {
    const { date_created_gmt: at } = (await (await ask(`${list}/${order}`)).json()) as { date_created_gmt: string }
    const day = at.slice(0, 10)
    const before = new Date(Date.parse(`${day}T00:00:00Z`) - 1000).toISOString().slice(0, 19)
    for (const after of [before, `${before}Z`, `${before}+0000`, `${before}%2B00:00`, `${day}%2B14:00`, `${day}Z`]) {
      expect(await numbersAt(`${list}?dates_are_gmt=true&after=${after.replace('+', '%2B')}`), after).toEqual([order])
    }
    for (const after of ['2026-01-01%2B99:00', '2026-01-01T00:00:00%2B02:99', '2026-01-01%2B02:', '']) {
      expect(await codeAt(`${list}?after=${after}`), after).toEqual([400, 'rest_invalid_param'])
    }
  })

  it('asks for guests by their number alone, for nothing by an empty list of members, and finds no bin', async () => {
    expect(await codeAt(`${list}?customer=`)).toEqual([400, 'rest_invalid_param'])
    const [whole] = (await (await ask(`${list}?_fields=`)).json()) as object[]
    expect(whole).toMatchObject({ id: order, status: 'processing' })
    expect(await (await ask(`${list}?status=trash`)).json()).toEqual([])
    expect(await numbersAt(`${list}?status=trash,processing`)).toEqual([order])
  })

  it('is refused in the interface’s own form where it is too long or no text', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => 1_000_000 + index).join()
    expect(await codeAt(`${list}?include=${many}`)).toEqual([414, 'rest_uri_too_long'])
    expect(await codeAt(`${list}?search=%00`)).toEqual([400, 'rest_invalid_uri'])
    expect(await codeAt('/?rest_route=/wc/v3/orders&search=%00')).toEqual([400, 'rest_invalid_uri'])
    expect((await ask('/shop/?s=%00')).headers.get('content-type')).toContain('text/plain')
  })

  it('is answered in the interface’s own form where nobody has foreseen what is wrong', async () => {
    await shop.db.sql`alter table access_log rename to elsewhere`
    try {
      const answer = await ask(list)
      expect(answer.status).toBe(500)
      expect(await answer.json()).toEqual({
        code: 'internal_server_error',
        message: expect.stringContaining(answer.headers.get('x-request-id') ?? 'its number'),
        data: { status: 500 },
      })
      const german = (await (await ask(`/de${list}`)).json()) as { message: string }
      expect(german.message).toContain('Nummer')
    } finally {
      await shop.db.sql`alter table elsewhere rename to access_log`
    }
  })
})

/** Signed as OAuth 1.0a has it, over the address as it is asked. */
function signed(path: string, query: Record<string, string>): string {
  const parameters: Record<string, string> = {
    ...query,
    oauth_consumer_key: key.consumerKey,
    oauth_nonce: shop.shop.application.tools.chance.hex(8),
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
  }
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
  const base = `GET&${encodeURIComponent(shop.url + path)}&${encodeURIComponent(pairs.join('&'))}`
  const signature = createHmac('sha256', `${key.consumerSecret}&`).update(base).digest('base64')
  return `${path}?${new URLSearchParams({ ...parameters, oauth_signature: signature })}`
}

describe('a call by name that only reads', () => {
  it('is answered to GET as to POST, kept by nobody, and what changes a cart is not', async () => {
    const shopper = new Shopper({ ...shop, url: shop.url } as never, 'eve')
    await shopper.add('MUG', 2)
    const posted = await (await shopper.post(urls.wcAjax('get_refreshed_fragments'), {})).json()
    const got = await shopper.request(urls.wcAjax('get_refreshed_fragments'))
    expect([got.status, got.headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')])
    expect(await got.json()).toEqual(posted)
    const shirt = await shop.idOf('SHIRT')
    const asked = { product_id: String(shirt), attribute_pa_colour: 'sea', attribute_size: 'M' }
    const variation = await (await shopper.post(urls.wcAjax('get_variation'), asked)).json()
    expect(variation).toMatchObject({ sku: 'SHIRT-SEA-M' })
    const query = new URLSearchParams(asked)
    expect(await (await shopper.request(`${urls.wcAjax('get_variation')}&${query}`)).json()).toEqual(variation)
    expect((await shopper.request(`${urls.wcAjax('add_to_cart')}&product_id=${shirt}`)).status).toBe(405)
  })
})

describe('what was chosen of a product', () => {
  const bought = async () => {
    const shopper = new Shopper({ ...shop, url: shop.url } as never, 'una')
    await shopper.add('SHIRT-SEA-M', 1)
    await shopper.openCheckout()
    const { order_id: id = 0 } = await shopper.placeOrder('cod')
    const read = async () => {
      const answer = (await (await ask(`${list}/${id}`)).json()) as { line_items: { meta_data: object[] }[] }
      return answer.line_items[0]?.meta_data
    }
    return { id, read }
  }

  it('is named by the slugs of attribute and option, and shown as it was said', async () => {
    const { id, read } = await bought()
    expect(await read()).toEqual([
      { id: 1, key: 'pa_colour', value: 'sea', display_key: 'Colour', display_value: 'Sea' },
      { id: 2, key: 'size', value: 'M', display_key: 'Size', display_value: 'M' },
    ])
    // As an order of before has it.
    await shop.db
      .sql`update order_items set facts = jsonb_set(facts, '{choices}', '[{"label": "Colour", "value": "Sea"}]')
      where order_id = ${id} and type = 'line_item'`
    expect(await read()).toEqual([{ id: 1, key: 'Colour', value: 'Sea', display_key: 'Colour', display_value: 'Sea' }])
  })
})
