import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { languages: [{ tag: 'de-DE' }] } })
})
afterAll(() => shop?.close())

async function asked(path: string, init: RequestInit = {}) {
  const response = await fetch(shop.url + path, { redirect: 'manual', ...init })
  return { status: response.status, to: response.headers.get('location') }
}

const pages = [
  '/shop',
  '/product-category/kitchen',
  '/product-category/kitchen/page/1',
  '/product/plain-mug',
  '/cart',
  '/checkout',
  '/my-account',
  '/my-account/orders',
  '/my-account/edit-address/billing',
  '/my-account/lost-password',
  '/my-account/customer-logout',
  '/my-account/payment-methods',
  '/checkout/order-received/1',
  '/checkout/order-pay/1',
  '/terms',
  '/translate',
  '/statistics',
  '/de/shop',
  '/de/product-category/kitchen',
  '/de/product/plain-mug',
  '/de/terms',
]

describe('an address without its last slash', () => {
  it.each(pages)('leads for good to the page, with what is asked of it: %s', async (path) => {
    const query = '?utm_source=a%20b&x=%C3%A9'
    expect(await asked(path + query)).toEqual({ status: 301, to: `${path}/${query}` })
    expect(await asked(path, { method: 'HEAD' })).toEqual({ status: 301, to: `${path}/` })
  })

  it('leads to nothing that is not there', async () => {
    for (const path of ['/product-category/nothing', '/product/nothing', '/nothing', '/de/nothing', '/assets/x']) {
      expect(await asked(path), path).toEqual({ status: 404, to: null })
    }
  })

  it('of a file is without the slash that somebody adds', async () => {
    expect((await asked('/robots.txt')).status).toBe(200)
    expect(await asked('/robots.txt/?x=1')).toEqual({ status: 301, to: '/robots.txt?x=1' })
    expect(await asked('/sitemap.xml/')).toEqual({ status: 301, to: '/sitemap.xml' })
  })

  it('is not led on when something is posted there', async () => {
    expect((await asked('/cart', { method: 'POST', body: new URLSearchParams({ x: '1' }) })).status).toBe(404)
  })
})
