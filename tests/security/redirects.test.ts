import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { aGuest, type Guest } from './support/guest.ts'

let shop: TestShop
let guest: Guest
beforeAll(async () => {
  shop = await aShop()
  guest = aGuest(shop)
  await guest.add('MUG')
})
afterAll(() => shop.close())

const elsewhere = [
  'https://evil.example/',
  'http://evil.example',
  '//evil.example/',
  '///evil.example/',
  '////evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nLocation: https://evil.example',
  ' //evil.example',
  '\u0001//evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'http:///evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'https://shop@evil.example/',
  'https://127.0.0.1@evil.example/',
  'https://evil.example#127.0.0.1',
  'https://evil.example?127.0.0.1',
  'https://127.0.0.1.evil.example/',
  'https://evil.example\\@127.0.0.1/',
  'https://evil.example%2f@127.0.0.1',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://127.0.0.1/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'file:///etc/passwd',
  'ftp://evil.example/',
  'ws://evil.example/',
  'mailto:a@evil.example',
  'about:blank',
  'view-source:https://evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  '/./\\evil.example',
  '//evil.example/%2f..',
  '//%65vil.example',
  '//evil%E3%80%82example',
  '//evil。example',
  '//ⓔvil.example',
  '//[::1]/',
  '//2130706434/',
  '//0x7f000002/',
  '/%09/evil.example',
  '/%5cevil.example',
  '/%0d%0aLocation:%20https://evil.example',
  'evil.example',
  '?https://evil.example',
  'http://127.0.0.1:1/',
  'http://localhost/',
  'x'.repeat(9000),
]

/** Where a browser ends up that is on the shop's page and follows this. */
function followed(response: Response, from: string): URL {
  const location = response.headers.get('location')
  expect(location).not.toBeNull()
  return new URL(location ?? '', shop.url + from)
}

describe('T21 M12 a redirect leads nowhere else', () => {
  it.each(elsewhere)('%j', async (target) => {
    const asForm = await guest.send('/cart/', {
      method: 'POST',
      body: new URLSearchParams({
        update_cart: '1',
        'woocommerce-cart-nonce': guest.nonce('woocommerce-cart'),
        _wp_http_referer: target,
      }),
    })
    const asField = await guest.send('/product/plain-mug/', {
      method: 'POST',
      body: new URLSearchParams({ _wp_http_referer: target, redirect_to: target, 'add-to-cart': '999999' }),
    })
    const asToken = await guest.send(`/checkout/wallet-return/?token=${encodeURIComponent(target).slice(0, 4000)}`)
    const answers: [Response, string][] = [
      [asForm, '/cart/'],
      [asField, '/product/plain-mug/'],
    ]
    if (asToken.status !== 400) answers.push([asToken, '/checkout/wallet-return/'])
    // What no header can hold cannot come in one.
    if (/^[\x20-\x7E]+$/.test(target)) {
      const headers = { referer: target }
      answers.push([await guest.send('/cart/?remove_coupon=x', { headers }), '/cart/'])
      answers.push([await guest.send('/cart/?remove_item=x', { headers }), '/cart/'])
      answers.push([await guest.send('/shop/?add-to-cart=999999', { headers }), '/shop/'])
    }
    for (const [response, from] of answers) {
      expect(response.status).toBe(303)
      const there = followed(response, from)
      expect(there.origin, response.headers.get('location') ?? '').toBe(shop.url)
      expect(there.pathname.startsWith('//')).toBe(false)
      expect(response.headers.get('location')).toMatch(/^\/(?![/\\])/)
    }
  })
})
