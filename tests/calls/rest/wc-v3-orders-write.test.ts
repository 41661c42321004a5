import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aV3Program, refusalOf, type V3Program } from '#tests/support/rest/v3-program.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
let api: V3Program
let mug: number

beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
  api = await aV3Program(shop)
  mug = await shop.idOf('MUG')
  await shop.db.sql`insert into coupons (code, type, amount_ppm) values ('spring', 'percent', 100000)`
  await shop.db.sql`insert into coupons (code, type, amount_minor, usage_limit) values ('once', 'fixed_cart', 100, 1)`
})
afterAll(() => shop.close())

const billing = {
  first_name: 'Ada',
  last_name: 'Byron',
  address_1: '1 Market Street',
  city: 'San Jose',
  state: 'CA',
  postcode: '95113',
  country: 'US',
  email: 'ada@example.test',
}
const anOrder = (more: object = {}) => ({ billing, line_items: [{ product_id: mug, quantity: 2 }], ...more })
const make = async (more: object = {}) => {
  const made = await api.post('orders', anOrder(more))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const stockOf = async (id: number) => {
  const [row] = await shop.db.sql<{ stock_quantity: number }[]>`select stock_quantity from products where id = ${id}`
  return row?.stock_quantity ?? 0
}
const cents = (text: unknown) => Math.round(Number(text) * 100)
/** What the lines of an order add up to, with their taxes. */
function sumOf(order: Record<string, readonly { total: string; total_tax: string }[]>): number {
  const lines = ['line_items', 'shipping_lines', 'fee_lines'].flatMap((name) => order[name] ?? [])
  return lines.reduce((sum, { total, total_tax: tax }) => sum + cents(total) + cents(tax), 0)
}
const doctor = () => checkInvariants({ ...tools, newest: 'all' })

describe('POST wc/v3/orders', () => {
  it('prices an order by the shop: products, taxes, shipping, fees and a coupon', async () => {
    const order = await make({
      payment_method: 'bacs',
      shipping_lines: [{ method_id: 'flat_rate', instance_id: 1, method_title: 'By bike', total: '6.90' }],
      fee_lines: [{ name: 'Gift wrap', total: '3.00', tax_status: 'taxable' }],
      coupon_lines: [{ code: 'SPRING' }],
      customer_note: 'Ring twice.',
      meta_data: [{ key: 'erp', value: { no: 7 } }],
    })
    expect(order).toMatchObject({
      status: 'pending',
      created_via: 'rest-api',
      customer_id: 0,
      customer_note: 'Ring twice.',
      payment_method_title: 'Direct bank transfer',
      discount_total: '2.40',
      shipping_total: '6.90',
      line_items: [{ product_id: mug, quantity: 2, subtotal: '24.00', total: '21.60', total_tax: '1.57', sku: 'MUG' }],
      shipping_lines: [{ method_title: 'By bike', method_id: 'flat_rate', instance_id: '1', total: '6.90' }],
      fee_lines: [{ name: 'Gift wrap', total: '3.00', total_tax: '0.22' }],
      coupon_lines: [{ code: 'spring', discount: '2.40' }],
      meta_data: [{ key: 'erp', value: { no: 7 } }],
      needs_payment: true,
      is_editable: true,
    })
    expect(cents(order.total)).toBe(sumOf(order))
    const location = (await api.post('orders', anOrder())).headers.get('location') ?? ''
    expect(location).toMatch(/\/wp-json\/wc\/v3\/orders\/\d+$/)
  })

  it('takes amounts of a line as they are written, and taxes them', async () => {
    const order = await make({ line_items: [{ sku: 'MUG', quantity: 3, subtotal: '30.00', total: '25.00' }] })
    expect(order.line_items).toMatchObject([{ subtotal: '30.00', total: '25.00', total_tax: '1.81', quantity: 3 }])
    expect([order.discount_total, order.total]).toEqual(['5.00', '26.81'])
  })

  it('sells a variation with its options', async () => {
    const id = await shop.idOf('SHIRT-SEA-M')
    const order = await make({ line_items: [{ product_id: await shop.idOf('SHIRT'), variation_id: id, quantity: 1 }] })
    expect(order.line_items).toMatchObject([{ variation_id: id, total: '44.00', sku: 'SHIRT-SEA-M' }])
  })

  it('reserves stock while it is pending, takes it when it is paid, and returns it when it is cancelled', async () => {
    const before = await stockOf(mug)
    const order = await make({ status: 'processing', set_paid: true, transaction_id: 'T-1', payment_method: 'bacs' })
    expect(order).toMatchObject({ status: 'processing', transaction_id: 'T-1', needs_payment: false })
    expect(order.date_paid).toMatch(/T/)
    expect(await stockOf(mug)).toBe(before - 2)
    const cancelled = await api.put(`orders/${order.id}`, { status: 'cancelled' })
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
    expect(await stockOf(mug)).toBe(before)
    const tooMany = await api.post('orders', anOrder({ line_items: [{ product_id: mug, quantity: 5000 }] }))
    expect(refusalOf(tooMany)).toEqual([400, 'woocommerce_rest_shop_order_out_of_stock'])
  })

  it('takes cash on delivery unpaid, until set_paid', async () => {
    const order = await make({ status: 'processing', payment_method: 'cod' })
    expect([order.status, order.date_paid]).toEqual(['processing', null])
    const paid = await api.put(`orders/${order.id}`, { set_paid: true })
    expect([paid.body.status, typeof paid.body.date_paid]).toEqual(['processing', 'string'])
  })

  it.each([
    ['no products', { line_items: [] }, 'line_items'],
    ['an unknown product', { line_items: [{ product_id: 99_999_999 }] }, 'line_items'],
    ['a product without a variation', { line_items: [{ sku: 'SHIRT' }] }, 'line_items'],
    ['a total above the subtotal', { line_items: [{ sku: 'MUG', subtotal: '1', total: '2' }] }, 'line_items'],
    ['more decimals than the currency', { line_items: [{ sku: 'MUG', total: '1.001' }] }, 'line_items'],
    ['an unknown coupon', { coupon_lines: [{ code: 'nope' }] }, 'coupon_lines'],
    ['an unknown customer', { customer_id: 99_999 }, 'customer_id'],
    ['another currency', { currency: 'EUR' }, 'currency'],
    ['no country', { billing: { country: 'Atlantis' } }, 'billing'],
    ['no email address', { billing: { email: 'ada' } }, 'billing'],
    ['a status of no order', { status: 'shipped' }, 'status'],
    ['a status that a refund gives', { status: 'refunded' }, 'status'],
    ['a shipping line without a total', { shipping_lines: [{ method_id: 'flat_rate' }] }, 'shipping_lines'],
    ['a fee without a name', { fee_lines: [{ total: '1' }] }, 'fee_lines'],
  ])('refuses %s', async (_, more, parameter) => {
    const refused = await api.post('orders', anOrder(more))
    expect(refusalOf(refused)).toEqual([400, 'rest_invalid_param'])
    expect(Object.keys((refused.body as unknown as { data: { params: object } }).data.params)).toEqual([parameter])
  })

  it('refuses a key that may only read, and strangers', async () => {
    const reader = await aV3Program(shop, 'read')
    expect(refusalOf(await reader.post('orders', anOrder()))).toEqual([401, 'woocommerce_rest_authentication_error'])
    const stranger = await fetch(`${shop.url}/wp-json/wc/v3/orders`, { method: 'POST' })
    expect(stranger.status).toBe(401)
  })
})

describe('PUT wc/v3/orders/{id}', () => {
  it('prices an unpaid order anew, and keeps the ids of its lines', async () => {
    const bowl = await shop.idOf('BOWL')
    const order = await make({ shipping_lines: [{ method_id: 'flat_rate', total: '5.00' }] })
    const [line = { id: 0 }] = order.line_items as unknown as { id: number }[]
    const changed = await api.put(`orders/${order.id}`, {
      line_items: [
        { id: line.id, quantity: 3 },
        { product_id: bowl, quantity: 1 },
      ],
      fee_lines: [{ name: 'Rush', total: '2.00' }],
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    expect(changed.body.line_items).toMatchObject([
      { id: line.id, quantity: 3, total: '36.00' },
      { product_id: bowl, quantity: 1 },
    ])
    expect(changed.body.shipping_lines).toEqual(order.shipping_lines)
    expect(cents(changed.body.total)).toBe(sumOf(changed.body))
    const [, added = { id: 0 }] = changed.body.line_items as unknown as { id: number }[]
    const removed = await api.put(`orders/${order.id}`, { line_items: [{ id: added.id, quantity: 0 }] })
    expect(removed.body.line_items).toMatchObject([{ id: line.id }])
    const unknown = await api.put(`orders/${order.id}`, { line_items: [{ id: added.id, quantity: 1 }] })
    expect(refusalOf(unknown)).toEqual([400, 'rest_invalid_param'])
  })

  it('changes lines on hold together with their stock', async () => {
    const before = await stockOf(mug)
    const order = await make({ status: 'on-hold', payment_method: 'bacs' })
    const [line = { id: 0 }] = order.line_items as unknown as { id: number }[]
    await api.put(`orders/${order.id}`, { line_items: [{ id: line.id, quantity: 5 }] })
    expect(await stockOf(mug)).toBe(before - 5)
    await api.put(`orders/${order.id}`, { status: 'cancelled' })
    expect(await stockOf(mug)).toBe(before)
  })

  it('counts a coupon once, and gives it back with the coupon line', async () => {
    const uses = async () => (await shop.db.sql`select used from coupons where code = 'once'`)[0]?.used
    const order = await make({ coupon_lines: [{ code: 'once' }] })
    expect([order.discount_total, await uses()]).toEqual(['1.00', 1])
    expect(refusalOf(await api.post('orders', anOrder({ coupon_lines: [{ code: 'once' }] })))[0]).toBe(400)
    const without = await api.put(`orders/${order.id}`, { coupon_lines: [] })
    expect([without.body.discount_total, without.body.total, await uses()]).toEqual(['0.00', '25.74', 0])
  })

  it('leaves the lines of a paid order alone, and takes fields and metadata', async () => {
    const order = await make({ set_paid: true, meta_data: [{ key: 'erp', value: 1 }] })
    const refused = await api.put(`orders/${order.id}`, { line_items: [{ sku: 'MUG', quantity: 1 }] })
    expect(refusalOf(refused)).toEqual([400, 'woocommerce_rest_shop_order_not_editable'])
    const [meta = { id: 0 }] = order.meta_data as unknown as { id: number }[]
    const changed = await api.put(`orders/${order.id}`, {
      billing: { phone: '4085550100' },
      customer_note: 'At the back door.',
      transaction_id: 'BANK-9',
      meta_data: [
        { id: meta.id, value: 2 },
        { key: 'new', value: 'x' },
      ],
    })
    expect(changed.body).toMatchObject({
      billing: { first_name: 'Ada', phone: '4085550100' },
      customer_note: 'At the back door.',
      transaction_id: 'BANK-9',
      meta_data: [
        { id: meta.id, key: 'erp', value: 2 },
        { key: 'new', value: 'x' },
      ],
    })
    const gone = await api.put(`orders/${order.id}`, { meta_data: [{ key: 'erp', value: null }] })
    expect(gone.body.meta_data).toMatchObject([{ key: 'new' }])
  })

  it('obeys the table of transitions', async () => {
    const order = await make({ status: 'completed' })
    const refused = await api.put(`orders/${order.id}`, { status: 'pending' })
    expect(refusalOf(refused)).toEqual([400, 'woocommerce_rest_shop_order_invalid_status'])
    expect(refusalOf(await api.put('orders/4711', { status: 'pending' }))).toEqual([
      404,
      'woocommerce_rest_shop_order_invalid_id',
    ])
  })
})

describe('the trash of orders', () => {
  it('cancels an unpaid order without emails, hides it, and gives it back with a status', async () => {
    const order = await make({ coupon_lines: [{ code: 'once' }] })
    const shopper = new Shopper(shop, 'ada')
    const path = urls.orderPay(order.id, String(order.order_key))
    expect(await shopper.page(path)).toContain('Plain mug')
    const trashed = await api.delete(`orders/${order.id}`)
    expect(trashed.body).toMatchObject({ id: order.id, status: 'trash' })
    expect(refusalOf(await api.delete(`orders/${order.id}`))).toEqual([410, 'woocommerce_rest_already_trashed'])
    expect(await shopper.page(path)).not.toContain('Plain mug')
    expect(await shopper.page(urls.orderReceived(order.id, String(order.order_key)))).not.toContain('Plain mug')
    const ids = async (query: string) =>
      ((await api.get(`orders?per_page=100&${query}`)).body as unknown as { id: number }[]).map(({ id }) => id)
    expect(await ids('')).not.toContain(order.id)
    expect(await ids('status=cancelled')).not.toContain(order.id)
    expect(await ids('status=trash')).toEqual([order.id])
    const [used] = await shop.db.sql`select used from coupons where code = 'once'`
    expect(used?.used).toBe(0)
    const mails = await shop.db.sql`select kind from sent_mail where order_id = ${order.id}`
    expect(mails).toEqual([])
    const restored = await api.put(`orders/${order.id}`, { status: 'pending' })
    expect(restored.body).toMatchObject({ status: 'pending', needs_payment: true })
    expect(await shopper.page(path)).toContain('Plain mug')
    await api.delete(`orders/${order.id}?force=true`)
    expect(await doctor()).toEqual([])
  })

  it('keeps a paid order as it is, without its revenue, downloads and desk', async () => {
    const order = await make({ status: 'completed' })
    const { listDeskOrders } = await import('#database/orders/desk-orders.ts')
    const { readOrder } = await import('#shop/orders/read-order.ts')
    const listed = async () =>
      (await listDeskOrders(tools.db.kysely, {}, { limit: 100, offset: 0 })).orders.map(({ id }) => id)
    expect(await listed()).toContain(order.id)
    await api.delete(`orders/${order.id}`)
    expect(await listed()).not.toContain(order.id)
    expect(await readOrder(tools, order.id)).toBeNull()
    expect((await api.get(`orders/${order.id}`)).body).toMatchObject({ status: 'trash' })
    expect(await doctor()).toEqual([])
    const restored = await api.put(`orders/${order.id}`, { status: 'completed' })
    expect(restored.body.status).toBe('completed')
    expect(await listed()).toContain(order.id)
  })

  it('anonymizes a deleted order, and keeps its ledger', async () => {
    const order = await make({ set_paid: true, meta_data: [{ key: 'erp', value: 1 }] })
    const deleted = await api.delete(`orders/${order.id}?force=true`)
    expect(deleted.body).toMatchObject({ id: order.id, billing: { first_name: 'Ada' } })
    expect(refusalOf(await api.get(`orders/${order.id}`))[0]).toBe(404)
    expect(refusalOf(await api.put(`orders/${order.id}`, { status: 'pending' }))[0]).toBe(404)
    const [row] = await shop.db.sql`select billing ->> 'email' as email, meta_data, deleted_at is not null as gone
      from orders where id = ${order.id}`
    expect(row).toEqual({ email: null, meta_data: {}, gone: true })
    const kinds = await shop.db.sql`select kind from ledger where order_id = ${order.id} order by seq`
    expect(kinds.map(({ kind }) => kind)).toEqual(['placed', 'paid-by-hand', 'trashed', 'deleted'])
    expect(await doctor()).toEqual([])
  })

  it('does not delete an order for which the provider moved money', async () => {
    const shopper = new Shopper(shop, 'bob')
    const { orderId, walletOrderId } = await shopper.startToPay('MUG', 1)
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    const refused = await api.delete(`orders/${orderId}?force=true`)
    expect(refusalOf(refused)).toEqual([409, 'woocommerce_rest_shop_order_has_payment'])
    const byProvider = await api.put(`orders/${orderId}`, { transaction_id: 'X' })
    expect(refusalOf(byProvider)).toEqual([400, 'woocommerce_rest_shop_order_paid_by_provider'])
    expect((await api.delete(`orders/${orderId}`)).body.status).toBe('trash')
    expect(await doctor()).toEqual([])
    expect((await api.put(`orders/${orderId}`, { status: 'processing' })).body.status).toBe('processing')
  })
})

it('a batch creates, changes and deletes, and reports the element that fails', async () => {
  const order = await make()
  const other = await make()
  const answer = await api.post('orders/batch', {
    create: [anOrder(), anOrder({ line_items: [] })],
    update: [
      { id: order.id, status: 'on-hold' },
      { id: 4711, status: 'on-hold' },
    ],
    delete: [other.id],
  })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    create: [{ status: 'pending' }, { error: { code: 'rest_invalid_param' } }],
    update: [{ status: 'on-hold' }, { id: 4711, error: { code: 'woocommerce_rest_shop_order_invalid_id' } }],
    delete: [{ id: other.id }],
  })
})

it('the payment link of a created order is paid by wallet, to the cent', async () => {
  const order = await make({ shipping_lines: [{ method_id: 'flat_rate', instance_id: 1, total: '6.90' }] })
  const shopper = new Shopper(shop, 'ada')
  await shopper.page(urls.orderPay(order.id, String(order.order_key)))
  const opened = await shopper.rest('order/pay', {
    payment_method: 'ppcp',
    order_id: order.id,
    order_key: order.order_key,
  })
  const walletOrderId = (await opened.json()) as string
  expect(walletOrderId).toMatch(/^[A-Z0-9]+$/)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const paid = await api.get(`orders/${order.id}`)
  expect(paid.body).toMatchObject({ status: 'processing', total: order.total, needs_payment: false })
  const [capture] = await shop.db.sql`select amount from captures where order_id = ${order.id}`
  expect(capture?.amount).toBe(cents(order.total))
  expect(await doctor()).toEqual([])
})

it('every write is in the access log, by its order', async () => {
  await shop.db.sql`truncate access_log`
  const order = await make()
  await api.put(`orders/${order.id}`, { customer_note: 'x' })
  await api.delete(`orders/${order.id}`)
  await api.delete(`orders/${order.id}?force=true`)
  const rows = await shop.db.sql`select action, subject from access_log order by id`
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual(
    ['orders create', 'orders update', 'orders trash', 'orders delete'].map((action) => [action, `order:${order.id}`]),
  )
})
