import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { type Door, everyEndpoint } from '#tests/security/support/entry-points.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { everythingStored } from '#tests/security/support/state.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

/** The provider is no browser: its own secrets say who it is. */
const ofTheProvider = ['webhook', 'shipping-callback/:token']
const doors = everyEndpoint({ id: 1, key: 'wc_order_x' }).filter(({ name }) => !ofTheProvider.includes(name))
let shop: TestShop
let guest: Guest
let other: Guest
beforeAll(async () => {
  shop = await aShop()
  guest = aGuest(shop)
  other = aGuest(shop)
  await guest.add('MUG')
  await other.add('BOWL')
})
afterAll(() => shop.close())
const quiet = () => shop.db.sql`update sessions set state = jsonb_set(state, '{notices}', '[]')`
beforeEach(async () => {
  await quiet()
})

const hour = 3_600_000
function nonceOf(action: string, sessionId: string, hoursAgo = 0): string {
  const at = new Date(Date.now() - hoursAgo * hour)
  return nonceFor(shop.shop.application.secret, action, sessionId, at)
}

/** Nonces that must not do, by what is wrong with them. */
const wrongNonces: [string, (action: string) => string][] = [
  ['missing', () => ''],
  ['made up', () => '0123456789'],
  ["another visitor's", (action) => nonceOf(action, other.sessionId)],
  ['of a visitor without a session', (action) => nonceOf(action, '')],
  ['for something else', () => nonceOf('something-else', guest.sessionId)],
  ['a day old', (action) => nonceOf(action, guest.sessionId, 24.1)],
  ['longer', (action) => `${nonceOf(action, guest.sessionId)}0`],
  ['in capitals', (action) => `${nonceOf(action, guest.sessionId).toUpperCase().slice(0, 9)}A`],
]

describe.each(wrongNonces)('T26 a nonce that is %s', (_, wrong) => {
  it.each(calls.flatMap(({ name, forgery }) => ('nonce' in forgery ? [{ name, ...forgery }] : [])))(
    'is refused by $name with -1',
    async ({ name, nonce, field }) => {
      const before = await everythingStored(shop.db)
      const path = doors.find((door) => door.name === name)?.path ?? ''
      const response = await guest.post(path, { [field]: wrong(nonce), coupon_code: 'x', coupon: 'x' })
      expect([response.status, await response.text()]).toEqual([403, '-1'])
      expect(await everythingStored(shop.db)).toEqual(before)
    },
  )

  it.each(
    calls.flatMap((call) =>
      'header' in call.forgery
        ? [call.method, ...(call.alsoMethods ?? [])].map((method) => [method, call.name, restPath(call)] as const)
        : [],
    ),
  )('is refused by %s %s with rest_cookie_invalid_nonce', async (method, _, path) => {
    const before = await everythingStored(shop.db)
    const response = await guest.send(routeAddress(path), {
      method,
      headers: { 'X-WP-Nonce': wrong('wp_rest'), 'content-type': 'application/json' },
      ...(method === 'GET'
        ? {}
        : { body: JSON.stringify({ payment_method: 'ppcp', context: 'cart', product_id: await shop.idOf('MUG') }) }),
    })
    expect([response.status, (await response.json()).code]).toEqual([403, 'rest_cookie_invalid_nonce'])
    expect(await everythingStored(shop.db)).toEqual(before)
  })

  it('makes the checkout ask for another try, and places nothing', async () => {
    const before = await everythingStored(shop.db)
    const answer = await guest.post('/?wc-ajax=checkout', {
      'woocommerce-process-checkout-nonce': wrong('woocommerce-process_checkout'),
      payment_method: 'cod',
    })
    expect(await answer.json()).toMatchObject({
      result: 'failure',
      refresh: true,
      messages: expect.stringContaining('We were unable to process your order'),
    })
    expect(await everythingStored(shop.db)).toEqual(before)
    const form = await guest.post('/checkout/', {
      'woocommerce-process-checkout-nonce': wrong('woocommerce-process_checkout'),
      payment_method: 'cod',
    })
    expect(form.headers.get('location')).toBe('/checkout/')
    expect((await everythingStored(shop.db)).orders).toBe(before.orders)
  })

  it('leaves the cart as it is, by form and by link', async () => {
    const key = await lineKey()
    const before = await everythingStored(shop.db)
    const nonce = wrong('woocommerce-cart')
    await guest.post('/cart/', { update_cart: '1', [`cart[${key}][qty]`]: '3', 'woocommerce-cart-nonce': nonce })
    await guest.post('/cart/', {
      calc_shipping: '1',
      calc_shipping_country: 'DE',
      'woocommerce-shipping-calculator-nonce': wrong('woocommerce-shipping-calculator'),
    })
    await guest.send(`/cart/?remove_item=${key}&_wpnonce=${nonce}`)
    await guest.send(`/cart/?undo_item=${key}&_wpnonce=${nonce}`)
    expect(await everythingStored(shop.db)).toEqual(before)
  })
})

