import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: { payments: { bacs: { enabled: true } } } })
})
afterAll(() => shop.close())

type Row = { id: number; key: string; status: string; payment_state: string; payment_method: string; total: number }

async function row(id: number): Promise<Row> {
  const [found] = await shop.db.sql<Row[]>`
    select id, key, status, payment_state, payment_method, total from orders where id = ${id}`
  if (!found) throw new Error(`no order ${id}`)
  return found
}

/** An order whose shopper was sent to the wallet and has not come back. */
async function unpaid(name: string, sku = 'MUG'): Promise<{ shopper: Shopper; order: Row; path: string }> {
  const shopper = new Shopper(shop, name)
  const { orderId } = await shopper.startToPay(sku)
  const order = await row(orderId)
  return { shopper, order, path: urls.orderPay(order.id, order.key) }
}

const older = (id: number) => shop.db.sql`update orders set created_at = now() - interval '20 minutes' where id = ${id}`

function fieldsIn(html: string): Record<string, string> {
  const form = /<form[^>]*id="order_review".*?<\/form>/s.exec(html)?.[0] ?? ''
  const inputs = [...form.matchAll(/<input type="hidden"[^>]*>/g)].map(([input]) => input)
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? ''
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]))
}

async function pay(shopper: Shopper, path: string, method: string, more: Record<string, string> = {}) {
  const fields = { ...fieldsIn(await shopper.page(path)), payment_method: method, terms: '1', ...more }
  const response = await shopper.post(path, fields)
  expect(response.status).toBe(303)
  return response.headers.get('location') ?? ''
}

