import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop.close())

const ahead = (path: string, cookie = '') =>
  fetch(shop.url + path, {
    redirect: 'manual',
    headers: { 'sec-purpose': 'prefetch;prerender', ...(cookie ? { cookie } : {}) },
  })

describe('a request that nobody has made yet', () => {
  it.each([
    '/cart/',
    '/checkout/',
    '/checkout/order-pay/1/',
    '/my-account/',
    '/my-account/customer-logout/',
    '/?add-to-cart=1',
    '/shop/?orderby=price',
    '/?wc-ajax=get_refreshed_fragments',
    '/wp-json/wc-ppcp/v1/cart/item',
  ])('is refused for %s, and leaves no cookie', async (path) => {
    const response = await ahead(path)
    expect(response.status).toBe(503)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  it.each(['/', '/shop/', '/product/linen-shirt/'])('is answered for %s, which belongs to nobody', async (path) => {
    const response = await ahead(path)
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get('speculation-rules')).toBe('"/speculation-rules.json"')
  })

  it('is refused while there is something to tell, which is told when the page is asked for', async () => {
    const added = await fetch(`${shop.url}/shop/?add-to-cart=${await shop.idOf('MUG')}`, { redirect: 'manual' })
    const cookie = added.headers
      .getSetCookie()
      .map((it) => it.split(';')[0])
      .join('; ')
    expect(cookie).toContain('vitrine_notices')
    expect((await ahead('/shop/', cookie)).status).toBe(503)
    const told = await (await fetch(`${shop.url}/shop/`, { headers: { cookie } })).text()
    expect(told).toContain('class="woocommerce-message"')
  })
})

describe('the rules of what may be made ready', () => {
  it('come with the pages that belong to nobody, and with no other', async () => {
    const rules = await fetch(`${shop.url}/speculation-rules.json`)
    expect(rules.headers.get('content-type')).toBe('application/speculationrules+json')
    expect(Object.keys(await rules.json())).toEqual(['prerender', 'prefetch'])
    for (const path of ['/cart/', '/my-account/', '/no-such-page/']) {
      const response = await fetch(shop.url + path)
      await response.text()
      expect(response.headers.has('speculation-rules'), path).toBe(path === '/no-such-page/' && response.status === 200)
    }
  })
})
