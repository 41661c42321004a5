import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refererPath } from '#server/http/redirect.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { hostileRedirects } from '#tests/security/support/hostile-urls.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { size } from '#tests/support/size.ts'

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

/** What a browser makes of an answer that leads on; null: it stays. */
function leadsTo(response: Response, from: string): URL | null {
  const location = response.headers.get('location')
  return location === null ? null : new URL(location, shop.url + from)
}

const plainHeader = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) && text.length < 4000 ? { referer: text } : undefined

/** Every place that leads on to where a visitor came from, or wants to go. */
const doors: readonly (readonly [from: string, open: (address: string) => Promise<Response>])[] = [
  ['/currency/', (address) => form('/currency/', { currency: 'USD', _wp_http_referer: address })],
  [
    '/cart/',
    (address) =>
      form('/cart/', {
        update_cart: '1',
        _wp_http_referer: address,
        'woocommerce-cart-nonce': guest.nonce('woocommerce-cart'),
      }),
  ],
  [
    '/product/plain-mug/',
    (address) =>
      form('/product/plain-mug/', { _wp_http_referer: address, redirect_to: address, 'add-to-cart': '999999' }),
  ],
  ['/shop/', (address) => guest.send('/shop/?add-to-cart=999999', { headers: plainHeader(address) ?? {} })],
  ['/cart/', (address) => guest.send('/cart/?remove_item=x', { headers: plainHeader(address) ?? {} })],
  [
    '/cart/',
    (address) => guest.send(`/cart/?cancel_order=true&order=x&order_id=1&redirect=${encodeURIComponent(address)}`),
  ],
  [
    '/checkout/wallet-return/',
    (address) => guest.send(`/checkout/wallet-return/?token=${encodeURIComponent(address).slice(0, 3000)}`),
  ],
  [
    '/checkout/wallet-cancel/',
    (address) => guest.send(`/checkout/wallet-cancel/?token=${encodeURIComponent(address).slice(0, 3000)}`),
  ],
  ['/', (address) => guest.send(`/${address.slice(0, 1500).replace(/[^\x21-\x7e]|#.*/g, '') || 'x'}`)],
  ['/', (address) => guest.send(`/de/${encodeURIComponent(address.slice(0, 900))}`)],
]
const form = (path: string, fields: Record<string, string>) =>
  guest.send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-origin' } })

describe('T21 M12 no address of a thousand', () => {
  it('T21 M12 is taken for a page that somebody came from', () => {
    const at = 'http://shop.example/cart/'
    for (const address of hostileRedirects(size(2000, 20_000), 'shop.example')) {
      const path = refererPath(new Request(at), address, '/cart/', [])
      expect(path.startsWith('/') && !/^\/[/\\]/.test(path) && !/[\p{Cc}\\]/u.test(path), address).toBe(true)
      expect(new URL(path, at).origin, address).toBe('http://shop.example')
    }
  })

  it('T21 M12 leads out of the shop, through any door', { timeout: size(120_000, 1_200_000) }, async () => {
    const host = new URL(shop.url).host
    const out: string[] = []
    for (const [number, address] of hostileRedirects(1000, host).entries()) {
      for (const [at, [from, open]] of doors.entries()) {
        // Each address through one door, and at night through all.
        if (at !== number % doors.length && size(1, 0) === 1) continue
        const response = await open(address)
        const there = leadsTo(response, from)
        if (response.status >= 500) out.push(`${from} answered ${response.status} to ${JSON.stringify(address)}`)
        if (there && (there.origin !== shop.url || there.username !== ''))
          out.push(`${from} ${JSON.stringify(address)} → ${there.href}`)
      }
    }
    expect(out).toEqual([])
  })

  it('T21 M12 is where a login leads to', { timeout: size(120_000, 1_200_000) }, async () => {
    const customer = aCustomer(shop, 'lena@example.test')
    await customer.register()
    const out: string[] = []
    // Whoever is logged in already is led on by the same rule, without a password to be weighed.
    for (const address of hostileRedirects(size(150, 1000), new URL(shop.url).host, 5)) {
      const response = await customer.logIn({ redirect: address, _wp_http_referer: address })
      const there = leadsTo(response, '/my-account/')
      // What no address can hold is refused as a form.
      if (there ? there.origin !== shop.url : response.status !== 400)
        out.push(`${JSON.stringify(address)} → ${there?.href ?? response.status}`)
    }
    expect(out).toEqual([])
  })
})
