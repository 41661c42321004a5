import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let ada: Customer
let orderId = 0
let key = ''
let mug = 0

beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { productsPerPage: 2 } })
  mug = await shop.idOf('MUG')
  ada = aCustomer(shop)
  await ada.register()
  const [order] = await shop.db.sql<{ id: number; key: string }[]>`
    insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
      payment_method, payment_method_title, created_at, updated_at, customer_id)
    select 'wc_order_zero' || n, 'completed', 'x', 'x' || n, 'x', 'USD', false, 1200, '{}', '{}', 'cod', 'Cash', now(), now(), id
    from customers, generate_series(1, 11) n where email = 'ada@example.test' returning id, key`
  orderId = Number(order?.id)
  key = order?.key ?? ''
  await shop.db.sql`insert into order_items (order_id, position, type, name, product_id, facts)
    values (${orderId}, 1, 'line_item', 'Plain mug', ${mug}, '{"attributes":{},"choices":[],"virtual":false,"stockOwner":null}')`
})
afterAll(() => shop?.close())

const statusOf = async (path: string) => {
  const answer = await ada.send(path, { headers: { accept: 'text/html' } })
  await answer.body?.cancel()
  return answer.status
}

describe('a number in an address', () => {
  it.each([
    ['an order', (id: string) => `/checkout/order-received/${id}/?key=${key}`],
    ['an order of the account', (id: string) => `/my-account/view-order/${id}/`],
  ])('T6 names %s in one way alone', async (_, path) => {
    expect(await statusOf(path(String(orderId)))).toBe(200)
    for (const zeros of ['0', '00', '000000']) {
      const text = await (await ada.send(path(zeros + orderId), { headers: { accept: 'text/html' } })).text()
      expect(text).not.toContain('Plain mug')
      expect(await statusOf(path(zeros + orderId))).toBe(404)
    }
  })

  it('T6 names an order that is to be paid in one way alone', async () => {
    await shop.db.sql`update orders set status = 'pending' where id = ${orderId}`
    const path = (id: string) => `/checkout/order-pay/${id}/?pay_for_order=true&key=${key}`
    expect(await statusOf(path(String(orderId)))).toBe(200)
    expect(await statusOf(path(`0${orderId}`))).toBe(404)
    await shop.db.sql`update orders set status = 'completed' where id = ${orderId}`
  })

  it.each([
    ['of orders', '/my-account/orders/2/', '/my-account/orders/02/'],
    ['of the shop', '/shop/page/2/', '/shop/page/02/'],
    ['of a category', '/product-category/kitchen/page/2/', '/product-category/kitchen/page/002/'],
    ['of the map of the shop', '/sitemap-products-0.xml', '/sitemap-products-00.xml'],
  ])('names a page %s in one way alone', async (_, right, wrong) => {
    expect([right, await statusOf(right)]).toEqual([right, 200])
    expect([wrong, await statusOf(wrong)]).toEqual([wrong, 404])
  })

  it.each([
    ['/my-account/delete-payment-method/01/', 404],
    ['/my-account/set-default-payment-method/01/', 404],
    ['/product-tag/none/page/01/', 404],
    ['/shop/page/0/', 404],
  ])('is none with a zero before it: %s', async (path, status) => expect(await statusOf(path)).toBe(status))

  it('names a product to add, and an order to buy again, in one way alone', async () => {
    await ada.send(`/?add-to-cart=0${mug}`)
    await ada.send(`/cart/?order_again=0${orderId}&_wpnonce=${ada.nonce('woocommerce-order_again')}`)
    await ada.post('/?wc-ajax=add_to_cart', { product_id: `0${mug}` })
    expect(await ada.cart()).toEqual([])
    await ada.send(`/?add-to-cart=${mug}`)
    expect(await ada.cart()).toEqual(['1 Plain mug'])
  })

  it.each([
    ['wc/v3/orders', ''],
    ['wc/v3/orders', '/refunds'],
    ['wp/v2/users', ''],
    ['wp/v2/media', ''],
  ])('T10 /wp-json/%s/{id}%s is no route with another spelling of the number', async (base, rest) => {
    const ask = async (id: string) => {
      const answer = await fetch(`${shop.url}/wp-json/${base}/${id}${rest}`)
      return [answer.status, (await answer.json()).code]
    }
    expect((await ask('7'))[1]).not.toBe('rest_no_route')
    for (const id of ['07', '0', '+7', '7.0', '7e0', '0x7', '%207', '-7', '9'.repeat(17)])
      expect([id, ...(await ask(id))]).toEqual([id, 404, 'rest_no_route'])
  })

  it('is refused with a zero before it where a program lists orders or a page pays one', async () => {
    const answer = await ada.send('/wp-json/wc-ppcp/v1/cart/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"page":"cart"}',
    })
    const { nonce } = (await answer.json()) as { nonce: string }
    const pay = await ada.send('/wp-json/wc-ppcp/v1/order/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-wp-nonce': nonce },
      body: JSON.stringify({ payment_method: 'ppcp', order_id: `0${orderId}`, order_key: key }),
    })
    expect([pay.status, (await pay.json()).code]).toEqual([400, 'rest_invalid_param'])
  })
})
