import { afterAll, beforeAll, expect, it } from 'vitest'
import { listReviews } from '#database/catalog/reviews.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { addReviews, changeReview, createReview, type ReviewInput, removeReview } from './manage-reviews.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

let added = 0
async function addProduct(): Promise<number> {
  added += 1
  const [row] = await db.sql<{ id: number }[]>`
    insert into products (type, name, slug, regular_price) values ('simple', 'Mug', ${`mug-${added}`}, 900) returning id`
  return row?.id ?? 0
}
const tools = () => ({ ...systemEnvironment(systemLog('silent')), db })
const review = (productId: number, over: Partial<ReviewInput> = {}): ReviewInput => ({
  productId,
  customerId: null,
  author: 'Ada',
  email: 'ada@example.test',
  rating: 5,
  content: 'Sturdy.',
  status: 'approved',
  ...over,
})
async function figuresOf(id: number) {
  const [row] = await db.sql<{ average: number; ratings: number }[]>`
    select average_rating::float8 as average, rating_count as ratings from products where id = ${id}`
  return row
}
async function idOf(result: Awaited<ReturnType<typeof createReview>>) {
  if (!result.ok) throw new Error(result.reason)
  return result.review.id
}

it('counts approved reviews with stars only, and follows every change', async () => {
  const product = await addProduct()
  const first = await idOf(await createReview(tools(), review(product)))
  const second = await idOf(await createReview(tools(), review(product, { rating: 2 })))
  await createReview(tools(), review(product, { rating: null }))
  await createReview(tools(), review(product, { rating: 1, status: 'hold' }))
  expect(await figuresOf(product)).toEqual({ average: 3.5, ratings: 2 })
  await changeReview(tools(), second, { status: 'spam' })
  expect(await figuresOf(product)).toEqual({ average: 5, ratings: 1 })
  await changeReview(tools(), second, { status: 'approved', rating: 3, reply: 'Thank you' })
  expect(await figuresOf(product)).toEqual({ average: 4, ratings: 2 })
  const other = await addProduct()
  await changeReview(tools(), second, { productId: other })
  expect(await figuresOf(product)).toEqual({ average: 5, ratings: 1 })
  expect(await figuresOf(other)).toEqual({ average: 3, ratings: 1 })
  await removeReview(tools(), first)
  expect(await figuresOf(product)).toEqual({ average: 0, ratings: 0 })
})

it('announces the product, so that cached pages follow', async () => {
  const product = await addProduct()
  await createReview(tools(), review(product))
  const [change] = await db.sql`select product_id from catalog_changes order by version desc limit 1`
  expect(change).toEqual({ product_id: product })
})

it('refuses an unknown product, an unknown review and a broken rule', async () => {
  const product = await addProduct()
  expect(await createReview(tools(), review(999_999))).toEqual({ ok: false, reason: 'unknown-product' })
  expect(await createReview(tools(), review(product, { content: ' ' }))).toEqual({
    ok: false,
    reason: 'content-missing',
  })
  expect(await changeReview(tools(), 999_999, {})).toEqual({ ok: false, reason: 'unknown-review' })
  expect(await removeReview(tools(), 999_999)).toEqual({ ok: false, reason: 'unknown-review' })
})

it('adds a review of another shop once', async () => {
  const product = await addProduct()
  const given = [review(product, { importedId: 'r-1' }), review(product, { importedId: 'r-2', rating: 1 })]
  const add = () => db.kysely.transaction().execute((tx) => addReviews(tx, given, new Date()))
  expect(await add()).toHaveLength(2)
  expect(await add()).toEqual([])
  const page = { sort: 'rating', descending: false, limit: 10, offset: 0 } as const
  const { total, reviews } = await listReviews(db.kysely, { products: [product] }, page)
  expect(total).toBe(2)
  expect(reviews.map(({ rating, verified }) => [rating, verified])).toEqual([
    [1, false],
    [5, false],
  ])
})

it('verifies a buyer by an order of the account or of the email, in a status that proves the purchase', async () => {
  const product = await addProduct()
  const order = (status: string, email: string) => db.sql`
    with placed as (
      insert into orders (status, session_id, key, intention, cart_hash, currency, prices_include_tax, total, billing,
        shipping, payment_method, payment_method_title, created_at, updated_at)
      values (${status}, ${`s-${email}`}, ${`k-${email}`}, 'pay', '', 'USD', false, 900,
        ${JSON.stringify({ email })}::text::jsonb, '{}', 'cod', 'Cash', now(), now()) returning id
    ) insert into order_items (order_id, position, type, name, product_id) select id, 0, 'line_item', 'Mug', ${product} from placed`
  await order('completed', 'ada@example.test')
  await order('pending', 'bob@example.test')
  const verified = async (email: string) => {
    const result = await createReview(tools(), review(product, { email }))
    return result.ok && result.review.verified
  }
  expect(await verified('Ada@Example.test')).toBe(true)
  expect(await verified('bob@example.test')).toBe(false)
  expect(await verified('')).toBe(false)
})
