import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { connect } from '#database/engine/connect.ts'
import { type ApiKeyPair, makeApiKey } from '#shop/operations/api-keys.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Share = { id: number; total: string; subtotal: string }
type Taxed = { total_tax: string; subtotal_tax?: string; taxes: Share[] }
type Order = {
  line_items: Taxed[]
  shipping_lines: Taxed[]
  fee_lines: (Taxed & { name: string })[]
  tax_lines: { rate_id: number; label: string; tax_total: string; shipping_tax_total: string }[]
}

/** Goods are taxed with 7.25 % and 1.5 %, parcels with the latter; a fee for one way to pay is taxed with 20 %, by a rate of its own. */
let shop: TestShop
let key: ApiKeyPair
beforeAll(async () => {
  shop = await aShop({
    settings: {
      taxes: { classes: ['Services'] },
      fees: [
        { name: 'Gift wrap', amount: '2.50' },
        { name: 'For the courier', amount: '4', taxClass: 'services', when: { paymentMethod: 'cod' } },
      ],
    },
    async also(url) {
      const db = connect(url, { max: 1 })
      await db.sql`insert into tax_rates (country, state, rate_ppm, name, priority) values ('US', 'CA', 15000, 'City', 2)`
      await db.sql`insert into tax_rates (country, rate_ppm, name, class) values ('US', 200000, 'Services', 'services')`
      await db.sql`insert into coupons (code, type, amount_ppm) values ('spring', 'percent', 100000)`
      await db.close()
    },
  })
  key = await makeApiKey(shop.shop.application.tools, { description: 'Bookkeeping', who: 'tester' })
})
afterAll(() => shop.close())

async function placed(method: string): Promise<{ shopper: Shopper; id: number; path: string }> {
  const shopper = new Shopper(shop, method)
  await shopper.add('MUG', 3)
  await shopper.post(urls.cart(), { coupon_code: 'spring', apply_coupon: 'Apply' })
  await shopper.openCheckout()
  const { order_id: id = 0, messages } = await shopper.placeOrder(method)
  const [row] = await shop.db.sql<{ key: string }[]>`select key from orders where id = ${id}`
  if (!row) throw new Error(messages)
  return { shopper, id, path: urls.orderPay(id, row.key) }
}

async function read<Answer = Order>(id: number, below = ''): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`
  const response = await fetch(`${shop.url}${urls.rest(`wc/v3/orders/${id}${below}`)}`, { headers: { authorization } })
  return (await response.json()) as Answer
}

const rateIds = ({ tax_lines: rates }: Order) => Object.fromEntries(rates.map(({ label, rate_id: id }) => [label, id]))
const cents = (text: string) => Math.round(Number(text) * 100)
const sum = (list: readonly Share[]) => list.reduce((all, { total }) => all + cents(total), 0)

/** What lines, fees and parcels say of a rate is what the rate's own row says. */
function addsUp(order: Order): void {
  const { line_items: lines, fee_lines: fees, shipping_lines: parcels, tax_lines: rates } = order
  for (const { total_tax: tax, taxes } of [...lines, ...fees, ...parcels]) expect(sum(taxes)).toBe(cents(tax))
  const of = (id: number, list: readonly Taxed[]) =>
    sum(list.flatMap(({ taxes }) => taxes).filter((one) => one.id === id))
  expect(rates.map(({ rate_id: id }) => [of(id, [...lines, ...fees]), of(id, parcels)])).toEqual(
    rates.map(({ tax_total: onItems, shipping_tax_total: onShipping }) => [cents(onItems), cents(onShipping)]),
  )
}

type Refund = Pick<Order, 'line_items' | 'shipping_lines' | 'fee_lines'> & {
  id: number
  reason: string
  amount: string
}

describe('what went back of an order', () => {
  it('is told line by line, with its taxes by rate', async () => {
    const { id } = await placed('cod')
    const { tools } = shop.shop.application
    expect(await transitionOrder(tools, id, { to: 'completed' })).toMatchObject({ ok: true })
    const order = await read(id)
    const lineId = Number((order.line_items[0] as Taxed & { id: number }).id)
    const ask = { kind: 'lines', lines: [{ itemId: lineId, quantity: 1 }] } as const
    const done = await refundOrder(tools, id, { key: 'one', reason: 'A crack', ask, byHand: true })
    expect(done).toMatchObject({ ok: true })
    await refundOrder(tools, id, { key: 'rest', ask: { kind: 'amount', minor: 100 }, byHand: true })
    const list = await read<Refund[]>(id, '/refunds?order=asc')
    const { 'Sales tax': sales, City: city } = rateIds(order)
    expect(list).toEqual([
      expect.objectContaining({ parent_id: id, reason: 'A crack', amount: '11.75', refunded_payment: false }),
      expect.objectContaining({ amount: '1.00', line_items: [], shipping_lines: [], fee_lines: [] }),
    ])
    // A third of 32.40, and of 2.84: 0.79 by the larger rate, as 2.35 is to 0.49.
    expect(list[0]?.line_items).toEqual([
      expect.objectContaining({
        ...{ id: lineId, sku: 'MUG', quantity: -1, total: '-10.80', total_tax: '-0.95', price: 10.8 },
        taxes: [
          { id: sales, total: '-0.79', subtotal: '-0.79' },
          { id: city, total: '-0.16', subtotal: '-0.16' },
        ],
        meta_data: [{ id: 1, key: '_refunded_item_id', value: String(lineId) }],
      }),
    ])
    expect((await read<Refund[]>(id, '/refunds?per_page=1&_fields=amount'))[0]).toEqual({ amount: '1.00' })
    expect(await read(4711, '/refunds')).toMatchObject({ code: 'woocommerce_rest_invalid_order_id' })
  })
})

describe('the taxes of an order with several rates', () => {
  it('are told of each line, parcel and fee by rate', async () => {
    const order = await read((await placed('ppcp')).id)
    const { 'Sales tax': sales, City: city } = rateIds(order)
    // 36.00 less 10 %: 32.40.
    expect(order.line_items[0]?.taxes).toEqual([
      { id: sales, total: '2.35', subtotal: '2.61' },
      { id: city, total: '0.49', subtotal: '0.54' },
    ])
    expect(order.line_items[0]).toMatchObject({ total_tax: '2.84', subtotal_tax: '3.15' })
    expect(order.shipping_lines[0]?.taxes).toEqual([{ id: city, total: '0.10', subtotal: '' }])
    expect(order.fee_lines.map(({ taxes }) => taxes)).toEqual([
      [
        { id: sales, total: '0.18', subtotal: '' },
        { id: city, total: '0.04', subtotal: '' },
      ],
    ])
    addsUp(order)
  })

  it('follow the way to pay, which may bring a rate of its own', async () => {
    const { shopper, id, path } = await placed('ppcp')
    const html = await shopper.page(path)
    const form = /<form[^>]*id="order_review".*?<\/form>/s.exec(html)?.[0] ?? ''
    const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, field = '', value = '']) => [field, value]))
    await shopper.post(path, { ...fields, payment_method: 'cod', terms: '1' })
    const order = await read(id)
    const { Services: services } = rateIds(order)
    expect(order.fee_lines.find(({ name }) => name === 'For the courier')?.taxes).toEqual([
      { id: services, total: '0.80', subtotal: '' },
    ])
    addsUp(order)
    const told = ({ line_items, fee_lines, shipping_lines }: Order) =>
      [line_items, fee_lines, shipping_lines].map((list) => list.map(({ taxes }) => taxes))
    expect(told(order)).toEqual(told(await read((await placed('cod')).id)))
  })
})
