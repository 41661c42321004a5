import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { wantedEvents, webhookHeaders } from '#contract/paypal/webhook-event.ts'
import { urls } from '#contract/shared/urls.ts'
import { everythingStored } from '#tests/security/support/state.ts'
import { orderOf, providerLedger } from '#tests/support/payments/bookkeeping.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { payments: { cod: { enabled: true } } } })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let shoppers = 0
const aShopper = () => new Shopper(shop, `threat-${++shoppers}`)
const stateOf = async (orderId: number) => {
  const { status, payment_state, total, currency, paid_at } = await orderOf(shop, orderId)
  return { status, payment_state, total, currency, paid_at }
}

describe('T2 the currency of a payment', () => {
  it.each(['XTS', 'usd', 'BTC', 'JPY', '', '__proto__', "USD' or '1'='1"])(
    'is none that the shop does not offer: %j',
    async (currency) => {
      const shopper = aShopper()
      shopper.takeCookies({ currency: encodeURIComponent(currency) })
      await shopper.post('/currency/', { currency })
      await shopper.add('MUG')
      await shopper.openCheckout()
      const sent = { ...shopper.form('ppcp'), currency, wc_currency: currency, order_currency: currency }
      const response = await shopper.post(`${urls.wcAjax('checkout')}&currency=${encodeURIComponent(currency)}`, sent)
      const { orderId, walletOrderId } = startedOf((await response.json()) as { result: 'success' })
      expect(await stateOf(orderId)).toMatchObject({ currency: 'USD', total: (await orderOf(shop, orderId)).total })
      const asked = (await providerLedger(shop)).orders.find(({ id }) => id === walletOrderId)
      expect(asked?.amount.currency_code).toBe('USD')
    },
  )
})

describe('T4 whoever is not the provider', () => {
  it('changes nothing by any notification, signed by nobody, by a stranger, or with a certificate from elsewhere', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    const before = await everythingStored(shop.db)
    const certificates = [
      'https://evil.example/cert.pem',
      'https://api.paypal.com.evil.example/v1/notifications/certs/x',
      'https://api.paypal.com@evil.example/x',
      'file:///etc/passwd',
      `${shop.url}/favicon.svg`,
    ]
    for (const [index, event_type] of wantedEvents.entries()) {
      const body = JSON.stringify({
        id: `WH-FORGED-${index}`,
        event_type,
        resource_type: 'capture',
        create_time: new Date().toISOString(),
        resource: {
          id: walletOrderId,
          status: 'COMPLETED',
          custom_id: String(orderId),
          amount: { currency_code: 'USD', value: '1.00' },
          supplementary_data: { related_ids: { order_id: walletOrderId } },
        },
      })
      const signed = {
        [webhookHeaders.transmissionId]: `forged-${index}`,
        [webhookHeaders.transmissionTime]: new Date().toISOString(),
        [webhookHeaders.transmissionSignature]: Buffer.from('no signature').toString('base64'),
        [webhookHeaders.certificateUrl]: certificates[index % certificates.length] ?? '',
        [webhookHeaders.algorithm]: 'SHA256withRSA',
      }
      for (const headers of [{}, signed]) {
        const response = await fetch(shop.url + urls.paypalWebhook(), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        })
        expect([event_type, response.status < 500 && response.status >= 400]).toEqual([event_type, true])
      }
    }
    expect(await everythingStored(shop.db)).toEqual(before)
  })

  it('sets no status, price or owner through any door that takes an order', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    const { key } = await orderOf(shop, orderId)
    const before = await stateOf(orderId)
    const wish = {
      status: 'completed',
      payment_state: 'paid',
      set_paid: true,
      total: '0.01',
      customer_id: 1,
      transaction_id: 'MINE',
      order_id: String(orderId),
      order_key: key,
      id: orderId,
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of [`/wp-json/wc/v3/orders/${orderId}`, '/wp-json/wc/v3/orders', '/wp-json/wc/v3/orders/batch']) {
        const headers = { 'content-type': 'application/json' }
        const response = await shopper.request(path, { method, headers, body: JSON.stringify(wish) })
        expect(response.status).toBeGreaterThanOrEqual(400)
      }
    const answered = [
      await shopper.rest('order/pay', { ...wish, payment_method: 'ppcp' }),
      await shopper.rest('cart/checkout', { ...wish, payment_method: 'ppcp', context: 'checkout' }),
      await shopper.rest('cart/order', { ...wish, payment_method: 'ppcp', context: 'cart' }),
      await shopper.request(`${urls.walletReturn()}?token=${walletOrderId}&status=COMPLETED&st=Completed&amt=0.01`),
      await shopper.request(`${urls.orderReceived(orderId, key)}&status=completed&payment_state=paid`),
    ]
    for (const { status } of answered) expect(status).toBeLessThan(500)
    expect(await stateOf(orderId)).toEqual({ ...before, status: 'pending', payment_state: 'pending', paid_at: null })
  })
})

