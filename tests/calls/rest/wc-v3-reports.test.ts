import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { type V3SalesReport, type V3Total, v3SalesReport } from '#contract/statistics/v3-reports.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { localTime } from '#shop/shared/local-time.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let call: V3Client
const timeZone = 'Pacific/Auckland'
const today = () => localTime(new Date(), timeZone).slice(0, 10)

/** Three mugs with tax and shipping, paid; one mug, unpaid; one cancelled. */
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { timeZone } })
  const { tools } = shop.shop.application
  call = await v3Client(shop, 'read')
  await transitionOrder(tools, await placeOrder('ida', 3), { to: 'completed' })
  await placeOrder('bob', 1)
  await transitionOrder(tools, await placeOrder('cem', 1), { to: 'cancelled' })
})
afterAll(() => shop?.close())

async function placeOrder(name: string, pieces: number): Promise<number> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG', pieces)
  await shopper.openCheckout()
  const response = await shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))
  const answer = (await response.json()) as { result: string; messages?: string; order_id: number }
  expect(answer.result, answer.messages).toBe('success')
  return answer.order_id
}

const sales = async (query = '') => {
  const { status, body } = await call<V3SalesReport[]>('GET', `reports/sales${query}`)
  expect(status).toBe(200)
  const [report] = body
  return v3SalesReport.parse(report)
}

describe('wc/v3/reports', () => {
  it('names its reports', async () => {
    const { body } = await call<{ slug: string }[]>('GET', 'reports')
    expect(body.map(({ slug }) => slug)).toEqual([
      ...['sales', 'top_sellers', 'orders/totals', 'products/totals', 'customers/totals', 'coupons/totals'],
      'reviews/totals',
    ])
  })

  it('sums up the sales of a period, with the figures of the paid order', async () => {
    const [order] = await shop.db.sql<{ total: number; total_tax: number; shipping_total: number }[]>`
      select total, total_tax, shipping_total from orders where status = 'completed'`
    const decimal = (minor: number) => (minor / 100).toFixed(2)
    const { total = 0, total_tax: tax = 0, shipping_total: shipping = 0 } = order ?? {}
    expect([total > 0, tax > 0, shipping > 0]).toEqual([true, true, true])
    const report = await sales()
    expect(report).toMatchObject({
      total_sales: decimal(total),
      net_sales: decimal(total - tax - shipping),
      average_sales: decimal(Math.round(total / 7)),
      total_orders: 2,
      total_items: 4,
      total_tax: decimal(tax),
      total_shipping: decimal(shipping),
      total_refunds: '0.00',
      total_discount: '0.00',
      totals_grouped_by: 'day',
      total_customers: 0,
    })
    expect(Object.keys(report.totals)).toHaveLength(7)
    expect(report.totals[today()]).toEqual({
      ...{ sales: decimal(total), orders: 2, items: 4, tax: decimal(tax), shipping: decimal(shipping) },
      ...{ discount: '0.00', customers: 0 },
    })
  })

  it('takes a period by its name, or by its days', async () => {
    const year = await sales('?period=year')
    expect(year.totals_grouped_by).toBe('month')
    expect(year.totals[today().slice(0, 7)]).toMatchObject({ orders: 2 })
    expect(await sales('?period=last_month')).toMatchObject({ total_orders: 0, total_sales: '0.00', net_sales: '0.00' })
    const one = await sales(`?date_min=${today()}&date_max=${today()}`)
    expect([Object.keys(one.totals), one.total_orders]).toEqual([[today()], 2])
    expect((await sales('?date_min=2020-01-01&date_max=2020-01-31')).total_orders).toBe(0)
    expect((await sales('?date_min=2018-01-01&date_max=2020-01-31')).totals_grouped_by).toBe('month')
    for (const query of ['period=decade', 'date_min=2026-02-30', 'date_min=yesterday', 'date_min=1900-01-01']) {
      expect(await call('GET', `reports/sales?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      })
    }
  })

  it('subtracts refunds from sales, and from their tax and shipping in proportion', async () => {
    const [order] = await shop.db.sql<{ id: number; total: number; tax: number }[]>`
      select id, total, total_tax as tax from orders where status = 'completed'`
    const { id = 0, total = 0, tax = 0 } = order ?? {}
    const back = Math.floor(total / 2)
    const { tools } = shop.shop.application
    const done = await refundOrder(tools, id, { key: 'half', ask: { kind: 'amount', minor: back }, byHand: true })
    expect(done).toMatchObject({ ok: true })
    const report = await sales()
    expect(report.total_sales).toBe(((total - back) / 100).toFixed(2))
    expect(report.total_refunds).toBe((back / 100).toFixed(2))
    expect(report.total_tax).toBe((Math.round((tax * (total - back)) / total) / 100).toFixed(2))
  })

  it('lists the best-selling products', async () => {
    const mug = await shop.idOf('MUG')
    const { body } = await call<object[]>('GET', 'reports/top_sellers')
    expect(body).toMatchObject([{ product_id: mug, quantity: 4, name: expect.any(String) }])
    expect((await call('GET', 'reports/top_sellers?period=last_month')).body).toEqual([])
    expect((await call<object[]>('GET', 'reports/top_sellers?_fields=quantity')).body).toEqual([{ quantity: 4 }])
  })

  it('counts orders, products, customers, coupons and reviews', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_ppm) values ('spring', 'percent', 100000)`
    const mug = await shop.idOf('MUG')
    await shop.db.sql`
      insert into reviews (product_id, author, rating, content, status, created_at, updated_at)
      values (${mug}, 'Ida', 5, 'Good', 'approved', now(), now()), (${mug}, 'Bob', 5, 'Bad', 'hold', now(), now())`
    const totals = async (kind: string) =>
      Object.fromEntries(
        (await call<V3Total[]>('GET', `reports/${kind}/totals`)).body.map(({ slug, total }) => [slug, total]),
      )
    expect(await totals('orders')).toEqual({
      ...{ pending: 0, 'on-hold': 0, processing: 1, completed: 1, cancelled: 1, refunded: 0, failed: 0 },
    })
    const products = await totals('products')
    expect(Object.keys(products)).toEqual(['external', 'grouped', 'simple', 'variable'])
    expect(products.simple).toBeGreaterThan(0)
    expect(await totals('customers')).toEqual({ paying: 0, non_paying: 0 })
    expect(await totals('coupons')).toEqual({ percent: 1, fixed_cart: 0, fixed_product: 0 })
    expect(await totals('reviews')).toEqual({
      ...{ rated_1_out_of_5: 0, rated_2_out_of_5: 0, rated_3_out_of_5: 0, rated_4_out_of_5: 0, rated_5_out_of_5: 1 },
    })
    const { body } = await call<V3Total[]>('GET', 'reports/reviews/totals')
    expect(body[4]).toMatchObject({ name: 'Rated 5 out of 5' })
  })

  it('is closed without a key', async () => {
    for (const path of ['reports', 'reports/sales', 'reports/orders/totals']) {
      const answer = await fetch(`${shop.url}/wp-json/wc/v3/${path}`)
      expect([path, answer.status]).toEqual([path, 401])
    }
  })
})
