import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withLast } from '#tests/recovery/fixtures/last-piece.ts'
import { theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let teapot = 0
beforeAll(async () => {
  shop = await aShop()
  teapot = await shop.idOf('LAST')
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
  await withLast(shop, 100)
})

let count = 0
function aShopper(): Shopper {
  count += 1
  return new Shopper(shop, `hoarder${count}`)
}
const held = async () =>
  (
    await shop.db
      .sql`select order_id, quantity from stock_reservations where product_id = ${teapot} and expires_at > now()`
  ).map(({ order_id, quantity }) => [Number(order_id), Number(quantity)])

describe('T34 what one visitor keeps from others', () => {
  it('carts keep nothing, and of all that a visitor orders one order at a time is open', async () => {
    const shopper = aShopper()
    await shopper.add('LAST', 3)
    expect(await held()).toEqual([])
    const orders: number[] = []
    for (let more = 0; more < 5; more += 1) {
      const { orderId } = await shopper.startToPay('LAST', 1)
      orders.push(orderId)
      expect(await held()).toEqual([[orderId, 4 + more]])
    }
    const open = await shop.db.sql`select id from orders where status = 'pending' and id = any(${orders})`
    expect(open.map(({ id }) => Number(id))).toEqual([orders.at(-1)])
  })

  it('of many pieces twenty are kept; what others bought meanwhile is told before any money is taken', async () => {
    const bulk = aShopper()
    const { orderId, walletOrderId } = await bulk.startToPay('LAST', 90)
    expect(await held()).toEqual([[orderId, 20]])
    const other = aShopper()
    const bought = await other.startToPay('LAST', 15)
    await other.approve(bought.walletOrderId)
    await other.returnFromWallet(bought.walletOrderId)
    await other.placeOrder(undefined, bought.walletOrderId)
    await theOneOrder(shop, bought.orderId)

    await bulk.approve(walletOrderId)
    await bulk.returnFromWallet(walletOrderId)
    expect(await bulk.placeOrder(undefined, walletOrderId)).toMatchObject({ result: 'failure' })
    expect(await shop.db.sql`select 1 from captures where order_id = ${orderId}`).toHaveLength(0)
    const [left] = await shop.db.sql`select stock_quantity from products where id = ${teapot}`
    expect(Number(left?.stock_quantity)).toBe(85)
  })

  it('a large order is bought all the same', async () => {
    const bulk = aShopper()
    const { orderId, walletOrderId } = await bulk.startToPay('LAST', 90)
    await bulk.approve(walletOrderId)
    await bulk.returnFromWallet(walletOrderId)
    await bulk.placeOrder(undefined, walletOrderId)
    await theOneOrder(shop, orderId)
    const [left] = await shop.db.sql`select stock_quantity from products where id = ${teapot}`
    expect(Number(left?.stock_quantity)).toBe(10)
  })
})

describe('T35 counting visits', () => {
  const hit = (query: string, init: RequestInit = {}) => fetch(`${shop.url}/api/stats/hit?${query}`, init)

  it.each([
    ['nothing', ''],
    ['what nobody asked for', '__proto__[x]=1&constructor=1&role=administrator'],
    ['a list for a text', 'resourceUri[]=1&resourceUri[]=2'],
    ['broken letters', 'resourceUri=%ff%fe&referred=%00'],
    ['far too much', `resourceUri=${'x'.repeat(6000)}`],
  ])('takes %s without an error for the visitor, and puts nothing of it down', async (_, query) => {
    const before = await shop.db.sql`select count(*)::int as n from stat_seen`
    for (const init of [{}, { method: 'POST', body: new URLSearchParams(query) }]) {
      const answer = await hit(query, init)
      expect([200, 400, 414]).toContain(answer.status)
    }
    expect(await shop.db.sql`select count(*)::int as n from stat_seen`).toEqual(before)
  })

  it('a hundred at once are answered, and the pages of the shop with them', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 100 }, (_, at) => hit(`resourceUri=${at}`)),
      fetch(`${shop.url}/cart/`),
      fetch(`${shop.url}/shop/`),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([200, 200])
  })
})