describe('the page that pays an order', () => {
  it('CHK-13 FLOW-11 shows lines, total, ways to pay and terms, and pays by redirect to the wallet', async () => {
    const { shopper, order, path } = await unpaid('ida')
    const html = await shopper.page(path)
    expect(html).toMatch(/<body class="[^"]*\bwoocommerce-order-pay\b/)
    for (const text of [
      'Plain mug',
      '19.77',
      'payment_method_ppcp',
      'payment_method_bacs',
      'id="terms"',
      '"is_checkout":"0"',
    ])
      expect(html).toContain(text)
    const wallet = new URL(await pay(shopper, path, 'ppcp'))
    const walletOrderId = wallet.searchParams.get('token') ?? ''
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ status: 'processing', payment_state: 'paid', payment_method: 'ppcp' })
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(urls.orderReceived(order.id, order.key))
    expect(await shopper.pieces()).toBe(0)
  })

  it('CHK-13 pays by a way that needs no provider, once, however often it is pressed', async () => {
    const { shopper, order, path } = await unpaid('may')
    const fields = { ...fieldsIn(await shopper.page(path)), payment_method: 'bacs', terms: '1' }
    const answers = await Promise.all([1, 2, 3].map(() => shopper.post(path, fields)))
    for (const answer of answers) expect(answer.headers.get('location')).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ status: 'on-hold', payment_method: 'bacs', payment_state: 'none' })
    const [{ count } = { count: 0 }] = await shop.db.sql<{ count: number }[]>`
      select count(*)::int from ledger where order_id = ${order.id} and kind = 'accepted'`
    expect(count).toBe(1)
    expect(await shopper.page(path)).toContain('status is “On hold”')
  })

  it('CHK-13 a failed order is paid as well, with its stock taken again', async () => {
    const { shopper, order, path } = await unpaid('fay')
    await shop.db.sql`update orders set status = 'failed', payment_state = 'failed' where id = ${order.id}`
    await shop.db.sql`delete from stock_reservations where order_id = ${order.id}`
    expect(await pay(shopper, path, 'cod')).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ status: 'processing', payment_method: 'cod' })
  })

  it('CHK-13 without the terms, with an old nonce, a foreign method or another total nothing is paid, and it is said why', async () => {
    const { shopper, order, path } = await unpaid('zoe')
    for (const [change, said] of [
      [{ terms: '' }, 'aria-invalid="true" aria-describedby="terms_description"'],
      [{ terms: '' }, 'accept the terms'],
      [{ terms: '' }, 'id="terms_description" class="checkout-inline-error-message">Accept the terms and conditions<'],
      [{ 'woocommerce-pay-nonce': '0123456789' }, 'open for too long'],
      [{ payment_method: 'stripe' }, 'choose a payment method'],
      [{ payment_method: 'constructor' }, 'choose a payment method'],
      [{ payment_method: 'bacs', seen_total: '1' }, 'total has changed'],
    ] as const) {
      expect(await pay(shopper, path, 'bacs', change)).toBe(path)
      expect(await shopper.page(path)).toContain(said)
    }
    expect(await row(order.id)).toMatchObject({ status: 'pending', payment_state: 'pending' })
  })

  it('CHK-13 F25 an order whose products are gone cannot be paid, and names them', async () => {
    const { shopper, order, path } = await unpaid('eve', 'LAST')
    await shop.db.sql`delete from stock_reservations where order_id = ${order.id}`
    const fields = fieldsIn(await shopper.page(path))
    await shop.db.sql`update products set stock_quantity = 0 where sku = 'LAST'`
    expect(await shopper.page(path)).toContain('enough of “Last teapot”')
    const response = await shopper.post(path, { ...fields, payment_method: 'bacs', terms: '1' })
    expect(response.headers.get('location')).toBe(path)
    expect(await row(order.id)).toMatchObject({ status: 'pending' })
    await shop.db.sql`update products set stock_quantity = 1 where sku = 'LAST'`
  })

  it('CHK-13 an order without anything to pay is confirmed', async () => {
    const { shopper, order, path } = await unpaid('kim')
    await shop.db.sql`update orders set total = 0, payment_state = 'none' where id = ${order.id}`
    const html = await shopper.page(path)
    expect(html).not.toContain('name="payment_method"')
    expect(await pay(shopper, path, '')).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ status: 'processing', payment_state: 'paid' })
  })

  it('CHK-13 leaves a cart alone that is not the one of the order', async () => {
    const { order, path } = await unpaid('amy')
    const helper = new Shopper(shop, 'amy')
    await helper.add('BOWL')
    const walletOrderId = new URL(await pay(helper, path, 'ppcp')).searchParams.get('token') ?? ''
    await helper.approve(walletOrderId)
    expect(await helper.returnFromWallet(walletOrderId)).toBe(urls.orderReceived(order.id, order.key))
    await helper.page(urls.orderReceived(order.id, order.key))
    expect(await helper.pieces()).toBe(1)
  })

  it('CHK-13 F22 a wallet that is cancelled, or declines, leads back to this page', async () => {
    const { order, path } = await unpaid('lea')
    const helper = new Shopper(shop, 'lea')
    const walletOrderId = new URL(await pay(helper, path, 'ppcp')).searchParams.get('token') ?? ''
    const cancelled = await helper.request(`${urls.walletCancel()}?token=${walletOrderId}`)
    expect(cancelled.headers.get('location')).toBe(path)
    await helper.approve(walletOrderId, 'declined')
    expect(await helper.returnFromWallet(walletOrderId)).toBe(path)
    expect(await helper.page(path)).toContain('declined')
    expect(await row(order.id)).toMatchObject({ status: 'pending' })
  })

  it.each([
    ['no key', (order: Row) => urls.orderPay(order.id, '')],
    ['another key', (order: Row) => urls.orderPay(order.id, `${order.key}x`)],
    ['another order', (order: Row) => urls.orderPay(order.id + 1, order.key)],
    ['a number that is none', (order: Row) => `/checkout/order-pay/${order.id}%27/?key=${order.key}`, 404],
    ['a huge number', (order: Row) => `/checkout/order-pay/99999999999999999999/?key=${order.key}`, 404],
    ['a list of keys', (order: Row) => `/checkout/order-pay/${order.id}/?key[]=${order.key}`],
  ])('CHK-13 T6 tells nothing with %s', async (_, wrong, status = 200) => {
    const { shopper, order } = await unpaid('tom')
    const response = await shopper.request(wrong(order))
    expect(response.status).toBe(status)
    const html = await response.text()
    for (const secret of ['Plain mug', 'Main Street', order.key]) expect(html).not.toContain(secret)
    const posted = await shopper.post(wrong(order), { woocommerce_pay: '1', payment_method: 'bacs', terms: '1' })
    expect(posted.status).toBe(status)
    expect(await row(order.id)).toMatchObject({ status: 'pending' })
  })

  it('CHK-13 T6 asks a stranger with an old link for the e-mail address, then pays', async () => {
    const { order, path } = await unpaid('una')
    await older(order.id)
    const stranger = new Shopper(shop, 'una')
    await stranger.add('BOWL')
    const asked = await stranger.page(path)
    expect(asked).toContain('woocommerce-verify-email')
    expect(asked).not.toContain('Plain mug')
    const nonce = /name="check_submission" value="(\w+)"/.exec(asked)?.[1] ?? ''
    const wrong = await stranger.post(path, { email: 'x@example.test', check_submission: nonce, verify: '1' })
    expect(await wrong.text()).toContain('This is not the email address on the order.')
    const right = await stranger.post(path, { email: 'UNA@example.test ', check_submission: nonce, verify: '1' })
    expect(await right.text()).toContain('Plain mug')
    expect(await pay(stranger, path, 'cod')).toBe(urls.orderReceived(order.id, order.key))
    expect(await row(order.id)).toMatchObject({ status: 'processing' })
  })
})

