import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { monitorHeaders } from '#tests/support/process/monitor.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let owner: Guest
let stranger: Guest
let order: { id: number; key: string }
const private_ = ['Ida', 'Vale', '1 Quay Street', 'Oakland', 'ida@example.test', '510 555 0100']

beforeAll(async () => {
  shop = await aShop({ wallet: false })
  owner = aGuest(shop)
  stranger = aGuest(shop)
  await owner.add('MUG')
  await stranger.add('BOWL')
  order = await bought(owner)
})
afterAll(() => shop.close())

async function bought(guest: Guest): Promise<{ id: number; key: string }> {
  const answer = await guest.post('/?wc-ajax=checkout', {
    'woocommerce-process-checkout-nonce': guest.nonce('woocommerce-process_checkout'),
    billing_first_name: 'Ida',
    billing_last_name: 'Vale',
    billing_country: 'US',
    billing_address_1: '1 Quay Street',
    billing_city: 'Oakland',
    billing_state: 'CA',
    billing_postcode: '94607',
    billing_phone: '510 555 0100',
    billing_email: 'ida@example.test',
    payment_method: 'cod',
    terms: 'on',
    'terms-field': '1',
  })
  const { redirect, messages } = (await answer.json()) as { redirect?: string; messages?: string }
  if (!redirect) throw new Error(`no order: ${messages}`)
  const url = new URL(redirect, shop.url)
  return { id: Number(/\/(\d+)\//.exec(url.pathname)?.[1]), key: url.searchParams.get('key') ?? '' }
}

const page = (key: string, id: number | string = order.id) =>
  `/checkout/order-received/${id}/?key=${encodeURIComponent(key)}`
const grow = (minutes: number) =>
  shop.db.sql`update orders set created_at = now() - ${`${minutes} minutes`}::interval where id = ${order.id}`

async function shown(guest: Guest, path: string, sent = {}): Promise<string> {
  const response = await guest.send(path, { headers: { accept: 'text/html' }, ...sent })
  expect(response.status).toBeLessThan(500)
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  return response.text()
}

describe('the page of an order', () => {
  it('T6 shows its owner all of it, however old', async () => {
    await grow(60 * 24)
    const text = await shown(owner, page(order.key))
    for (const fact of ['Ida Vale', '1 Quay Street', 'ida@example.test', 'Plain mug']) expect(text).toContain(fact)
    await grow(0)
  })

  it.each([
    ['no key', () => page('')],
    ['a wrong key', () => page(`wc_order_${'x'.repeat(22)}`)],
    ['half of the key', () => page(order.key.slice(0, -1))],
    ['a longer key', () => page(`${order.key}x`)],
    ['the key in capitals', () => page(order.key.toUpperCase())],
    ['the key of another order', () => page(order.key, order.id + 1)],
    ['a list of keys', () => `/checkout/order-received/${order.id}/?key[]=${order.key}`],
    ['an id that is no number', () => page(order.key, `${order.id}abc`)],
    ['a negative id', () => page(order.key, `-${order.id}`)],
    ['a huge id', () => page(order.key, '99999999999999999999')],
    ['an id with SQL in it', () => page(order.key, encodeURIComponent(`${order.id} or 1=1`))],
  ])('T6 T10 with %s tells a stranger, and the owner, nothing', async (_, path) => {
    for (const guest of [stranger, owner]) {
      const text = await shown(guest, path())
      for (const fact of [...private_, 'Plain mug', order.key]) expect(text).not.toContain(fact)
    }
  })

  it('T12 does not say whether an order exists', async () => {
    const wrong = `wc_order_${'x'.repeat(22)}`
    const without = (text: string) => text.replace(/[0-9a-f]{16,32}|\d{4}/g, '')
    expect(without(await shown(stranger, page(wrong)))).toBe(without(await shown(stranger, page(wrong, 9999))))
  })

  it('T6 I10 asks a stranger with the link for the e-mail address once it is ten minutes old', async () => {
    await grow(11)
    const asked = await shown(stranger, page(order.key))
    expect(asked).toContain('woocommerce-verify-email')
    for (const fact of private_) expect(asked).not.toContain(fact)

    const answer = async (email: string, nonce: string, headers: Record<string, string> = {}) =>
      shown(stranger, page(order.key), {
        method: 'POST',
        headers: { accept: 'text/html', ...headers },
        body: new URLSearchParams({ email, check_submission: nonce, verify: '1' }),
      })
    const nonce = stranger.nonce('wc_verify_email')
    for (const [email, with_] of [
      ['other@example.test', nonce],
      ['', nonce],
      ['ida@example.test', ''],
      ['ida@example.test', owner.nonce('wc_verify_email')],
      ['%', nonce],
    ] as const) {
      expect(await answer(email, with_)).toContain('woocommerce-verify-email')
    }
    const foreign = await answer('ida@example.test', nonce, { origin: 'https://evil.example' })
    expect(foreign).not.toContain('1 Quay Street')
    expect(await answer(' IDA@example.test ', nonce)).toContain('1 Quay Street')
    // The answer opens this one view; it makes nobody the owner.
    expect(await shown(stranger, page(order.key))).toContain('woocommerce-verify-email')
  })

  it('T5 T10 a new session is no owner of what an old one bought', async () => {
    await grow(11)
    expect(await shown(aGuest(shop), page(order.key))).toContain('woocommerce-verify-email')
  })

  it('P12 I10 no page, call or file gives away what the shop keeps to itself', async () => {
    const { secret } = shop.shop.application
    const token = [...owner.cookies.values()].find((value) => value.length === 64) ?? 'none'
    for (const path of [
      '/',
      '/cart/',
      '/checkout/',
      page(order.key),
      '/metrics',
      '/robots.txt',
      '/healthz',
      '/shop/',
    ]) {
      const text = await (await owner.send(path, { headers: monitorHeaders })).text()
      for (const canary of [secret, token, owner.sessionId, 'emulator-secret', shop.databaseUrl])
        expect(text).not.toContain(canary)
    }
  })
})
