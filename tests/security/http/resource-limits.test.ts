import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { v3OrdersInput } from '#contract/orders/v3-orders.ts'
import { v3RefundsInput } from '#contract/payments/v3-refunds.ts'
import { urls } from '#contract/shared/urls.ts'
import { calls } from '#server/calls/shared/call-routes.ts'
import { limits } from '#server/http/request/body-limits.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { largestUploadBytes } from '#shop/content/media-library.ts'
import { aPeopledShop, type Identity, type PeopledShop } from '#tests/security/support/people.ts'
import { everythingStored } from '#tests/security/support/state.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'

let peopled: PeopledShop
beforeAll(async () => {
  peopled = await aPeopledShop({ wallet: false })
}, 120_000)
afterAll(() => peopled?.shop.close())

/** One request, by somebody, that is answered in this process. */
function ask(identity: Identity, path: string, init: RequestInit = {}): Promise<Response> {
  const { shop, people } = peopled
  const person = people[identity]
  const headers = { ...person.headers, 'x-wp-nonce': person.nonce('wp_rest'), ...init.headers }
  return shop.shop.app(new Request(shop.url + path, { ...init, headers }), { ip: '127.0.0.1' })
}

describe('T33', () => {
  const orders = urls.rest('wc/v3/orders')
  const media = urls.rest('wp/v2/media')

  it.each([
    ['a page of orders', orders, 'program', 'per_page', ['1', '100'], ['0', '-1', '101', '1e9', 'all']],
    ['a page of pictures', media, 'shop manager', 'per_page', ['1', '100'], ['0', '-1', '101', '1e9', 'all']],
    ['a search in orders', orders, 'program', 'search', ['x'.repeat(200)], ['x'.repeat(201)]],
    ['a search in pictures', media, 'shop manager', 'search', ['x'.repeat(200)], ['x'.repeat(201)]],
  ] as const)('%s is as long as it may be, and no longer', async (_, path, identity, name, fine, tooMuch) => {
    for (const value of fine)
      expect([value, (await ask(identity, `${path}?${name}=${value}`)).status]).toEqual([value, 200])
    for (const value of tooMuch)
      expect([value, (await ask(identity, `${path}?${name}=${value}`)).status]).toEqual([value, 400])
  })

  it('a search of the catalogue looks at 200 characters, and a half one at its end does no harm', async () => {
    for (const text of [`mug ${'x'.repeat(5000)}`, `${'x'.repeat(199)}🙂`, '🙂'.repeat(300)]) {
      const response = await ask('stranger', `/?s=${encodeURIComponent(text)}&post_type=product`)
      const shown = await response.text()
      expect(response.status).toBe(200)
      expect(shown).not.toContain('x'.repeat(201))
    }
  })

  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'a body of %s has at most 256 KB',
    async (type) => {
      expect(limits.bytes).toBe(256 * 1024)
      const [before, after] = type === 'application/json' ? ['{"page":"', '"}'] : ['page=', '']
      const body = (bytes: number) => before + 'x'.repeat(bytes - before.length - after.length) + after
      const send = (bytes: number) =>
        ask('guest', urls.paypalRest('cart/refresh'), {
          method: 'POST',
          body: body(bytes),
          headers: { 'content-type': type },
        })
      expect((await send(limits.bytes)).status).not.toBe(413)
      expect((await send(limits.bytes + 1)).status).toBe(413)
    },
  )

  it('an upload of the staff has at most 10 MB, and a stranger’s is not even read', async () => {
    expect(largestUploadBytes).toBeLessThanOrEqual(10 * 1024 * 1024)
    const headers = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="x.png"' }
    let pulled = 0
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          pulled += 65_536
          if (pulled > 64 * 1024 * 1024) controller.close()
          else controller.enqueue(new Uint8Array(65_536))
        },
      })
    const send = (identity: Identity) => {
      pulled = 0
      const init = { method: 'POST', headers, body: endless(), duplex: 'half' }
      return ask(identity, media, init)
    }
    expect((await send('shop manager')).status).toBe(413)
    expect(pulled).toBeLessThan(largestUploadBytes + 1024 * 1024)
    for (const [identity, status] of [
      ['stranger', 401],
      ['other customer', 403],
      ['translator', 403],
    ] as const) {
      expect((await send(identity)).status).toBe(status)
      expect(pulled, identity).toBeLessThan(1024 * 1024)
    }
  })
})

