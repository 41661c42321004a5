import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let guest: Guest
let lines: Record<string, unknown>[] = []
/** One that a test moves on: each minute has lines of its own. */
let minutes = 0
beforeAll(async () => {
  const warn = (facts: Record<string, unknown>, message: string) => {
    if (message === 'request rejected') lines.push(facts)
  }
  const system = systemEnvironment(systemLog('silent'), ['127.0.0.1'])
  const clock = { ...system.clock, now: () => new Date(system.clock.now().getTime() + minutes * 60_000) }
  shop = await aShop({ environment: { log: { ...systemLog('silent'), warn }, clock } })
})
afterAll(() => shop?.close())
beforeEach(() => {
  minutes += 1
  lines = []
  guest = aGuest(shop)
})

const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

describe('T26 T38 the log of refused requests', () => {
  it.each([
    ['origin', 'add_to_cart', '/?wc-ajax=add_to_cart', { headers: foreign, body: form({ product_id: '1' }) }],
    ['origin', 'form', '/cart/', { headers: foreign, body: form({ update_cart: '1' }) }],
    ['nonce', 'apply-coupon', '/?wc-ajax=apply_coupon', { body: form({ security: '0123456789', coupon_code: 'X' }) }],
    ['nonce', 'wp_rest', urls.restUser(1), { body: form({}) }],
    ['nonce', 'woocommerce-cart', '/cart/', { body: form({ update_cart: '1', 'woocommerce-cart-nonce': 'no' }) }],
    ['input', 'cart/refresh', urls.paypalRest('cart/refresh'), { body: form({ page: 'x'.repeat(50) }) }],
  ] as const)('says that %s has refused %s', async (control, of, path, sent) => {
    await guest.send(path, { method: 'POST', ...sent })
    expect(lines).toMatchObject([{ control, of, method: 'POST', customerId: null, unsaid: 0 }])
    expect(lines[0]?.requestId).toMatch(/^[0-9a-f]{16}$/)
  })

  it('T10 says who asked for what is the staff’s, a program’s, or somebody else’s', async () => {
    const ada = aCustomer(shop, 'ada@example.test')
    await ada.register()
    const [row] = await shop.db.sql`select id from customers where email = 'ada@example.test'`
    lines = []
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    await guest.send('/translate/texts/', { headers: { cookie } })
    await guest.send(urls.rest('wc/v3/orders'))
    await guest.send('/checkout/order-received/4711/?key=wc_order_guessed')
    expect(lines.map(({ control, of, customerId, path }) => [control, of, customerId, path])).toEqual([
      ['role', 'translator', Number(row?.id), '/translate/texts/'],
      ['role', 'orders', null, '/wp-json/wc/*/orders'],
      ['order-key', 'order', null, '/checkout/order-received/*/'],
    ])
    expect(JSON.stringify(lines)).not.toMatch(/ada@|4711|guessed|127\.0\.0\.1/)
  })

  it('says thirty of a kind in a minute, and then how many more there were', async () => {
    const attack = () => guest.send('/cart/', { method: 'POST', headers: foreign, body: form({ update_cart: '1' }) })
    for (let times = 0; times < 40; times += 1) await attack()
    expect(lines).toHaveLength(30)
    minutes += 1
    await attack()
    expect(lines.at(-1)).toMatchObject({ control: 'origin', unsaid: 10 })
  })

  it('says nothing of what is allowed', async () => {
    await guest.add('MUG')
    const nonce = guest.nonce('woocommerce-cart')
    const fields = { calc_shipping: '1', calc_shipping_country: 'US', 'woocommerce-cart-nonce': nonce }
    await guest.send('/cart/', { method: 'POST', body: form(fields) })
    for (const path of ['/', '/cart/', '/checkout/', '/my-account/', '/no-such-page/']) await guest.send(path)
    expect(lines).toEqual([])
  })
})
