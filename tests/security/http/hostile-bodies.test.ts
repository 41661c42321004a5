import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeNonceAction } from '#contract/cart/store-headers.ts'
import { urls } from '#contract/shared/urls.ts'
import { emptyAddress } from '#shop/customers/sessions/session-state.ts'
import { makeApiKey } from '#shop/operations/api-keys.ts'
import { type Door, everyEndpoint } from '#tests/security/support/entry-points.ts'
import { aGuest, type Guest } from '#tests/security/support/guest.ts'
import { hostileValues, malformedBodies } from '#tests/security/support/hostile-bodies.ts'
import { everythingStored } from '#tests/security/support/state.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const order = { id: 4000, key: 'wc_order_aaaaaaaaaaaaaaaaaaaaaa' }
// The library takes files, and reads them for nobody but the staff: tests/calls/rest/media.test.ts.
const doors = everyEndpoint(order).filter(({ name }) => name !== 'media')
let shop: TestShop
let guest: Guest
let neighbour: Guest

beforeAll(async () => {
  shop = await aShop()
  await anOldOrder()
  guest = aGuest(shop)
  neighbour = aGuest(shop)
  await guest.add('MUG')
  await neighbour.add('BOWL')
})
afterAll(() => shop.close())

/** Somebody's order of an hour ago: seeing it needs key and e-mail address. */
async function anOldOrder() {
  const then = new Date(Date.now() - 3_600_000)
  await shop.db.kysely
    .insertInto('orders')
    .values({
      ...order,
      status: 'completed',
      payment_state: 'paid',
      session_id: 'somebody',
      intention: 'x',
      cart_hash: '',
      currency: 'USD',
      prices_include_tax: false,
      total: 1200,
      billing: { ...emptyAddress, email: 'ida@example.test', last_name: 'Vale' },
      shipping: emptyAddress,
      payment_method: 'cod',
      payment_method_title: 'Cash on delivery',
      created_at: then,
      updated_at: then,
      paid_at: then,
    })
    .execute()
}

async function linesOf({ sessionId }: Guest): Promise<{ key: string; quantity: number }[]> {
  const [row] = await shop.db.sql`select state->'lines' as lines from sessions where id = ${sessionId}`
  return row?.lines ?? []
}

/**
 * Processor time is what a stall costs others; wall time depends on who else uses the machine. Compiling and collecting garbage of a
 * whole worker count as well, so the limit is that of a stall, not of one request.
 */
async function withinReason(request: () => Promise<Response>): Promise<Response> {
  const { user, system } = process.cpuUsage()
  const response = await request()
  const after = process.cpuUsage()
  expect((after.user + after.system - user - system) / 1000, 'processor time in milliseconds').toBeLessThan(1_000)
  return response
}

/** The Store API has a nonce of its own. REST v3 asks for a key before it reads: the keys' own test follows below. */
function passOf(door: Door): ReturnType<Door['pass']> {
  const { headers, fields } = door.pass(guest)
  const isStore = door.path.includes('/wc/store/')
  return { headers: isStore ? { ...headers, nonce: guest.nonce(storeNonceAction) } : headers, fields }
}
const isForPrograms = (door: Door) => door.path.includes('/wc/v3/')

