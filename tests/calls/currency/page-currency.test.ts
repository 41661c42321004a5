import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: {
      languages: [{ tag: 'de-DE' }],
      currencies: [
        { code: 'EUR', rate: '0.9', rounding: { type: 'up', step: '1', subtract: '0.01' }, countries: ['DE'] },
        { code: 'JPY', rate: '150', fee: { type: 'percentage', value: '10' } },
        { code: 'GBP' },
        { code: 'CAD', rate: '1.4' },
        { code: 'CHF', rate: '0.88' },
        { code: 'HUF', rate: '360', position: 'right' },
      ],
    },
  })
})
afterAll(() => shop.close())

const get = async (path: string, cookie = '', init: RequestInit = {}) => {
  const headers = { ...init.headers, ...(cookie ? { cookie } : {}) }
  const response = await fetch(shop.url + path, { redirect: 'manual', ...init, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const choose = (currency: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  get('/currency/', '', {
    method: 'POST',
    headers: { origin: shop.url, ...headers },
    body: new URLSearchParams({ currency, _wp_http_referer: '/shop/?orderby=price', ...fields }),
  })
/** The prices that a page shows, in its order, without markup. */
const prices = (html: string) =>
  [...html.matchAll(/<span class="woocommerce-Price-amount amount"[^>]*>(.*?)<\/bdi>/g)].map(([, inner = '']) =>
    inner.replace(/<[^>]+>/g, ''),
  )
const priceOf = async (slug: string, cookie: string) => prices((await get(`/product/${slug}/`, cookie)).text)[0]

describe('the currency of a page', () => {
  it('CUR-03 is read from the cookie on each page, and kept pages never show that of another visitor', async () => {
    const own = await priceOf('plain-mug', '')
    expect(own).toMatch(/^\$/)
    for (let round = 0; round < 2; round += 1) {
      expect(await priceOf('plain-mug', 'currency=EUR')).toMatch(/^€\d+\.99$/)
      expect(await priceOf('plain-mug', 'currency=JPY')).toMatch(/^¥[\d,]+$/)
      expect(await priceOf('plain-mug', '')).toBe(own)
    }
    const kept = await get('/product/plain-mug/')
    expect(kept.headers.get('cache-control')).toContain('public')
    const other = await get('/product/plain-mug/', 'currency=EUR')
    expect(other.headers.get('cache-control')).toBe('private, no-cache')
    expect(other.headers.get('etag')).not.toBe(kept.headers.get('etag'))
  })

  it.each(['XXX', 'eur', '%%%', 'a'.repeat(8000), '<b>', 'GBP', 'toString', ''])(
    'CUR-03 a cookie with "%.20s" shows the shop’s own and is taken back',
    async (value) => {
      const { status, text, headers } = await get('/product/plain-mug/', `other=%E0%A4%A; currency=${value}`)
      expect(status).toBe(200)
      expect(prices(text)[0]).toMatch(/^\$/)
      expect(headers.getSetCookie().join()).toContain('currency=; Path=/')
    },
  )

  it('CUR-03 is chosen by a form that leads back to the page that it stood on', async () => {
    const { status, headers } = await choose('EUR')
    expect([status, headers.get('location')]).toEqual([303, '/shop/?orderby=price'])
    expect(headers.getSetCookie()).toEqual(['currency=EUR; Path=/; SameSite=Lax; Max-Age=2592000'])
    expect(headers.get('clear-site-data')).toContain('prefetchCache')
    expect((await choose('USD')).headers.getSetCookie()).toEqual(['currency=; Path=/; SameSite=Lax; Max-Age=0'])
  })

  it.each([
    ['a currency that is not offered', 303, 'GBP', {}],
    ['nonsense', 303, '<script>', {}],
    ['another site', 403, 'EUR', { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }],
  ] as const)('CUR-03 is not changed by %s', async (_what, status, code, headers) => {
    const answer = await choose(code, {}, headers)
    expect(answer.status).toBe(status)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('leads nowhere else than to the shop', async () => {
    const { headers } = await choose('EUR', { _wp_http_referer: '//elsewhere.test/' })
    expect(headers.get('location')).toBe('/')
  })

  it('CUR-03 is named by an address, which goes on without it', async () => {
    const { status, headers } = await get('/shop/?orderby=price&currency=EUR')
    expect([status, headers.get('location')]).toEqual([302, '/shop/?orderby=price'])
    expect(headers.getSetCookie()).toEqual(['currency=EUR; Path=/; SameSite=Lax; Max-Age=2592000'])
    const unknown = await get('/shop/?currency=GBP')
    expect([unknown.status, unknown.headers.get('location'), unknown.headers.getSetCookie()]).toEqual([
      302,
      '/shop/',
      [],
    ])
  })

  it('CUR-05 has a sign of its own where its usual one is that of the shop’s own currency', async () => {
    expect(await priceOf('plain-mug', 'currency=CAD')).toMatch(/^CA\$\d/)
  })

  it('CUR-05 stands off from its digits where its sign is letters, unless the merchant says where it stands', async () => {
    expect(await priceOf('plain-mug', 'currency=CHF')).toMatch(/^CHF\u00a0\d/)
    expect(await priceOf('plain-mug', 'currency=HUF')).toMatch(/\dFt$/)
    expect(prices((await get('/de/product/plain-mug/', 'currency=CHF')).text)[0]).toMatch(/\d\u00a0CHF$/)
  })

  it('CUR-05 is written as the language writes it', async () => {
    const { text } = await get('/de/shop/', 'currency=EUR')
    expect(prices(text)[0]).toMatch(/^\d+,99\u00a0€$/)
  })

  it('CUR-07 narrows and sorts by the prices that are shown', async () => {
    const all = prices((await get('/shop/?orderby=price', 'currency=JPY')).text)
    const numbers = all.map((text) => Number(text.replace(/\D/g, '')))
    expect(numbers.length).toBeGreaterThan(5)
    const { text } = await get(`/shop/?min_price=${numbers[2]}&max_price=${numbers[2]}`, 'currency=JPY')
    expect(new Set(prices(text.split('class="products')[1] ?? ''))).toContain(all[2])
  })

  it('CUR-07 a switch takes the bounds of a listing’s prices along', async () => {
    const chosen = async (from: string, to: string, query: string) => {
      const headers: Record<string, string> = from === 'USD' ? {} : { cookie: `currency=${from}` }
      const answer = await choose(to, { _wp_http_referer: `/de/shop/?${query}` }, headers)
      return answer.headers.get('location')
    }
    // At 0.9, up to the next whole one, less a cent: $20 are €17.99, and $40 are €35.99.
    expect(await chosen('USD', 'EUR', 'min_price=20&max_price=40&orderby=price')).toBe(
      '/de/shop/?min_price=17&max_price=36&orderby=price',
    )
    // At 150 and a tenth on top of it.
    expect(await chosen('USD', 'JPY', 'max_price=39.5')).toBe('/de/shop/?max_price=6518')
    expect(await chosen('JPY', 'USD', 'min_price=3300&max_price=6518')).toBe('/de/shop/?min_price=20&max_price=40')
    expect(await chosen('EUR', 'EUR', 'min_price=20')).toBe('/de/shop/?min_price=20')
    // What is no price where it was written falls away, and so does what nothing costs.
    expect(await chosen('JPY', 'USD', 'min_price=12.5&orderby=price')).toBe('/de/shop/?orderby=price')
    expect(await chosen('USD', 'JPY', 'min_price=20&max_price=999999999')).toBe('/de/shop/?min_price=3300')

    const shown = prices((await get('/shop/?min_price=20&max_price=40')).text.split('class="products')[1] ?? '')
    const again = (await get('/shop/?min_price=3300&max_price=6600', 'currency=JPY')).text
    expect(shown.length).toBeGreaterThan(0)
    expect(prices(again.split('class="products')[1] ?? '')).toHaveLength(shown.length)
  })

  it('programs read the shop’s own: site map and structured prices of a page without a choice', async () => {
    expect((await get('/sitemap.xml', 'currency=EUR')).headers.get('cache-control')).toContain('public')
    expect((await get('/product/plain-mug/')).text).toContain('"priceCurrency":"USD"')
    expect((await get('/product/plain-mug/', 'currency=EUR')).text).toContain('"priceCurrency":"EUR"')
  })

  it('CUR-04 CUR-05 scripts are told the currency, its rate with fee, and how it is written', async () => {
    const settings = async (cookie: string) =>
      JSON.parse(/id="vitrine-settings">([^<]*)</.exec((await get('/shop/', cookie)).text)?.[1] ?? '{}')
    expect((await settings('')).wc_currency_params).toBeUndefined()
    expect((await settings('currency=JPY')).wc_currency_params).toEqual({
      ID: '3',
      currency: 'JPY',
      symbol: '¥',
      rate: '150',
      fee: { type: 'percentage', value: '10' },
      currencyPosition: 'left',
      decimalSeparator: '.',
      numberDecimal: '0',
      thousandSeparator: ',',
    })
    const keys = async (cookie: string) => (await settings(cookie)).wc_cart_fragments_params.fragment_name
    expect(await keys('currency=JPY')).not.toBe(await keys('currency=EUR'))
  })
})

describe('the currency of a country', () => {
  it('CUR-03 shows on a first visit where the shop goes by it; a choice wins over it, and crawlers see the shop’s own', async () => {
    await using abroad = await aShop({
      wallet: false,
      settings: {
        currencies: [{ code: 'EUR', rate: '0.9', countries: ['DE'] }],
        exchange: { byCountry: true, countryHeader: 'x-country' },
      },
    })
    const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
    const seen = async (own: Record<string, string>) => {
      const headers = { 'user-agent': browser, ...own }
      return prices(await (await fetch(`${abroad.url}/product/plain-mug/`, { headers })).text())[0]?.charAt(0)
    }
    // Kept for strangers first: those who come from there must not be given it.
    expect(await seen({})).toBe('$')
    expect(await seen({ 'x-country': 'de' })).toBe('€')
    expect(await seen({ 'x-country': 'US' })).toBe('$')
    expect(await seen({ 'x-country': 'DE<script>' })).toBe('$')
    expect(await seen({ 'x-country': 'DE', 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })).toBe('$')
    const chosen = await fetch(`${abroad.url}/currency/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: abroad.url, 'x-country': 'DE' },
      body: new URLSearchParams({ currency: 'USD' }),
    })
    expect(chosen.headers.getSetCookie().join()).toContain('currency=USD')
    expect(await seen({ 'x-country': 'DE', cookie: 'currency=USD' })).toBe('$')
  })
})
