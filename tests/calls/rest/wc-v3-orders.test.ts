import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { v3OrderKeys } from '#contract/orders/v3-orders.ts'
import { urls } from '#contract/shared/urls.ts'
import { createApp } from '#server/http/app.ts'
import { type ApiKeyPair, makeApiKey, revokeApiKey } from '#shop/operations/api-keys.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Order = Record<string, never> & {
  id: number
  line_items: Record<string, unknown>[]
  meta_data: { id: number; key: string; value: string }[]
}

let shop: TestShop
let tools: Tools
let key: ApiKeyPair
let cod: number
let paid: number

beforeAll(async () => {
  shop = await aShop({ settings: { timeZone: 'America/New_York' } })
  tools = shop.shop.application.tools
  await shop.db.sql`insert into coupons (code, type, amount_ppm) values ('spring', 'percent', 100000)`
  key = await makeApiKey(tools, { description: 'Bookkeeping', who: 'tester' })
  cod = await codOrder('ida')
  paid = await paidOrder('bob')
})
afterAll(() => shop.close())

async function codOrder(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', 3)
  await shopper.post(urls.cart(), { coupon_code: 'spring', apply_coupon: 'Apply' })
  await shopper.openCheckout()
  const fields = {
    ...shopper.form('cod'),
    wc_order_attribution_source_type: 'utm',
    wc_order_attribution_utm_source: 'news',
  }
  const response = await shopper.post(urls.wcAjax('checkout'), fields)
  const answer = (await response.json()) as { result: string; messages?: string; order_id: number }
  expect(answer.result, answer.messages).toBe('success')
  return answer.order_id
}

