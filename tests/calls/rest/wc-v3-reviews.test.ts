import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { V3Product } from '#contract/catalog/v3-products.ts'
import { type V3Review, v3Review } from '#contract/catalog/v3-reviews.ts'
import { urls } from '#contract/shared/urls.ts'
import { eraseCustomer, eraseGuest } from '#shop/customers/erase-customer.ts'
import { exportCustomer, exportGuest } from '#shop/customers/export-customer.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { type V3Client, v3Client } from '#tests/support/rest/v3-client.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

type Fault = { code: string; data: { status: number; params?: Record<string, string> } }

let shop: TestShop
let api: V3Client
let mug: number
beforeAll(async () => {
  shop = await aShop({ settings: { timeZone: 'America/New_York' } })
  api = await v3Client(shop)
  mug = await shop.idOf('MUG')
})
afterAll(() => shop.close())

const written = (over: object = {}) => ({
  product_id: mug,
  review: 'Sits well in the hand.',
  reviewer: 'Grace',
  reviewer_email: 'grace@example.test',
  rating: 4,
  ...over,
})
const create = async (over: object = {}) => {
  const { status, body } = await api<V3Review>('POST', 'products/reviews', written(over))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const figures = async (id: number) => {
  const { average_rating: average, rating_count: count } = (await api<V3Product>('GET', `products/${id}`)).body
  return [average, count]
}
const page = async () => (await fetch(`${shop.url}/product/plain-mug/`)).text()

describe('wc/v3/products/reviews', () => {
  it('creates, changes, trashes and deletes reviews; the rating of the product and its page follow', async () => {
    expect(await page()).not.toContain('star-rating')
    const review = await create()
    const { _links, ...record } = review as V3Review & { _links: object }
    expect(v3Review.strict().parse(record)).toEqual(record)
    expect(record).toMatchObject({
      product_id: mug,
      product_name: 'Plain mug',
      product_permalink: `${shop.url}/product/plain-mug/`,
      status: 'approved',
      reviewer: 'Grace',
      rating: 4,
      verified: false,
    })
    expect(_links).toMatchObject({ up: [{ href: `${shop.url}/wp-json/wc/v3/products/${mug}`, embeddable: true }] })
    expect(await figures(mug)).toEqual(['4.00', 1])
    await expect.poll(page).toContain('star-rating')
    const other = await create({ rating: 1, status: 'hold' })
    expect(await figures(mug)).toEqual(['4.00', 1])
    const path = `products/reviews/${other.id}`
    expect((await api<V3Review>('PUT', path, { status: 'approved' })).body.status).toBe('approved')
    expect(await figures(mug)).toEqual(['2.50', 2])
    expect((await api<V3Review>('PUT', path, { rating: 0, review: 'Too small.' })).body).toMatchObject({
      rating: 0,
      review: 'Too small.',
    })
    expect(await figures(mug)).toEqual(['4.00', 1])
    expect((await api<V3Review>('DELETE', path)).body.status).toBe('trash')
    expect(await api<Fault>('DELETE', path)).toMatchObject({
      status: 410,
      body: { code: 'woocommerce_rest_already_trashed' },
    })
    expect((await api<V3Review>('PUT', path, { status: 'untrash' })).body.status).toBe('hold')
    expect((await api('DELETE', `products/reviews/${review.id}?force=true`)).status).toBe(200)
    expect(await figures(mug)).toEqual(['0.00', 0])
    expect(await api<Fault>('GET', `products/reviews/${review.id}`)).toMatchObject({
      status: 404,
      body: { code: 'woocommerce_rest_review_invalid_id' },
    })
    await expect.poll(page).not.toContain('star-rating')
  })

  it('lists pages, and filters and sorts them', async () => {
    const bowl = await shop.idOf('BOWL')
    const of = (over: object) => create({ product_id: bowl, ...over })
    const early = await of({ rating: 5, date_created: '2024-03-01T08:00:00', reviewer_email: 'early@example.test' })
    const late = await of({ rating: 2, date_created: '2025-03-01T08:00:00', review: 'Chipped.' })
    const held = await of({ rating: 3, status: 'hold' })
    expect(early).toMatchObject({ date_created: '2024-03-01T08:00:00', date_created_gmt: '2024-03-01T13:00:00' })
    const ids = async (query: string) => {
      const { status, body } = await api<V3Review[]>('GET', `products/reviews?product=${bowl}&${query}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.map(({ id }) => id)
    }
    expect(await ids('')).toEqual([late.id, early.id])
    expect(await ids('order=asc')).toEqual([early.id, late.id])
    expect(await ids('status=all&orderby=id')).toEqual([held.id, late.id, early.id])
    expect(await ids('status=hold')).toEqual([held.id])
    expect(await ids('orderby=rating&order=asc')).toEqual([late.id, early.id])
    expect(await ids('orderby=product&order=asc')).toEqual([early.id, late.id])
    expect(await ids(`include=${early.id},${late.id}&orderby=include`)).toEqual([early.id, late.id])
    expect(await ids(`exclude=${early.id}`)).toEqual([late.id])
    expect(await ids('after=2024-06-01T00:00:00')).toEqual([late.id])
    expect(await ids('before=2024-06-01T00:00:00')).toEqual([early.id])
    expect(await ids('search=chipped')).toEqual([late.id])
    expect(await ids('reviewer_email=early@example.test')).toEqual([early.id])
    expect(await ids('reviewer=1')).toEqual([])
    const paged = await api<V3Review[]>('GET', `products/reviews?product=${bowl}&per_page=1&page=2&_fields=id`)
    expect(paged.body).toEqual([{ id: early.id }])
    expect(paged.headers.get('x-wp-total')).toBe('2')
    expect((await api<Fault>('GET', 'products/reviews?status=good')).body.data.params).toHaveProperty('status')
    expect((await api('GET', `products/reviews/${early.id}?_embed`)).body).toMatchObject({
      _embedded: { up: [{ id: bowl, sku: 'BOWL' }] },
    })
  })

  it('answers bad parameters, unknown products and wrong rights with their codes', async () => {
    const faults: [object, number, string][] = [
      [written({ product_id: 999_999 }), 404, 'woocommerce_rest_product_invalid_id'],
      [written({ review: '' }), 400, 'rest_invalid_param'],
      [written({ reviewer: '' }), 400, 'rest_invalid_param'],
      [written({ reviewer_email: 'nobody' }), 400, 'rest_invalid_param'],
      [written({ rating: 6 }), 400, 'rest_invalid_param'],
      [{ review: 'No product' }, 400, 'rest_invalid_param'],
    ]
    for (const [input, status, code] of faults) {
      const answer = await api<Fault>('POST', 'products/reviews', input)
      expect([answer.status, answer.body.code], JSON.stringify(input)).toEqual([status, code])
    }
    expect((await api<Fault>('PUT', 'products/reviews/999999', { rating: 1 })).status).toBe(404)
    expect((await api<Fault>('DELETE', 'products/reviews/999999?force=true')).status).toBe(404)
    const reads = await v3Client(shop, 'read')
    expect((await reads('POST', 'products/reviews', written())).status).toBe(401)
    expect((await fetch(`${shop.url}/wp-json/wc/v3/products/reviews`)).status).toBe(401)
  })

  it('applies a batch, and reports a failed element in its place', async () => {
    const { body } = await api<{ create: V3Review[] }>('POST', 'products/reviews/batch', {
      create: [written({ review: 'One' }), written({ rating: 9 })],
    })
    expect(body.create).toMatchObject([{ review: 'One' }, { id: 0, error: { code: 'rest_invalid_param' } }])
    const id = body.create[0]?.id
    const rest = await api('POST', 'products/reviews/batch', { update: [{ id, rating: 1 }], delete: [id, 999_999] })
    expect(rest.body).toMatchObject({
      update: [{ id, rating: 1 }],
      delete: [{ id }, { error: { code: 'woocommerce_rest_review_invalid_id' } }],
    })
  })

  it('records who read reviews: they contain personal data', async () => {
    const { id } = await create()
    await api('GET', `products/reviews/${id}`)
    await api('GET', 'products/reviews')
    const noted = await shop.db
      .sql`select action, subject from access_log where action like 'reviews %' order by id desc limit 3`
    expect(noted).toEqual([
      { action: 'reviews list', subject: 'list status=approved page=1' },
      { action: 'reviews show', subject: `review:${id}` },
      { action: 'reviews create', subject: `review:${id}` },
    ])
  })

  it('verifies the buyer of a completed order', async () => {
    const shopper = new Shopper(shop, 'buyer')
    await shopper.add('MUG', 1)
    await shopper.openCheckout()
    const response = await shopper.post(urls.wcAjax('checkout'), shopper.form('cod'))
    const { order_id: order } = (await response.json()) as { order_id: number }
    await transitionOrder(shop.shop.application.tools, order, { to: 'completed', note: '' })
    expect(await create({ reviewer_email: 'Buyer@example.test' })).toMatchObject({ verified: true })
    expect(await create({ reviewer_email: 'stranger@example.test' })).toMatchObject({ verified: false })
  })
})

describe('reviews as personal data', () => {
  it('are exported with the account, and lose their author when it is erased', async () => {
    const { tools } = shop.shop.application
    await aCustomer(shop, 'reviewer@example.test').register()
    const [customer] = await shop.db.sql<
      { id: number }[]
    >`select id from customers where email = 'reviewer@example.test'`
    const account = customer?.id ?? 0
    const { id } = await create({ reviewer: 'Reviewer R.', reviewer_email: 'reviewer@example.test', rating: 5 })
    await shop.db.sql`update reviews set customer_id = ${account} where id = ${id}`
    expect(await exportCustomer(tools, account)).toMatchObject({
      reviews: [{ product: 'Plain mug', author: 'Reviewer R.', email: 'reviewer@example.test', rating: 5 }],
    })
    expect(await eraseCustomer(tools, account, 'tester')).toEqual({ ok: true })
    const [row] = await shop.db.sql`select author, email, customer_id, rating from reviews where id = ${id}`
    expect(row).toEqual({ author: '', email: '', customer_id: null, rating: 5 })
    expect((await api<V3Review>('PUT', `products/reviews/${id}`, { rating: 4 })).status).toBe(200)
  })

  it('of a guest are found by the email', async () => {
    const { tools } = shop.shop.application
    await create({ reviewer: 'Guest G.', reviewer_email: 'Only.Reviews@example.test' })
    expect(await exportGuest(tools, 'only.reviews@example.test')).toMatchObject({
      orders: [],
      reviews: [{ author: 'Guest G.' }],
    })
    expect(await eraseGuest(tools, 'only.reviews@example.test', 'tester')).toMatchObject({ ok: true })
    expect(await exportGuest(tools, 'only.reviews@example.test')).toMatchObject({ reviews: [] })
    expect(await eraseGuest(tools, 'only.reviews@example.test', 'tester')).toEqual({ ok: false, reason: 'unknown' })
  })
})