describe('T11', () => {
  /** What is decided by the shop, and never by who asks. */
  const decided =
    /^(?:price|total|subtotal|amount|discount|tax|paid|payee|owner|customer|customer_id|user_id|role|capabilit|vat_exempt|payment_state|rate)/i
  const byStaff = new Set(['shop-manager', 'translator', 'consumer-key'])

  it.each(calls.filter(({ identity }) => !byStaff.has(identity)).map((call) => [call.name, call] as const))(
    '%s takes nothing that the shop decides',
    (_, { input }) => {
      const schema = JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
      const names = [...schema.matchAll(/"([\w-]+)":\{/g)].map(([, name = '']) => name)
      expect(names.filter((name) => decided.test(name))).toEqual([])
    },
  )

  it('a field too many reaches no answer', () => {
    for (const schema of [v3OrdersInput, v3RefundsInput]) {
      expect(schema.parse({ id: 1, role: 'administrator', total: '0' })).not.toHaveProperty('role')
    }
  })

  it('no form makes anybody more than they are, whatever it says', async () => {
    const { shop, people } = peopled
    const mine = people['other customer'].customerId ?? 0
    const rights = async () => {
      const [row] = await shop.db.sql`select role, vat_exempt from customers where id = ${mine}`
      return row
    }
    const before = await rights()
    const claims = {
      role: 'administrator',
      user_role: 'administrator',
      capabilities: '1',
      vat_exempt: '1',
      customer_id: '1',
      id: '1',
    }
    for (const { method, path } of pageRoutes) {
      if (method !== 'POST') continue
      const address = routeAddress(path, { slug: 'plain-mug' })
      const response = await ask('other customer', address, { method, body: new URLSearchParams(claims) })
      expect(response.status, path).toBeLessThan(500)
      expect(await rights(), path).toEqual(before)
    }
  })
})

describe('T26 a safe method', () => {
  const gets = pageRoutes.filter(({ method }) => method === 'GET')

  it('changes nothing that a visitor has put down, whatever stands in the address but for a token', async () => {
    const { shop, things } = peopled
    const watched = ['orders', 'payment_tokens', 'coupons', 'products', 'captures', 'settings'] as const
    const state = async () => {
      const all = await everythingStored(shop.db)
      // What is told once is put down with the state of a visitor, and taken out again: the cart is what counts of it.
      const [own] = await shop.db.sql`select
        (select md5(string_agg(coalesce(state->'lines', '[]')::text || id, '|' order by id)) from sessions) as guests,
        (select md5(string_agg(concat_ws('|', id, email, password, role, first_name, billing, shipping, state->'lines'), '|'
          order by id)) from customers) as customers`
      return { ...Object.fromEntries(watched.map((name) => [name, all[name]])), ...own }
    }
    const before = await state()
    const query = new URLSearchParams({
      remove_item: 'x',
      undo_item: 'x',
      order_again: String(things.orderId),
      cancel_order: 'true',
      order: things.orderKey,
      order_id: String(things.orderId),
      _wpnonce: '0123456789',
      action: 'erase',
      do: 'save',
      role: 'administrator',
    })
    for (const { path } of gets) {
      const address = routeAddress(path, { id: things.methodId })
      for (const method of ['GET', 'HEAD']) {
        const response = await ask('owner', `${address}?${query}`, { method })
        await response.body?.cancel()
        expect(response.status, path).toBeLessThan(500)
      }
    }
    expect(await state()).toEqual(before)
  })
})

describe('T21 an address that browsers would take for another host', () => {
  it.each(['//evil.example/', '///evil.example/shop/', '/\\evil.example/', '/de//evil.example/', '/it//evil.example/'])(
    '%s is led on to nowhere outside, by currency or language',
    async (path) => {
      const { shop } = peopled
      for (const query of ['?currency=EUR', '?currency=EUR&a=b', '']) {
        // Written out, because a URL made of the shop's and the path would be the other host's already.
        const location = (await ask('stranger', path + query)).headers.get('location')
        if (location !== null) expect(new URL(location, shop.url).origin, location).toBe(shop.url)
      }
    },
  )
})