describe('T6 the key of an order', () => {
  it('has 128 bits of chance or more, and is never the same', async () => {
    const shopper = aShopper()
    for (const _ of Array.from({ length: 3 })) {
      await shopper.add('MUG')
      await shopper.openCheckout()
      await shopper.placeOrder('cod')
    }
    const keys = (await shop.db.sql<{ key: string }[]>`select key from orders`).map(({ key }) => key)
    for (const key of keys) expect(key).toMatch(/^wc_order_[A-Za-z0-9]{22}$/)
    expect(22 * Math.log2(62)).toBeGreaterThan(128)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('never fits when it is empty, not even where an order has none', async () => {
    const shopper = aShopper()
    await shopper.add('BOWL')
    await shopper.openCheckout()
    await shopper.placeOrder('cod')
    const [order] = await shop.db.sql<
      { id: number; key: string }[]
    >`select id::int, key from orders order by id desc limit 1`
    const id = order?.id ?? 0
    await shop.db.sql`update orders set key = '' where id = ${id}`
    const before = await stateOf(id)
    for (const query of ['', '?key=', '?key', '?key=%20', '?key[]=', '?key=null', '?key=undefined'])
      for (const path of [`/checkout/order-received/${id}/`, `/checkout/order-pay/${id}/`]) {
        const html = await shopper.page(path + query)
        expect(html).not.toContain('Soup bowl')
        expect(html).not.toContain('Lovelace')
      }
    const paid = await shopper.rest('order/pay', { payment_method: 'ppcp', order_id: String(id), order_key: '' })
    expect(paid.status).toBeGreaterThanOrEqual(400)
    await shopper.request(`/cart/?cancel_order=true&order=&order_id=${id}&_wpnonce=x`)
    expect(await stateOf(id)).toEqual(before)
    await shop.db.sql`update orders set key = ${order?.key ?? ''} where id = ${id}`
  })

  it('is compared in constant time wherever the shop compares one', () => {
    const root = join(import.meta.dirname, '../../../src')
    const sources = globSync('{server,shop}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'))
    const careless = sources.filter((file) =>
      /(order|row)\.key\s*[!=]==?|[!=]==?\s*(order|row)\.key\b/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(careless).toEqual([])
    expect(readFileSync(join(root, 'server/orders/order-access.ts'), 'utf8')).toContain('sameText(key, order.row.key)')
  })
})

describe('T7 the parameter that brings an approved payment back', () => {
  const address = (walletOrderId: string, fields: object, more: object = {}) => {
    const json = JSON.stringify({ payment_method: 'ppcp', paypal_order: walletOrderId, fields, ...more })
    return `/checkout/?_ppcp_order_review=${encodeURIComponent(Buffer.from(json).toString('base64'))}`
  }
  const sessionOf = async (shopper: Shopper) => {
    const [row] = await shop.db.sql<{ state: Record<string, unknown> }[]>`
      select s.state from sessions s join wallet_orders w on w.session_id = s.id join orders o on o.id = w.order_id
      where o.billing->>'email' = ${shopper.email} order by o.id desc limit 1`
    return row?.state ?? {}
  }
  const ready = 'wc-ppcp-order-review-message__container'
  const markup = `"><img src=x onerror=alert(1)><script>alert(2)</script>`

  it('fills fields of the form as text, and nothing else', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const [session, order] = [await sessionOf(shopper), await stateOf(orderId)]
    const html = await shopper.page(
      address(
        walletOrderId,
        {
          billing_first_name: markup,
          billing_city: markup,
          order_comments: markup,
          billing_status: 'paid',
          status: 'completed',
          total: '0.01',
          customer_id: '1',
          lines: '[]',
          coupons: 'hello',
          createaccount: '1',
          payment_method: 'cod',
          terms: '1',
          constructor: 'x',
        },
        { status: 'COMPLETED', customer_id: 1, lines: [], state: { customerId: 1 } },
      ),
    )
    expect(html).toContain(ready)
    expect(html).not.toMatch(/<img src=x|<script>alert/)
    expect(await stateOf(orderId)).toEqual(order)
    const may = ['billing', 'shipping', 'shipToDifferent', 'customerNote', 'paymentMethod', 'approvedWallet']
    const rest = (state: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(state).filter(([name]) => !may.includes(name)))
    const after = await sessionOf(shopper)
    expect(rest(after)).toEqual(rest(session))
    expect(Object.keys(after.billing as object)).toEqual(Object.keys(session.billing as object))
  })

  it('counts for nothing when it is larger than 8 KB, or somebody else’s', async () => {
    const shopper = aShopper()
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const session = await sessionOf(shopper)
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`billing_x${index}`, 'y'.repeat(1800)]))
    const html = await shopper.page(address(walletOrderId, { ...large, billing_first_name: 'Wilma' }))
    expect(html).not.toContain(ready)
    const thief = aShopper()
    await thief.add('MUG')
    expect(await thief.page(address(walletOrderId, { billing_first_name: 'Wilma' }))).not.toContain(ready)
    expect(await sessionOf(shopper)).toEqual(session)
  })
})