async function paidOrder(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG', 1)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

const basic = ({ consumerKey, consumerSecret }: Pick<ApiKeyPair, 'consumerKey' | 'consumerSecret'>) => ({
  authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`,
})
const list = '/wp-json/wc/v3/orders'
const ask = (path = list, headers: Record<string, string> = basic(key)) => fetch(shop.url + path, { headers })
const read = async <Answer = Order[]>(path: string) => (await ask(path)).json() as Promise<Answer>
const numbers = async (query: string) => (await read(`${list}?${query}`)).map(({ id }) => id)
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

describe('wc/v3/orders', () => {
  it('ATTR-08 tells programs where an order came from, under the names that they look for', async () => {
    const order = await read<Order>(`${list}/${cod}`)
    const isOrigin = ({ key }: { key: string }) => !key.startsWith('_vitrine_terms_')
    expect(order.meta_data.filter(isOrigin)).toEqual([
      { id: 1, key: '_wc_order_attribution_source_type', value: 'utm' },
      { id: 2, key: '_wc_order_attribution_utm_source', value: 'news' },
      { id: 3, key: '_wc_order_attribution_user_agent', value: 'node' },
      { id: 4, key: '_wc_order_attribution_device_type', value: 'Desktop' },
    ])
    expect((await read<Order>(`${list}/${paid}`)).meta_data.filter(isOrigin)).toEqual([])
  })

  it('has every member of an order, with amounts as decimals and times of the shop and of UTC', async () => {
    const order = await read<Order>(`${list}/${cod}`)
    expect(Object.keys(order)).toEqual([...v3OrderKeys, '_links'])
    const row = await shop.db.kysely.selectFrom('orders').selectAll().where('id', '=', cod).executeTakeFirstOrThrow()
    const decimal = (minor: number) => (minor / 100).toFixed(2)
    const hour = (text: string) => Date.parse(`${text}Z`) / 3_600_000
    expect(order).toMatchObject({
      id: cod,
      number: String(cod),
      order_key: row.key,
      created_via: 'checkout',
      status: 'processing',
      currency: 'USD',
      discount_total: decimal(row.discount_total),
      shipping_total: '6.90',
      total: decimal(row.total),
      total_tax: decimal(row.total_tax),
      customer_id: 0,
      customer_user_agent: 'node',
      billing: { first_name: 'Ada', email: 'ida@example.test', state: 'CA', phone: '4085550100' },
      shipping: { first_name: 'Ada', city: 'San Jose' },
      payment_method: 'cod',
      transaction_id: '',
      date_paid: null,
      date_paid_gmt: null,
      date_completed: null,
      date_created_gmt: row.created_at.toISOString().slice(0, 19),
      line_items: [{ sku: 'MUG', quantity: 3, tax_class: '', variation_id: 0 }],
      shipping_lines: [{ method_title: 'Standard', method_id: 'flat_rate', instance_id: '1', total: '6.90' }],
      tax_lines: [
        { label: 'Sales tax', rate_id: 1, rate_percent: 7.25, compound: false, tax_total: decimal(row.cart_tax) },
      ],
      coupon_lines: [{ code: 'spring', discount: decimal(row.discount_total) }],
      fee_lines: [],
      refunds: [],
      payment_url: `${shop.url}/checkout/order-pay/${cod}/?pay_for_order=true&key=${row.key}`,
      is_editable: false,
      needs_payment: false,
      needs_processing: true,
    })
    expect(order.date_created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect([4, 5]).toContain(hour(order.date_created_gmt ?? '') - hour(order.date_created ?? ''))
    const [line = {}] = order.line_items
    // What stands in the lines adds up to what was paid.
    const sum = (Number(line.total) + Number(line.total_tax) + Number(order.shipping_total)).toFixed(2)
    expect(sum).toBe(order.total)
  })

  it('tells of payment, completion and what was given back', async () => {
    const id = await paidOrder('carl')
    await transitionOrder(tools, id, { to: 'completed', note: 'Sent.' })
    const refunded = await refundOrder(tools, id, {
      ask: { kind: 'amount', minor: 500 },
      reason: 'A crack',
      key: 'crack',
    })
    expect(refunded.ok).toBe(true)
    const order = await read<Order>(`${list}/${id}`)
    expect(order).toMatchObject({
      status: 'completed',
      created_via: 'checkout',
      transaction_id: expect.stringMatching(/./),
      date_paid_gmt: expect.stringMatching(/T/),
      date_completed_gmt: expect.stringMatching(/T/),
      refunds: [{ reason: 'A crack', total: '-5.00' }],
    })
  })

  it('lists page by page, and says how many there are and where the others are', async () => {
    const first = await ask(`${list}?per_page=1&orderby=id&order=asc&consumer_key=${key.consumerKey}`)
    expect(((await first.json()) as Order[]).map(({ id }) => id)).toEqual([cod])
    const total = Number(first.headers.get('x-wp-total'))
    expect(total).toBeGreaterThanOrEqual(2)
    expect(first.headers.get('x-wp-totalpages')).toBe(String(total))
    const link = first.headers.get('link') ?? ''
    expect(link).toBe(`<${shop.url}${list}?per_page=1&orderby=id&order=asc&page=2>; rel="next"`)
    const second = await ask(`${list}?per_page=1&orderby=id&order=asc&page=2`)
    expect(((await second.json()) as Order[]).map(({ id }) => id)).toEqual([paid])
    expect(second.headers.get('link')).toContain('page=1>; rel="prev"')
    expect(await numbers('page=900')).toEqual([])
    expect(await numbers('per_page=1&offset=1&orderby=id&order=asc')).toEqual([paid])
    // By an offset as well the way on leads to others, and to no others than there are.
    const linkOf = async (query: string) => (await ask(`${list}?per_page=2&${query}`)).headers.get('link') ?? ''
    expect(await linkOf('offset=0&page=7')).toBe(
      total > 2 ? `<${shop.url}${list}?per_page=2&offset=2>; rel="next"` : '',
    )
    expect(await linkOf(`offset=${total - 1}`)).toBe(
      `<${shop.url}${list}?per_page=2&offset=${Math.max(0, total - 3)}>; rel="prev"`,
    )
    expect(await linkOf('offset=1')).toContain(`offset=0>; rel="prev"`)
  })

  it('takes the list apart', async () => {
    expect(await numbers('status=processing,on-hold&search=ida@example')).toEqual([cod])
    expect(await numbers('status[]=cancelled&status[]=failed')).toEqual([])
    expect(await numbers(`include=${paid},${cod}&orderby=include`)).toEqual([paid, cod])
    expect(await numbers(`include[0]=${cod}&include[1]=${paid}&exclude=${paid}`)).toEqual([cod])
    expect(await numbers(`include=${cod},${paid}&order=asc`)).toEqual([cod, paid])
    expect(await numbers('customer=999999')).toEqual([])
    expect(await numbers(`customer=0&include=${cod}`)).toEqual([cod])
    expect(await numbers(`product=${await shop.idOf('MUG')}&include=${cod}`)).toEqual([cod])
    expect(await numbers(`product=999999&include=${cod}`)).toEqual([])
    const { date_created: local = '', date_created_gmt: gmt = '' } = await read<Order>(`${list}/${cod}`)
    const shifted = (text: string, seconds: number) =>
      new Date(Date.parse(`${text}Z`) + seconds * 1000).toISOString().slice(0, 19)
    for (const [text, extra] of [
      [local, ''],
      [gmt, '&dates_are_gmt=true'],
    ]) {
      expect(await numbers(`include=${cod}&after=${shifted(text ?? '', -1)}${extra}`)).toEqual([cod])
      expect(await numbers(`include=${cod}&after=${shifted(text ?? '', 2)}${extra}`)).toEqual([])
      expect(await numbers(`include=${cod}&before=${shifted(text ?? '', 2)}${extra}`)).toEqual([cod])
      expect(await numbers(`include=${cod}&before=${shifted(text ?? '', -1)}${extra}`)).toEqual([])
    }
    expect(await numbers(`include=${cod}&modified_after=${gmt}Z`)).toEqual([cod])
    expect(await numbers(`include=${cod}&modified_before=2020-01-01`)).toEqual([])
    expect(await numbers(`include=${cod}&after=2020-01-01T00:00:00%2B02:00`)).toEqual([cod])
  })

  it('gives only the members that were asked for', async () => {
    const query = '_fields=id,billing.email,line_items.sku'
    expect(await read(`${list}/${cod}?${query}`)).toEqual({
      id: cod,
      billing: { email: 'ida@example.test' },
      line_items: [{ sku: 'MUG' }],
    })
    expect(await read(`${list}?${query}&include=${cod}`)).toHaveLength(1)
  })

  it('names what it cannot read', async () => {
    for (const [query, name] of [
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['page=x', 'page'],
      ['status=gone', 'status'],
      ['after=yesterday', 'after'],
      ['after=2026-02-31', 'after'],
      ['before=2026-02-01T25:00:00', 'before'],
      ['orderby=price', 'orderby'],
      ['include=1;drop', 'include'],
      ['customer=-1', 'customer'],
    ] as const) {
      const response = await ask(`${list}?${query}`)
      expect(response.status, query).toBe(400)
      const answer = (await response.json()) as { code: string; data: { params: object } }
      expect([query, answer.code, Object.keys(answer.data.params)]).toEqual([query, 'rest_invalid_param', [name]])
    }
    const unknown = await ask(`${list}/4711`)
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, 'woocommerce_rest_shop_order_invalid_id'])
    // The interface's own routes take figures alone there.
    expect(await codeOf(await ask(`${list}/abc`))).toBe('rest_no_route')
    const posted = await fetch(shop.url + list, { method: 'POST', headers: basic(key) })
    // The key may read alone.
    expect([posted.status, await codeOf(posted)]).toEqual([401, 'woocommerce_rest_authentication_error'])
  })

  it('P15 is put down in the log of who looked', async () => {
    await shop.db.sql`truncate access_log`
    await ask(`${list}?search=ida&page=2`)
    await ask(`${list}/${cod}`)
    const rows = await shop.db.sql`select who, action, subject from access_log order by id`
    expect(rows.map((row) => Object.values(row).join(' | '))).toEqual([
      `api-key:${key.id} | orders list | list status=any page=2 search=ida`,
      `api-key:${key.id} | orders show | order:${cod}`,
    ])
  })

  it('is never kept by anybody', async () => {
    const response = await ask()
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
  })
})

/** A request's query, signed as OAuth 1.0a has it. */
function signed(
  { consumerKey, consumerSecret }: Pick<ApiKeyPair, 'consumerKey' | 'consumerSecret'>,
  query: Record<string, string> = {},
  change: Record<string, string> = {},
): string {
  const method = change.oauth_signature_method ?? 'HMAC-SHA256'
  const parameters: Record<string, string> = {
    ...query,
    oauth_consumer_key: consumerKey,
    oauth_nonce: tools.chance.hex(8),
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    ...change,
  }
  const rfc = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${rfc(name)}=${rfc(value)}`)
    .sort()
  const base = `GET&${rfc(shop.url + list)}&${rfc(pairs.join('&'))}`
  const digest = method === 'HMAC-SHA1' ? 'sha1' : 'sha256'
  const signature = createHmac(digest, `${consumerSecret}&`).update(base).digest('base64')
  return `${list}?${new URLSearchParams({ ...parameters, oauth_signature: signature })}`
}

describe('who may read orders', () => {
  const plain = (path: string) => ask(path, {})

  it('takes a key by Basic, or in the address', async () => {
    expect((await ask()).status).toBe(200)
    const { consumerKey, consumerSecret } = key
    const query = new URLSearchParams({ consumer_key: consumerKey, consumer_secret: consumerSecret })
    expect((await plain(`${list}?${query}`)).status).toBe(200)
  })

  it('takes signed requests, each once', async () => {
    for (const method of ['HMAC-SHA1', 'HMAC-SHA256']) {
      const path = signed(key, { search: 'a b&c=ü', 'status[0]': 'processing' }, { oauth_signature_method: method })
      expect((await plain(path)).status).toBe(200)
      const again = await plain(path)
      expect([again.status, await codeOf(again)]).toEqual([401, 'woocommerce_rest_authentication_error'])
    }
    const query = new URL(signed(key), shop.url).searchParams
    const header = `OAuth realm="shop", ${[...query].map(([name, value]) => `${name}="${encodeURIComponent(value)}"`).join(', ')}`
    expect((await ask(list, { authorization: header })).status).toBe(200)
  })

  it('takes signed requests as the best known client sends them: what was asked for stands in them twice', async () => {
    const asked = { search: 'a b', 'status[0]': 'processing' }
    const path = signed(key, asked)
    expect((await plain(`${path}&${new URLSearchParams(asked)}`)).status).toBe(200)
    const other = await plain(`${signed(key, asked)}&${new URLSearchParams({ ...asked, search: 'c' })}`)
    expect(other.status).toBe(401)
  })

  it('takes a signature over other addresses, times and methods for none', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const path of [
      `${signed(key)}&per_page=100`,
      signed({ ...key, consumerSecret: `cs_${'0'.repeat(40)}` }),
      signed({ ...key, consumerKey: `ck_${'0'.repeat(40)}` }),
      signed(key, {}, { oauth_timestamp: String(now - 16 * 60) }),
      signed(key, {}, { oauth_timestamp: String(now + 16 * 60) }),
      signed(key, {}, { oauth_timestamp: 'soon' }),
      signed(key, {}, { oauth_signature_method: 'PLAINTEXT' }),
    ]) {
      const response = await plain(path)
      expect([path, response.status, await codeOf(response)]).toEqual([
        path,
        401,
        'woocommerce_rest_authentication_error',
      ])
    }
    const without = await plain(`${list}?oauth_consumer_key=${key.consumerKey}`)
    expect([without.status, await codeOf(without)]).toEqual([401, 'woocommerce_rest_authentication_missing_parameter'])
  })

  it('takes no secret over plain http from another machine, and a signature all the same', async () => {
    const app = createApp(shop.shop.application)
    const from = (path: string, headers: Record<string, string>) =>
      app(new Request(shop.url + path, { headers }), { ip: '203.0.113.9' })
    const open = await from(list, basic(key))
    expect([open.status, await codeOf(open)]).toEqual([401, 'woocommerce_rest_authentication_error'])
    expect((await from(signed(key), {})).status).toBe(200)
    const secure = createApp({ ...shop.shop.application, secure: true })
    const request = new Request(shop.url + list, { headers: basic(key) })
    expect((await secure(request, { ip: '203.0.113.9' })).status).toBe(200)
  })

  it('refuses strangers, wrong secrets, and a key that was revoked, at once', async () => {
    const nobody = await plain(list)
    expect([nobody.status, await codeOf(nobody)]).toEqual([401, 'woocommerce_rest_cannot_view'])
    for (const pair of [
      { ...key, consumerSecret: `cs_${'f'.repeat(40)}` },
      { ...key, consumerSecret: '' },
      { consumerKey: `ck_${'a'.repeat(40)}`, consumerSecret: key.consumerSecret },
      { consumerKey: `ck_'; drop table orders; --`, consumerSecret: 'x' },
    ]) {
      const response = await ask(list, basic(pair))
      expect([pair, response.status, await codeOf(response)]).toEqual([
        pair,
        401,
        'woocommerce_rest_authentication_error',
      ])
    }
    const short = await makeApiKey(tools, { description: 'For a moment', who: 'tester' })
    expect((await ask(list, basic(short))).status).toBe(200)
    expect(await revokeApiKey(tools, { id: short.id, who: 'tester' })).toBe(true)
    expect((await ask(list, basic(short))).status).toBe(401)
  })

  it('lets staff in by their login and a nonce, and customers not', async () => {
    const mia = aCustomer(shop, 'mia@example.test')
    await mia.register()
    const withNonce = (nonce: string) => mia.send(list, { headers: { 'x-wp-nonce': nonce } })
    const asCustomer = await withNonce(mia.nonce('wp_rest'))
    expect([asCustomer.status, await codeOf(asCustomer)]).toEqual([403, 'woocommerce_rest_cannot_view'])
    await shop.db.sql`update customers set role = 'shop_manager' where email = 'mia@example.test'`
    expect((await withNonce(mia.nonce('wp_rest'))).status).toBe(200)
    const wrong = await withNonce('0123456789')
    expect([wrong.status, await codeOf(wrong)]).toEqual([403, 'rest_cookie_invalid_nonce'])
    const without = await mia.send(list)
    expect([without.status, await codeOf(without)]).toEqual([401, 'woocommerce_rest_cannot_view'])
  })

  it('keeps neither half of a key', async () => {
    const stored = JSON.stringify(await shop.db.sql`select * from api_keys`)
    expect(stored).not.toContain(key.consumerKey)
    expect(stored).not.toContain(key.consumerSecret)
    expect(stored).toContain(key.consumerKey.slice(-7))
  })

  it('has whoever guesses wait, and not the program that asks from elsewhere', async () => {
    const app = createApp({ ...shop.shop.application, secure: true })
    const guess = (ip: string, pair: Pick<ApiKeyPair, 'consumerKey' | 'consumerSecret'>) =>
      app(new Request(shop.url + list, { headers: basic(pair) }), { ip })
    const wrong = { ...key, consumerSecret: `cs_${'1'.repeat(40)}` }
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries += 1) statuses.push((await guess('198.51.100.4', wrong)).status)
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
    const held = await guess('198.51.100.4', key)
    expect([held.status, Number(held.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await guess('198.51.100.77', key)).status).toBe(200)
  })
})
