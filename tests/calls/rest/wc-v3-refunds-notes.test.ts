import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { aV3Program, refusalOf, type V3Program } from '#tests/support/rest/v3-program.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let api: V3Program
beforeAll(async () => {
  shop = await aShop()
  api = await aV3Program(shop)
})
afterAll(() => shop.close())

type Lines = { id: number; total: string; total_tax: string }[]
type Order = { id: number; total: string; line_items: Lines; shipping_lines: Lines; refunds: { total: string }[] }
const orderOf = async (id: number) => (await api.get(`orders/${id}`)).body as unknown as Order & { status: string }
const cents = (text: unknown) => Math.round(Number(text) * 100)

async function paidByWallet(name: string, pieces = 3): Promise<Order> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG', pieces)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderOf(orderId)
}

async function paidByHand(): Promise<Order> {
  const made = await api.post('orders', {
    set_paid: true,
    billing: { country: 'US', state: 'CA', postcode: '95113', email: 'ada@example.test' },
    line_items: [{ sku: 'MUG', quantity: 2 }],
  })
  return made.body as unknown as Order
}
const doctor = () => checkInvariants({ ...shop.shop.application.tools, newest: 'all' })
const stock = async () => (await shop.db.sql`select stock_quantity from products where sku = 'MUG'`)[0]?.stock_quantity
const first = ({ line_items: [line] }: Order) => {
  if (!line) throw new Error('the order has no line')
  return line
}

describe('wc/v3/orders/{id}/refunds', () => {
  it('gives money back at the provider, by lines with their tax, and agrees with the order to the cent', async () => {
    const order = await paidByWallet('ida')
    const line = first(order)
    const before = await stock()
    const part = await api.post(`orders/${order.id}/refunds`, {
      reason: 'A crack',
      line_items: [{ id: line.id, quantity: 1 }],
    })
    expect(part.status, JSON.stringify(part.body)).toBe(201)
    expect(part.body).toMatchObject({
      parent_id: order.id,
      reason: 'A crack',
      refunded_payment: true,
      amount: '12.87',
      line_items: [{ id: line.id, quantity: -1, total: '-12.00', total_tax: '-0.87' }],
    })
    expect(await stock()).toBe(before + 1)
    const rest = (cents(order.total) - 1287) / 100
    const all = await api.post(`orders/${order.id}/refunds`, { amount: rest.toFixed(2), api_restock: false })
    expect(all.body).toMatchObject({ amount: rest.toFixed(2), refunded_payment: true, line_items: [] })
    const after = await orderOf(order.id)
    expect(after.status).toBe('refunded')
    expect(after.refunds.reduce((sum, { total }) => sum + cents(total), 0)).toBe(-cents(order.total))
    const [capture] = await shop.db.sql`select status from captures where order_id = ${order.id}`
    expect(capture?.status).toBe('REFUNDED')
    const more = await api.post(`orders/${order.id}/refunds`, { amount: '1.00' })
    expect(refusalOf(more)).toEqual([400, 'woocommerce_rest_cannot_create_order_refund'])
    expect(await doctor()).toEqual([])
  })

  it('takes stated amounts of a line with its tax, and refuses those that do not sum up', async () => {
    const order = await paidByWallet('carl', 1)
    const line = first(order)
    const refund = (more: object) =>
      api.post(`orders/${order.id}/refunds`, {
        line_items: [{ id: line.id, quantity: 0, refund_total: '5.00', refund_tax: [{ id: 1, refund_total: '0.36' }] }],
        ...more,
      })
    expect(refusalOf(await refund({ amount: '7.00' }))).toEqual([400, 'woocommerce_rest_cannot_create_order_refund'])
    const done = await refund({ amount: '5.36' })
    expect(done.body).toMatchObject({ amount: '5.36', line_items: [{ total: '-5.00', total_tax: '-0.36' }] })
    const tooMuch = await api.post(`orders/${order.id}/refunds`, {
      line_items: [{ id: line.id, refund_total: '7.01' }],
    })
    expect(refusalOf(tooMuch)[0]).toBe(400)
    expect(await doctor()).toEqual([])
  })

  it('does not call the provider without api_refund, or where the money came by hand', async () => {
    const byWallet = await paidByWallet('eve', 1)
    const byHand = await api.post(`orders/${byWallet.id}/refunds`, { amount: '1.00', api_refund: false })
    expect(byHand.body).toMatchObject({ refunded_payment: false, amount: '1.00' })
    const order = await paidByHand()
    const before = await stock()
    const back = await api.post(`orders/${order.id}/refunds`, {
      amount: order.total,
      line_items: [{ id: first(order).id, quantity: 2 }],
    })
    expect(back.body).toMatchObject({ refunded_payment: false, line_items: [{ quantity: -2 }] })
    expect([(await orderOf(order.id)).status, await stock()]).toEqual(['refunded', before + 2])
    expect(await doctor()).toEqual([])
  })

  it('is read by its id, listed over all orders, and never deleted', async () => {
    const order = await paidByHand()
    const { body: refund } = await api.post(`orders/${order.id}/refunds`, { amount: '2.00', reason: 'Late' })
    const path = `orders/${order.id}/refunds/${refund.id}`
    expect((await api.get(path)).body).toMatchObject({ id: refund.id, amount: '2.00' })
    expect(refusalOf(await api.get(`orders/${order.id}/refunds/4711`))).toEqual([
      404,
      'woocommerce_rest_shop_order_refund_invalid_id',
    ])
    expect(refusalOf(await api.get('orders/4711/refunds'))).toEqual([404, 'woocommerce_rest_invalid_order_id'])
    const all = await api.get('refunds?per_page=1&search=Late')
    expect(all.body).toMatchObject([{ id: refund.id, parent_id: order.id }])
    expect([all.headers.get('x-wp-total'), all.headers.get('x-wp-totalpages')]).toEqual(['1', '1'])
    const paged = await api.get('refunds?per_page=1&page=2&order=asc')
    expect(paged.headers.get('link')).toContain('rel="prev"')
    expect(refusalOf(await api.get('refunds?per_page=0'))).toEqual([400, 'rest_invalid_param'])
    expect(refusalOf(await api.delete(path))).toEqual([501, 'woocommerce_rest_trash_not_supported'])
    expect(refusalOf(await api.delete(`${path}?force=true`))).toEqual([409, 'woocommerce_rest_cannot_delete'])
  })

  it('refuses orders without a payment, unknown lines, and requests without an amount', async () => {
    const { body: unpaid } = await api.post('orders', { line_items: [{ sku: 'MUG' }] })
    const code = 'woocommerce_rest_cannot_create_order_refund'
    expect(refusalOf(await api.post(`orders/${unpaid.id}/refunds`, { amount: '1.00' }))).toEqual([400, code])
    const order = await paidByHand()
    const post = (body: object) => api.post(`orders/${order.id}/refunds`, body)
    expect(refusalOf(await post({}))).toEqual([400, 'rest_invalid_param'])
    expect(refusalOf(await post({ amount: '1.001' }))).toEqual([400, 'rest_invalid_param'])
    expect(refusalOf(await post({ line_items: [{ id: 99_999_999, quantity: 1 }] }))).toEqual([400, code])
    const reader = await aV3Program(shop, 'read')
    expect(refusalOf(await reader.post(`orders/${order.id}/refunds`, { amount: '1.00' }))[0]).toBe(401)
  })
})