describe('T9 quantities and totals', () => {
  const put = async (shopper: Shopper, sku: string, quantity: string) =>
    shopper.post(urls.wcAjax('add_to_cart'), { product_id: String(await shop.idOf(sku)), quantity })
  const linesOf = async (shopper: Shopper) => {
    const html = await shopper.page(urls.cart())
    return [...html.matchAll(/name="cart\[[0-9a-f]{32}\]\[qty\]"[^>]*>/g)].map(([field]) =>
      Number(/value="([^"]*)"/.exec(field)?.[1]),
    )
  }

  it.each(['-1', '0', '1.5', '10001', '9007199254740993', '1e309', '٣'])(
    '%s pieces make no negative, broken or endless line',
    async (quantity) => {
      await shop.db.sql`update products set manage_stock = 'no' where sku = 'BOWL'`
      const shopper = aShopper()
      expect((await put(shopper, 'BOWL', quantity)).status).toBeLessThan(500)
      for (const pieces of await linesOf(shopper))
        expect(Number.isSafeInteger(pieces) && pieces >= 1 && pieces <= 10_000, String(pieces)).toBe(true)
      await put(shopper, 'BOWL', '10000')
      await put(shopper, 'BOWL', quantity)
      for (const pieces of await linesOf(shopper)) expect(pieces).toBeLessThanOrEqual(10_000)
    },
  )

  it('a sum that no number holds exactly is never sold for another', async () => {
    const dear = 9_007_199_254_740
    await shop.db.sql`update products set manage_stock = 'no', regular_price = ${dear}, sale_price = null,
      min_price = ${dear}, max_price = ${dear} where sku = 'BOWL'`
    const shopper = aShopper()
    await put(shopper, 'BOWL', '10000')
    await shopper.page(urls.cart())
    await shopper.openCheckout()
    await shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))
    const orders = await shop.db.sql`select total from orders where billing->>'email' = ${shopper.email}`
    expect(orders).toEqual([])
    await shop.db.sql`update products set regular_price = 2000, sale_price = 1550, min_price = 1550, max_price = 1550
      where sku = 'BOWL'`
  })

  it('discounts end at nothing, and what costs nothing asks no provider', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_minor) values ('toomuch', 'fixed_cart', 10000000)`
    await shop.db.sql`update shipping_methods set settings = '{"cost":"0"}'`
    await reconfigured(shop)
    const shopper = aShopper()
    await shopper.add('MUG')
    const html = await shopper.openCheckout()
    const security = /"apply_coupon_nonce":"(\w+)"/.exec(html)?.[1] ?? ''
    await shopper.post(urls.wcAjax('apply_coupon'), { coupon_code: 'toomuch', security })
    await shopper.openCheckout()
    const orders = (await providerLedger(shop)).orders.length
    const answer = await shopper.placeOrder('ppcp')
    expect(answer.result, answer.messages).toBe('success')
    const [order] = await shop.db.sql<{ total: number; payment_state: string }[]>`
      select total::int, payment_state from orders where billing->>'email' = ${shopper.email}`
    expect(order).toMatchObject({ total: 0, payment_state: 'paid' })
    expect((await providerLedger(shop)).orders).toHaveLength(orders)
  })
})