describe.each(doors)('$name', (door) => {
  it('M9 T24 refuses every malformed body, and nothing has changed', async () => {
    const before = await everythingStored(shop.db)
    for (const { what, type, body, status } of malformedBodies) {
      const { headers, fields } = passOf(door)
      // The nonce travels in the address, so that the body is refused for what it is.
      const query = new URLSearchParams(fields).toString()
      const path = door.path + (query ? `${door.path.includes('?') ? '&' : '?'}${query}` : '')
      const response = await withinReason(() =>
        guest.send(path, { method: 'POST', headers: { ...headers, 'content-type': type }, body }),
      )
      const text = await response.text()
      // The provider's own door reads bytes before it knows of types, and takes larger ones; that of browsers' reports small ones.
      const byItsOwnRules =
        ['webhook', 'policy-report'].includes(door.name) || door.name.startsWith('shipping-callback/')
      if (isForPrograms(door)) expect(response.status, what).toBe(401)
      else if (byItsOwnRules) expect([400, 401, 413], `${what}: ${text}`).toContain(response.status)
      else expect(response.status, `${what}: ${text.slice(0, 200)}`).toBe(status)
      expect(text.length, what).toBeLessThan(500)
      expect(text).not.toMatch(/\bat \/|node_modules|select |postgres/i)
    }
    expect(await everythingStored(shop.db)).toEqual(before)
  })

  it('M9 T9 takes hostile values for what they are, and touches nobody else', async () => {
    const others = await everythingStored(shop.db, [guest.sessionId])
    for (const field of door.fields) {
      for (const value of hostileValues) {
        const response = await withinReason(() => send(door, field, value))
        const label = `${field}=${JSON.stringify(value)?.slice(0, 60)}`
        const text = await response.text()
        expect(response.status, `${label}: ${text.slice(0, 300)}`).toBeLessThan(500)
        expect(text).not.toMatch(/<script>alert|<img src=x/)
        expect(text).not.toContain('Vale')
      }
    }
    const after = await everythingStored(shop.db, [guest.sessionId])
    // A proper request with one odd field may still be an order of this visitor's; nothing of others moves.
    for (const table of ['products', 'coupons', 'settings', 'images', 'captures', 'stock_movements', 'sessions'])
      expect([table, after[table]]).toEqual([table, others[table]])
    for (const { quantity } of await linesOf(guest)) {
      expect(Number.isSafeInteger(quantity) && quantity > 0 && quantity <= 50, `quantity ${quantity}`).toBe(true)
    }
    expect((await fetch(`${shop.url}/healthz`)).status).toBe(200)
    await shop.db.sql`update sessions set state = jsonb_set(state, '{notices}', '[]') where id = ${guest.sessionId}`
  })

  function send(to: Door, field: string, value: unknown): Promise<Response> {
    const { headers, fields } = to.pass(guest)
    const proper = { payment_method: 'ppcp', context: 'checkout', ...fields }
    if (to.json) {
      return guest.send(to.path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ ...proper, [field]: value }),
      })
    }
    const body = new URLSearchParams(proper)
    if (typeof value === 'string') body.set(field, value)
    else if (Array.isArray(value)) for (const inner of value.slice(0, 900)) body.append(`${field}[]`, String(inner))
    else
      for (const [name, inner] of Object.entries(Object(value ?? {}))) body.append(`${field}[${name}]`, String(inner))
    return guest.send(to.path, { method: 'POST', headers, body })
  }
})

describe('what belongs to somebody else', () => {
  it('T10 T15 cannot be taken out of a cart by its key', async () => {
    const before = await everythingStored(shop.db, [guest.sessionId])
    const cart_item_key = (await linesOf(neighbour))[0]?.key ?? 'none'
    expect(await (await guest.post('/?wc-ajax=remove_from_cart', { cart_item_key })).json()).toEqual({ success: false })
    await guest.post('/cart/', {
      update_cart: '1',
      [`cart[${cart_item_key}][qty]`]: '0',
      'woocommerce-cart-nonce': guest.nonce('woocommerce-cart'),
    })
    expect(await everythingStored(shop.db, [guest.sessionId])).toEqual(before)
  })

  it("T1 P3 another visitor's wallet order pays nothing of mine", async () => {
    const opened = await neighbour.send(urls.paypalRest('cart/order'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-WP-Nonce': neighbour.nonce('wp_rest') },
      body: JSON.stringify({ payment_method: 'ppcp', context: 'cart' }),
    })
    const walletOrder = await opened.json()
    expect(walletOrder).toMatch(/^[A-Z0-9]{17}$/)
    await shop.emulate(`/orders/${walletOrder}/approve`, {})
    const before = await everythingStored(shop.db, [guest.sessionId])
    const answer = await guest.send(urls.paypalRest('cart/checkout'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-WP-Nonce': guest.nonce('wp_rest') },
      body: JSON.stringify({ payment_method: 'ppcp', context: 'cart', ppcp_paypal_order_id: walletOrder }),
    })
    expect(await answer.json()).toMatchObject({ result: 'failure' })
    const back = await guest.send(`${urls.walletReturn()}?token=${walletOrder}`)
    expect(back.headers.get('location')).toBe('/cart/')
    const after = await everythingStored(shop.db, [guest.sessionId])
    for (const table of ['captures', 'sessions', 'payment_attempts', 'wallet_orders'])
      expect([table, after[table]]).toEqual([table, before[table]])
  })
})

it('M9 T24 a program’s malformed body is refused as well, and nothing has changed', async () => {
  const { tools } = shop.shop.application
  const key = await makeApiKey(tools, { description: 'ERP', permission: 'read_write', who: 'tester' })
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`
  const rows = () => shop.db.sql`select id, name from products order by id`
  const before = await rows()
  for (const { what, type, body, status } of malformedBodies) {
    const response = await withinReason(() =>
      fetch(`${shop.url}${urls.rest('wc/v3/products')}`, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body,
      }),
    )
    // Batches of programs may be larger than forms: then the schema refuses.
    expect(status === 413 ? [413, 400] : [status], what).toContain(response.status)
    expect((await response.text()).length, what).toBeLessThan(500)
  }
  expect(await rows()).toEqual(before)
})