describe('wc/v3/orders/{id}/notes', () => {
  it('adds private notes and notes to the customer, who is emailed, and deletes them', async () => {
    const order = await paidByHand()
    const path = `orders/${order.id}/notes`
    const secret = await api.post(path, { note: 'Fragile.' })
    expect([secret.status, secret.body]).toMatchObject([201, { note: 'Fragile.', customer_note: false }])
    const told = await api.post(path, { note: 'It leaves tomorrow.', customer_note: true })
    const mails = await shop.db.sql`select about from sent_mail where order_id = ${order.id} and kind = 'customer_note'`
    expect(mails).toEqual([{ about: told.body.id }])
    const texts = async (query: string) =>
      ((await api.get(`${path}?${query}`)).body as unknown as { note: string }[]).map(({ note }) => note)
    expect(await texts('type=customer')).toEqual(['It leaves tomorrow.'])
    expect((await texts('type=internal&per_page=1'))[0]).toBe('Fragile.')
    expect((await api.get(`${path}/${secret.body.id}`)).body.note).toBe('Fragile.')
    expect(refusalOf(await api.delete(`${path}/${secret.body.id}`))).toEqual([
      501,
      'woocommerce_rest_trash_not_supported',
    ])
    expect((await api.delete(`${path}/${secret.body.id}?force=true`)).status).toBe(200)
    expect(refusalOf(await api.get(`${path}/${secret.body.id}`))).toEqual([
      404,
      'woocommerce_rest_order_note_invalid_id',
    ])
    expect(refusalOf(await api.post(path, { note: ' ' }))).toEqual([400, 'rest_invalid_param'])
    expect(refusalOf(await api.post('orders/4711/notes', { note: 'x' }))).toEqual([
      404,
      'woocommerce_rest_invalid_order_id',
    ])
  })
})

describe('actions of orders', () => {
  it('lists the statuses', async () => {
    expect((await api.get('orders/statuses')).body).toEqual(
      expect.arrayContaining([{ slug: 'on-hold', name: 'On hold' }]),
    )
  })

  it('emails an order, to its own address unless another is forced', async () => {
    const order = await paidByHand()
    const mails = async () =>
      (await shop.db.sql`select 1 from sent_mail where order_id = ${order.id} and kind = 'customer_invoice'`).length
    const sent = await api.post(`orders/${order.id}/actions/send_order_details`)
    expect([sent.status, sent.body.message, await mails()]).toEqual([
      200,
      expect.stringContaining('ada@example.test'),
      1,
    ])
    const path = `orders/${order.id}/actions/send_email`
    const other = { template_id: 'customer_invoice', email: 'eve@example.test' }
    expect(refusalOf(await api.post(path, other))[0]).toBe(400)
    expect(await mails()).toBe(1)
    expect((await api.post(path, { ...other, force_email_update: true })).status).toBe(200)
    expect(await orderOf(order.id)).toMatchObject({ billing: { email: 'eve@example.test' } })
    expect(refusalOf(await api.post(path, { template_id: 'new_order' }))).toEqual([400, 'rest_invalid_param'])
    const { body: nameless } = await api.post('orders', { line_items: [{ sku: 'MUG' }] })
    expect(refusalOf(await api.post(`orders/${nameless.id}/actions/send_order_details`))).toEqual([
      400,
      'woocommerce_rest_missing_email',
    ])
  })
})