describe('a nonce', () => {
  it('is good for twelve hours at least, also after a restart', async () => {
    for (const hoursAgo of [0, 6, 11.9]) {
      const security = nonceOf('apply-coupon', guest.sessionId, hoursAgo)
      const response = await guest.post('/?wc-ajax=apply_coupon', { security, coupon_code: 'none' })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain('woocommerce-error')
    }
  })

  it('lets the cart be changed by form and by link', async () => {
    const key = await lineKey()
    const nonce = nonceOf('woocommerce-cart', guest.sessionId)
    await guest.post('/cart/', { update_cart: '1', [`cart[${key}][qty]`]: '3', 'woocommerce-cart-nonce': nonce })
    expect(await quantity()).toBe(3)
    await guest.send(`/cart/?remove_item=${key}&_wpnonce=${nonce}`)
    expect(await quantity()).toBeUndefined()
    await guest.send(`/cart/?undo_item=${key}&_wpnonce=${nonce}`)
    expect(await quantity()).toBe(3)
  })

  it('in brackets, or given twice, is no nonce', async () => {
    const security = nonceOf('apply-coupon', guest.sessionId)
    const inBrackets = await guest.post('/?wc-ajax=apply_coupon', { 'security[]': security, coupon_code: 'x' })
    expect(inBrackets.status).toBe(403)
    const body = `security=${security}&security=&coupon_code=x`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await guest.send('/?wc-ajax=apply_coupon', { method: 'POST', headers, body })).status).toBe(403)
  })
})

const foreign: [string, Record<string, string>][] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['an origin that begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
  ['our host on another port', { origin: 'http://127.0.0.1:1' }],
  ['a hidden origin', { origin: 'null' }],
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another site that names no origin', { 'sec-fetch-site': 'cross-site', referer: 'http://127.0.0.1/' }],
  ['a neighbouring site', { 'sec-fetch-site': 'same-site', origin: 'https://blog.example' }],
  ['a page of others', { referer: 'https://evil.example/' }],
  ['nowhere readable', { referer: 'not an address' }],
]

describe.each(foreign)('T26 a post from %s', (_, headers) => {
  it.each(doors.filter(({ name }) => !name.includes('order-received')))(
    'is refused by $name, whatever nonce it carries',
    async (door: Door) => {
      const before = await everythingStored(shop.db)
      const pass = door.pass(guest)
      const response = await guest.send(door.path, {
        method: 'POST',
        headers: { ...pass.headers, ...headers },
        body: new URLSearchParams({
          ...pass.fields,
          product_id: String(await shop.idOf('MUG')),
          'add-to-cart': String(await shop.idOf('MUG')),
          payment_method: 'cod',
        }),
      })
      expect(response.status, await response.text()).toBe(403)
      expect(await everythingStored(shop.db)).toEqual(before)
    },
  )
})

describe('a post from our own pages', () => {
  it.each([
    ['by its origin', () => ({ origin: shop.url })],
    ['by what the browser says', () => ({ 'sec-fetch-site': 'same-origin', origin: shop.url })],
    ['by its page alone', () => ({ referer: `${shop.url}/shop/` })],
    ['with nothing that says otherwise', () => ({})],
  ])('is heard, known %s', async (_, headers) => {
    const response = await guest.send('/?wc-ajax=get_refreshed_fragments', { method: 'POST', headers: headers() })
    expect(response.status).toBe(200)
  })

  it('T26 a link that fills the cart is not followed by a speculative load', async () => {
    const before = await everythingStored(shop.db)
    const link = `/shop/?add-to-cart=${await shop.idOf('MUG')}`
    const response = await guest.send(link, { headers: { 'sec-purpose': 'prefetch;prerender' } })
    expect(response.status).toBe(503)
    expect((await guest.send(link, { method: 'HEAD' })).status).toBeLessThan(500)
    expect(await everythingStored(shop.db)).toEqual(before)
  })
})

async function lines(): Promise<{ key: string; quantity: number }[]> {
  const [row] = await shop.db.sql`select state->'lines' as lines from sessions where id = ${guest.sessionId}`
  return row?.lines ?? []
}
const lineKey = async () => (await lines())[0]?.key ?? 'none'
const quantity = async () => (await lines())[0]?.quantity
