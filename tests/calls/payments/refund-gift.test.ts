import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefundPlanInput } from '#domain/payments/plan-refund.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { readOrder } from '#shop/orders/read-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** A free gift is a line that cost nothing. It comes back like everything else. */
let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
  await shop.db.sql`update products set regular_price = 0, sale_price = null where sku = 'LAST'`
})
afterAll(() => shop?.close())

const tools = () => shop.shop.application.tools
const levels = async (): Promise<Record<string, number>> => {
  const rows = await shop.db.sql<{ sku: string; stock_quantity: number }[]>`
    select sku, stock_quantity from products where sku in ('MUG', 'LAST') and manage_stock = 'yes'`
  return Object.fromEntries(rows.map(({ sku, stock_quantity }) => [sku, stock_quantity]))
}
const notes = async (id: number) =>
  (await shop.db.sql<{ note: string }[]>`select note from order_notes where order_id = ${id} order by id`).map(
    ({ note }) => note,
  )
const mailsOf = (id: number) =>
  shop.db.sql`select kind from sent_mail where order_id = ${id} and kind like '%refunded%'`

async function paidWithGift(): Promise<{ id: number; gift: number; mug: number; shipping: number }> {
  await shop.db.sql`update products set stock_quantity = 1, stock_status = 'instock' where sku = 'LAST'`
  await shop.db.sql`
    insert into stock_movements (product_id, change, kind)
    select id, 1 - coalesce((select sum(change) from stock_movements m where m.product_id = p.id), 0), 'counted'
    from products p where sku = 'LAST'`
  const shopper = new Shopper({ ...shop, url: shop.url } as never, 'ada')
  await shopper.add('MUG')
  await shopper.add('LAST')
  await shopper.openCheckout()
  const { order_id: id, messages } = await shopper.placeOrder('cod')
  if (!id) throw new Error(messages)
  expect(await transitionOrder(tools(), id, { to: 'completed' })).toMatchObject({ ok: true })
  const rows = await shop.db.sql<{ id: number; sku: string; type: string }[]>`
    select id, sku, type from order_items where order_id = ${id}`
  const idOf = (wanted: string) => Number(rows.find(({ sku, type }) => sku === wanted || type === wanted)?.id)
  return { id, gift: idOf('LAST'), mug: idOf('MUG'), shipping: idOf('shipping') }
}

const giveBack = (id: number, key: string, ask: RefundPlanInput, restock = true) =>
  refundOrder(tools(), id, { key, ask, restock })
const pieceOf = (...items: number[]): RefundPlanInput => ({
  kind: 'lines',
  lines: items.map((itemId) => ({ itemId, quantity: 1 })),
})
const broken = async () => checkInvariants({ db: shop.db, clock: tools().clock, paypal: null })

describe('a free gift that comes back', () => {
  it('I4 stands on the shelf again, once, while the money stays as it is and nobody is told of a refund', async () => {
    const { id, gift } = await paidWithGift()
    expect((await levels()).LAST).toBe(0)
    expect(await giveBack(id, 'gift', pieceOf(gift))).toMatchObject({ ok: true, state: 'done', refund: { amount: 0 } })
    expect(await giveBack(id, 'gift', pieceOf(gift))).toMatchObject({ ok: true, state: 'done' })
    expect((await levels()).LAST).toBe(1)
    expect(await giveBack(id, 'again', pieceOf(gift))).toEqual({ ok: false, reason: 'more-pieces-than-left' })
    const order = await readOrder(tools(), id)
    expect(order?.row).toMatchObject({ status: 'completed', payment_state: 'paid' })
    expect(order?.facts.totals.map(({ key }) => key)).not.toContain('refund')
    expect(await notes(id)).toContain('Came back without money. Back on the shelf: 1.')
    expect(await mailsOf(id)).toHaveLength(0)
    expect(await broken()).toEqual([])
  })

  it('I4 comes back after all the money has, and of an order that is given back whole as before', async () => {
    const { id, gift, mug, shipping } = await paidWithGift()
    expect(await giveBack(id, 'paid', pieceOf(mug, shipping))).toMatchObject({ ok: true })
    expect((await readOrder(tools(), id))?.row).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await giveBack(id, 'more', pieceOf(mug))).toMatchObject({ ok: false })
    expect(await giveBack(id, 'gift', pieceOf(gift))).toMatchObject({ ok: true })
    expect((await levels()).LAST).toBe(1)
    expect((await readOrder(tools(), id))?.row).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await broken()).toEqual([])

    const whole = await paidWithGift()
    expect(await giveBack(whole.id, 'all', { kind: 'full' })).toMatchObject({ ok: true })
    expect((await levels()).LAST).toBe(1)
    expect(await broken()).toEqual([])
  })

  it('is no refund where its pieces do not go back on the shelf, nor is a parcel that was free', async () => {
    const { id, gift, shipping } = await paidWithGift()
    expect(await giveBack(id, 'gone', pieceOf(gift), false)).toEqual({ ok: false, reason: 'nothing-asked' })
    await shop.db.sql`update orders set total = total - shipping_total, shipping_total = 0 where id = ${id}`
    await shop.db.sql`update order_items set total = 0 where id = ${shipping}`
    expect(await giveBack(id, 'parcel', pieceOf(shipping))).toEqual({ ok: false, reason: 'nothing-asked' })
  })
})
