import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoreCartRecord } from '#contract/cart/store-cart.ts'
import type { StoreCheckoutRecord } from '#contract/checkout/store-checkout.ts'
import type { StoreOrderRecord } from '#contract/orders/store-order.ts'
import { cardMethodId, fastlaneHooks, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { maintain } from '#shop/operations/run-maintenance.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { capturesFor, invariants, orderOf, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { anAgreement } from '#tests/support/payments/saved-methods.ts'
import { StoreClient, storeAddress } from '#tests/support/rest/store-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: {
      paypal: { keep: true, cards: { enabled: true, keep: true }, fastlane: { enabled: true } },
      payments: { bacs: { enabled: true }, cheque: { enabled: true }, cod: { enabled: true } },
    },
  })
})
afterAll(() => shop.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

let clients = 0
type Filled = { readonly client: StoreClient; readonly email: string; readonly billing: object }

async function filled(sku = 'MUG', mode: 'token' | 'cookie' = 'token'): Promise<Filled> {
  const client = await new StoreClient(shop, mode).begin()
  await client.post('cart/add-item', { id: await shop.idOf(sku), quantity: 1 })
  const email = `store-${++clients}@example.test`
  return { client, email, billing: { ...storeAddress, email } }
}

const pay = ({ client, billing }: Filled, method: string, fields: Record<string, string> = {}, more: object = {}) =>
  client.post<StoreCheckoutRecord>('checkout', {
    billing_address: billing,
    shipping_address: storeAddress,
    payment_method: method,
    payment_data: Object.entries(fields).map(([key, value]) => ({ key, value })),
    ...more,
  })

/** The wallet order that the answer names for the client's window. */
const detailOf = ({ payment_result: result }: StoreCheckoutRecord) => result?.payment_details[0]?.value ?? ''

describe('wc/store/v1/checkout', () => {
  it('GET creates one draft that follows the cart, reserves nothing and is in no list', async () => {
    const { client } = await filled()
    const first = await client.get<StoreCheckoutRecord>('checkout')
    expect(first.body).toMatchObject({ status: 'checkout-draft', payment_result: { payment_status: '' } })
    const id = first.body.order_id
    await client.post('cart/add-item', { id: await shop.idOf('BOWL'), quantity: 1 })
    const again = await client.get<StoreCheckoutRecord>('checkout')
    expect(again.body.order_id).toBe(id)
    const cart = await client.cart()
    expect(String((await orderOf(shop, id)).total)).toBe(cart.totals.total_price)
    const [kept] = await shop.db.sql<{ count: number }[]>`
      select count(*)::int as count from stock_reservations where order_id = ${id}`
    expect(kept?.count).toBe(0)
    expect((await client.get(`order/${id}?key=${first.body.order_key}`)).code).toBe('woocommerce_rest_invalid_order')
    expect(await invariants(shop)).toEqual([])
  })

  it('PUT changes addresses, note and method of the draft, which becomes the order under the same id', async () => {
    const { client, billing } = await filled()
    const draft = await client.get<StoreCheckoutRecord>('checkout')
    const changed = await client.send<StoreCheckoutRecord>('PUT', 'checkout', {
      billing_address: billing,
      shipping_address: storeAddress,
      customer_note: 'Ring twice',
      payment_method: 'cod',
    })
    expect(changed.body).toMatchObject({
      order_id: draft.body.order_id,
      customer_note: 'Ring twice',
      payment_method: 'cod',
      billing_address: { city: 'San Jose' },
    })
    const unknown = await client.fail('PUT', 'checkout', { payment_method: 'gold' })
    expect([unknown.status, unknown.code]).toEqual([400, 'woocommerce_rest_checkout_payment_method_disabled'])
    const placed = await client.post<StoreCheckoutRecord>('checkout', { payment_method: 'cod' })
    expect(placed.body).toMatchObject({
      order_id: draft.body.order_id,
      status: 'processing',
      customer_note: 'Ring twice',
      payment_result: { payment_status: 'success' },
    })
    const order = await orderOf(shop, placed.body.order_id)
    expect(order).toMatchObject({ status: 'processing', stock_reduced: true })
    expect((await client.cart()).items_count).toBe(0)
    expect(await invariants(shop)).toEqual([])
  })

  it('deletes a draft that nobody placed for a day', async () => {
    const { client } = await filled()
    const { body } = await client.get<StoreCheckoutRecord>('checkout')
    await maintain(shop.shop.application.tools)
    expect(await orderOf(shop, body.order_id)).toMatchObject({ status: 'checkout-draft' })
    await shop.db.sql`update orders set updated_at = now() - interval '25 hours' where id = ${body.order_id}`
    await maintain(shop.shop.application.tools)
    expect(await shop.db.sql`select from orders where id = ${body.order_id}`).toHaveLength(0)
  })

  it.each(['bacs', 'cheque', 'cod'])('places an order for %s with the cart’s total to the cent', async (method) => {
    const buyer = await filled()
    const cart = await buyer.client.post<StoreCartRecord>('cart/update-customer', { billing_address: buyer.billing })
    const { body } = await pay(buyer, method)
    expect(body.payment_result).toMatchObject({ payment_status: 'success' })
    expect(body.payment_result?.redirect_url).toContain(`/checkout/order-received/${body.order_id}/`)
    const order = await orderOf(shop, body.order_id)
    expect(order.status).toBe(method === 'cod' ? 'processing' : 'on-hold')
    expect(String(order.total)).toBe(cart.body.totals.total_price)
  })

  it('pays by wallet: opened, approved in the window, captured by the second POST', async () => {
    const buyer = await filled()
    const opened = await pay(buyer, walletMethodId)
    expect(opened.body.payment_result?.payment_status).toBe('pending')
    const walletOrderId = detailOf(opened.body)
    expect(opened.body.payment_result?.redirect_url).toContain(walletOrderId)
    await shop.emulate(`/orders/${walletOrderId}/approve`, { buyer: 'buyer' })
    const paid = await pay(buyer, walletMethodId, { [paymentFields(walletMethodId).order]: walletOrderId })
    expect(paid.body).toMatchObject({ order_id: opened.body.order_id, payment_result: { payment_status: 'success' } })
    await theOneOrder(shop, paid.body.order_id)
  })

  it('pays by a card in PayPal’s fields of the client’s own page', async () => {
    const buyer = await filled()
    const opened = await pay(buyer, cardMethodId, { in_page: 'true' })
    const id = detailOf(opened.body)
    expect(opened.body.payment_result?.payment_details[0]?.key).toBe(paymentFields(cardMethodId).order)
    await shop.emulate(`/orders/${id}/card`, { number: '4111111111111111' })
    const paid = await pay(buyer, cardMethodId, { [paymentFields(cardMethodId).order]: id })
    expect(paid.body.payment_result?.payment_status).toBe('success')
    await theOneOrder(shop, paid.body.order_id)
  })

  it('pays by a single-use card token at once', async () => {
    const { id: token } = (await shop.emulate('/single-use-tokens', {})) as { id: string }
    const { body } = await pay(await filled(), cardMethodId, {
      [paymentFields(cardMethodId).paymentToken]: token,
      [fastlaneHooks.flagField]: '1',
    })
    expect(body.payment_result?.payment_status).toBe('success')
    await theOneOrder(shop, body.order_id)
  })

  it('opens an account with the order, saves the card, and pays with the saved one next, all without cookies', async () => {
    const buyer = await filled()
    const save = { [paymentFields(cardMethodId).save]: '1' }
    const account = { create_account: true, customer_password: goodPassword }
    const opened = await pay(buyer, cardMethodId, { in_page: 'true', ...save }, account)
    expect(opened.headers.get('set-cookie')).toBeNull()
    expect(opened.body.customer_id).toBeGreaterThan(0)
    expect(opened.headers.get('User-ID')).toBe(String(opened.body.customer_id))
    await shop.emulate(`/orders/${detailOf(opened.body)}/card`, { number: '4111111111111111' })
    const fields = { [paymentFields(cardMethodId).order]: detailOf(opened.body), ...save }
    const paid = await pay(buyer, cardMethodId, fields)
    expect(paid.body).toMatchObject({
      customer_id: opened.body.customer_id,
      payment_result: { payment_status: 'success' },
    })
    const [kept] = await shop.db.sql<{ id: number }[]>`
      select id from payment_tokens where customer_id = ${paid.body.customer_id}`
    await buyer.client.post('cart/add-item', { id: await shop.idOf('BOWL'), quantity: 1 })
    const saved = await pay(buyer, cardMethodId, { token: String(kept?.id) })
    expect(saved.body.payment_result?.payment_status).toBe('success')
    await theOneOrder(shop, saved.body.order_id)
    const again = await pay(await filled(), cardMethodId, { token: String(kept?.id) })
    expect([again.status, again.code]).toEqual([400, 'woocommerce_rest_checkout_process_payment_error'])
  })

  it('pays by an agreement from before the vault at once, in the session that began it', async () => {
    const shopper = new Shopper(shop, 'agreed')
    await shopper.add('MUG')
    const token = await anAgreement(shop, shopper)
    const client = new StoreClient(shop, 'cookie')
    client.cookies.set('sid', shopper.cookie('sid') ?? '')
    await client.begin()
    const buyer = { client, email: shopper.email, billing: { ...storeAddress, email: shopper.email } }
    const { body } = await pay(buyer, walletMethodId, { [paymentFields(walletMethodId).billingToken]: token })
    expect(body.payment_result?.payment_status).toBe('success')
    await theOneOrder(shop, body.order_id)
    const thief = await pay(await filled(), walletMethodId, { [paymentFields(walletMethodId).billingToken]: token })
    expect([thief.status, thief.code]).toEqual([400, 'woocommerce_rest_checkout_process_payment_error'])
  })

  it('needs no payment method where nothing is due', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_ppm, settings)
      values ('gift', 'percent', 1000000, '{"freeShipping": true}')`
    await shop.db.sql`update products set virtual = true where sku = 'MUG'`
    try {
      const { client, billing } = await filled()
      const { body: cart } = await client.post<StoreCartRecord>('cart/apply-coupon', { code: 'gift' })
      expect(cart).toMatchObject({ needs_payment: false, needs_shipping: false, totals: { total_price: '0' } })
      const { body } = await client.post<StoreCheckoutRecord>('checkout', { billing_address: billing })
      expect(body).toMatchObject({ status: 'processing', payment_result: { payment_status: 'success' } })
    } finally {
      await shop.db.sql`update products set virtual = false where sku = 'MUG'`
    }
  })

  it('pays with cookie and nonce as well, and tells a decline with its reason', async () => {
    const buyer = await filled('MUG', 'cookie')
    const { body } = await pay(buyer, 'cod')
    expect(body.payment_result?.payment_status).toBe('success')
    const other = await filled('MUG', 'cookie')
    const opened = await pay(other, walletMethodId)
    const early = await other.client.fail('POST', 'checkout', {
      billing_address: other.billing,
      payment_method: walletMethodId,
      payment_data: [{ key: paymentFields(walletMethodId).order, value: detailOf(opened.body) }],
    })
    expect([early.status, early.code]).toEqual([400, 'woocommerce_rest_checkout_process_payment_error'])
    expect(early.body.data).toMatchObject({ payment_status: 'failure', order_id: opened.body.order_id })
    expect(await capturesFor(shop, opened.body.order_id)).toEqual([])
  })

  it('P1 places one order however often the same POST arrives, at once or later', async () => {
    const buyer = await filled()
    const at = await Promise.all([1, 2, 3].map(() => pay(buyer, 'cod')))
    const ids = at.map(({ body }) => body.order_id)
    const later = await pay(buyer, 'cod')
    expect([...ids, later.body.order_id]).toEqual(Array(4).fill(ids[0]))
    const [count] = await shop.db.sql<{ count: number }[]>`
      select count(*)::int as count from orders where billing ->> 'email' = ${buyer.email}`
    expect(count?.count).toBe(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('refuses with the code of each fault, and places nothing', async () => {
    const empty = await new StoreClient(shop).begin()
    expect((await empty.fail('GET', 'checkout')).code).toBe('woocommerce_rest_cart_empty')
    expect((await empty.fail('POST', 'checkout', { payment_method: 'cod' })).code).toBe('woocommerce_rest_cart_empty')
    const { client, billing } = await filled()
    const post = async (body: object) => (await client.fail('POST', 'checkout', body)).code
    const all = { billing_address: billing, shipping_address: storeAddress }
    expect(await post(all)).toBe('woocommerce_rest_checkout_missing_payment_method')
    expect(await post({ ...all, payment_method: 'gold' })).toBe('woocommerce_rest_checkout_payment_method_disabled')
    const other = await filled()
    const nowhere = await other.client.fail('POST', 'checkout', { payment_method: 'cod' })
    expect([nowhere.status, nowhere.code]).toEqual([400, 'woocommerce_rest_invalid_address'])
    expect(nowhere.body.data.params).toHaveProperty('billing_first_name')
    expect(await post({ billing_address: { ...billing, email: '' }, payment_method: 'cod' })).toBe(
      'woocommerce_rest_missing_email_address',
    )
    expect(await post({ billing_address: { ...billing, email: 'nobody' }, payment_method: 'cod' })).toBe(
      'woocommerce_rest_invalid_email_address',
    )
    expect(await post({ ...all, payment_method: 'cod', additional_fields: { 'vitrine/terms': false } })).toBe(
      'woocommerce_rest_checkout_terms_not_accepted',
    )
    expect(await post({ ...all, payment_method: 'cod', create_account: true, customer_password: 'short' })).toBe(
      'registration-error-password-short',
    )
    expect(await post({ ...all, payment_method: 'cod', payment_data: 'x' })).toBe('rest_invalid_param')
    const [count] = await shop.db.sql<{ count: number }[]>`
      select count(*)::int as count from orders where billing ->> 'email' = ${Object(billing).email}`
    expect(count?.count).toBe(0)
  })

  it('answers 409 with the whole cart where it changed under the shopper', async () => {
    const buyer = await filled('BOWL')
    const [before] = await shop.db.sql<
      { left: number }[]
    >`select stock_quantity as left from products where sku = 'BOWL'`
    await shop.db.sql`update products set stock_quantity = 0, stock_status = 'outofstock' where sku = 'BOWL'`
    try {
      const { status, code, body } = await buyer.client.fail('POST', 'checkout', {
        billing_address: buyer.billing,
        payment_method: 'cod',
      })
      expect([status, code]).toEqual([409, 'woocommerce_rest_cart_invalid'])
      expect(body.data.cart?.errors).toMatchObject([{ code: 'woocommerce_rest_product_out_of_stock' }])
    } finally {
      await shop.db.sql`
        update products set stock_quantity = ${before?.left ?? 0}, stock_status = 'instock' where sku = 'BOWL'`
    }
  })
})

describe('wc/store/v1/checkout/<id> and order/<id>', () => {
  it('shows an order to who placed it, and to others only with key and email address', async () => {
    const buyer = await filled()
    const { body: placed } = await pay(buyer, 'bacs')
    const own = await buyer.client.get<{ totals: Record<string, string>; items: unknown[] }>(`order/${placed.order_id}`)
    expect(own.status).toBe(200)
    expect(own.body.items).toHaveLength(1)
    expect(own.body.totals.total_price).toBe(String((await orderOf(shop, placed.order_id)).total))
    await shop.db.sql`update orders set created_at = now() - interval '1 hour' where id = ${placed.order_id}`
    const stranger = await new StoreClient(shop).begin()
    const codeAt = async (query: string) => (await stranger.fail('GET', `order/${placed.order_id}${query}`)).code
    expect(await codeAt('')).toBe('woocommerce_rest_invalid_order')
    expect(await codeAt('?key=wrong')).toBe('woocommerce_rest_invalid_order')
    expect(await codeAt(`?key=${placed.order_key}`)).toBe('woocommerce_rest_invalid_billing_email')
    expect(await codeAt(`?key=${placed.order_key}&billing_email=x@example.test`)).toBe(
      'woocommerce_rest_invalid_billing_email',
    )
    const right = `order/${placed.order_id}?key=${placed.order_key}&billing_email=${buyer.email.toUpperCase()}`
    expect((await stranger.get(right)).status).toBe(200)
  })

  it('names the coupons of an order, with what they took off', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_ppm) values ('ordered', 'percent', 250000)`
    const buyer = await filled()
    await buyer.client.post('cart/apply-coupon', { code: 'ordered' })
    const { body: placed } = await pay(buyer, 'cod')
    const { body } = await buyer.client.get<StoreOrderRecord>(`order/${placed.order_id}`)
    expect(body.coupons).toMatchObject([
      { code: 'ordered', discount_type: 'percent', totals: { total_discount: '300', total_discount_tax: '22' } },
    ])
    expect(body.totals).toMatchObject({ subtotal: '1200', total_discount: '300', total_refund: '0' })
  })

  it('tells a customer’s order to nobody else, with the right key', async () => {
    const buyer = await filled()
    const { body } = await pay(buyer, 'cod', {}, { create_account: true, customer_password: goodPassword })
    expect((await buyer.client.get(`order/${body.order_id}`)).status).toBe(200)
    const stranger = await new StoreClient(shop).begin()
    const query = `?key=${body.order_key}&billing_email=${buyer.email}`
    const { status, code } = await stranger.fail('GET', `order/${body.order_id}${query}`)
    expect([status, code]).toEqual([403, 'woocommerce_rest_invalid_user'])
    const paying = await stranger.fail('POST', `checkout/${body.order_id}`, {
      key: body.order_key,
      payment_method: 'cod',
    })
    expect([paying.status, paying.code]).toEqual([403, 'woocommerce_rest_invalid_user'])
  })

  it('pays an order that waits, by wallet in two steps or offline at once', async () => {
    const shopper = new Shopper(shop, 'waiting')
    const { orderId } = await shopper.startToPay('MUG', 1)
    const { key } = await orderOf(shop, orderId)
    const client = await new StoreClient(shop).begin()
    const wrong = await client.fail('POST', `checkout/${orderId}`, { key: 'x', payment_method: 'cod' })
    expect([wrong.status, wrong.code]).toEqual([404, 'woocommerce_rest_invalid_order'])
    const asked = { key, billing_email: shopper.email, payment_method: walletMethodId }
    const none = await client.fail('POST', `checkout/${orderId}`, { ...asked, payment_method: 'gold' })
    expect(none.code).toBe('woocommerce_rest_checkout_payment_method_disabled')
    const opened = await client.post<StoreCheckoutRecord>(`checkout/${orderId}`, asked)
    expect(opened.body.payment_result?.payment_status).toBe('pending')
    await shop.emulate(`/orders/${detailOf(opened.body)}/approve`, { buyer: 'buyer' })
    const paid = await client.post<StoreCheckoutRecord>(`checkout/${orderId}`, {
      ...asked,
      payment_data: [{ key: paymentFields(walletMethodId).order, value: detailOf(opened.body) }],
    })
    expect(paid.body).toMatchObject({ order_id: orderId, payment_result: { payment_status: 'success' } })
    await theOneOrder(shop, orderId)
    const stranger = await filled()
    const foreign = await stranger.client.fail('POST', `checkout/${orderId}`, {
      ...asked,
      payment_data: [{ key: paymentFields(walletMethodId).order, value: 'FOREIGN1' }],
    })
    expect(foreign.code).toBe('woocommerce_rest_checkout_process_payment_error')
  })
})