describe('order/pay', () => {
  const call = async (shopper: Shopper, body: object) => {
    const html = await shopper.page('/checkout/')
    const nonce = /"restNonce":"(\w+)"/.exec(html)?.[1] ?? ''
    return shopper.request('/wp-json/wc-ppcp/v1/order/pay', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'x-wp-nonce': nonce },
    })
  }

  it('FLOW-11 opens the wallet for an order and finishes it after approval', async () => {
    const { shopper, order, path } = await unpaid('sue')
    const answer = await call(shopper, { payment_method: 'ppcp', order_id: String(order.id), order_key: order.key })
    const walletOrderId = (await answer.json()) as string
    expect(walletOrderId).toMatch(/^[A-Z0-9]+$/)
    await shopper.approve(walletOrderId)
    const nonce = answer.headers.get('x-wp-nonce') ?? ''
    const finished = await shopper.request('/wp-json/wc-ppcp/v1/cart/checkout', {
      method: 'POST',
      body: JSON.stringify({ payment_method: 'ppcp', context: 'order_pay', ppcp_paypal_order_id: walletOrderId }),
      headers: { 'content-type': 'application/json', 'x-wp-nonce': nonce },
    })
    const redirect = urls.orderReceived(order.id, order.key)
    expect(await finished.json()).toMatchObject({ result: 'success', redirect })
    expect(await row(order.id)).toMatchObject({ payment_state: 'paid' })
    expect(await shopper.page(path)).toContain('status is “Processing”')
  })

  it.each([
    ['the key of none', (order: Row) => ({ payment_method: 'ppcp', order_id: order.id, order_key: 'wc_order_x' }), 404],
    ['no order', (order: Row) => ({ payment_method: 'ppcp', order_key: order.key }), 400],
    ['a text for a number', (order: Row) => ({ payment_method: 'ppcp', order_id: 'x', order_key: order.key }), 400],
    ['a negative number', (order: Row) => ({ payment_method: 'ppcp', order_id: -1, order_key: order.key }), 400],
    ['a list', (order: Row) => ({ payment_method: 'ppcp', order_id: [order.id, 2], order_key: order.key }), 400],
    ['a huge number', (order: Row) => ({ payment_method: 'ppcp', order_id: 1e18, order_key: order.key }), 400],
  ])('FLOW-11 refuses %s', async (_, body, status) => {
    const { shopper, order } = await unpaid('tim')
    const answer = await call(shopper, body(order))
    expect([answer.status, answer.status < 500]).toEqual([status, true])
  })

  it('FLOW-11 T6 opens no wallet of an old order for a stranger who has the key alone', async () => {
    const { order } = await unpaid('pam')
    await older(order.id)
    const stranger = new Shopper(shop, 'eve')
    await stranger.add('BOWL')
    const answer = await call(stranger, { payment_method: 'ppcp', order_id: order.id, order_key: order.key })
    expect(answer.status).toBe(404)
  })
})

describe('an order that the wallet’s own button has begun, and whose window was closed', () => {
  /** Of a customer without an address. */
  async function abandoned(name: string, sku: string) {
    const customer = aCustomer(shop, `${name}@example.test`)
    await customer.register()
    await customer.add(sku)
    await customer.post(urls.walletStart())
    const [found] = await shop.db.sql<
      Row[]
    >`select * from orders where customer_id is not null order by id desc limit 1`
    if (!found) throw new Error('nothing was begun')
    return { customer, order: found, path: urls.orderPay(found.id, found.key) }
  }

  it('CHK-13 ADDR-07 cannot be paid as it is: nobody has said where it goes, and what that costs', async () => {
    const { customer, order, path } = await abandoned('ona', 'MUG')
    for (const page of [urls.orders(), urls.viewOrder(order.id)])
      expect(await customer.page(page)).not.toContain('button pay"')
    const page = await customer.page(path)
    expect(page).toContain('it cannot be paid for')
    expect(page).not.toContain('id="order_review"')
    await customer.page(urls.checkout())
    const nonce = customer.nonce('woocommerce-pay')
    await customer.post(path, {
      woocommerce_pay: '1',
      'woocommerce-pay-nonce': nonce,
      payment_method: 'bacs',
      terms: '1',
    })
    expect(await row(order.id)).toMatchObject({ status: 'pending', payment_method: 'ppcp' })

    await shop.db.sql`update orders set shipping = shipping || '{"address_1":"1 Main Street"}' where id = ${order.id}`
    expect(await customer.page(path)).toContain('id="order_review"')
    expect(await customer.page(urls.orders())).toContain('button pay"')
  })

  it('CHK-13 can be paid where nothing is sent', async () => {
    const { customer, path } = await abandoned('ute', 'CARD')
    expect(await customer.page(urls.orders())).toContain('button pay"')
    expect(await customer.page(path)).toContain('id="order_review"')
  })
})
