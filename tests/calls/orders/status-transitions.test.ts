import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { updateSalesCounts } from '#database/catalog/total-sales.ts'
import { type OrderStatus, orderStatuses } from '#domain/orders/order-status.ts'
import { checkInvariants } from '#shop/operations/doctor/check-invariants.ts'
import { cancelAbandoned } from '#shop/operations/run-maintenance.ts'
import { addOrderNote } from '#shop/orders/add-order-note.ts'
import { cancelOrder } from '#shop/orders/cancel-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
  await shop.db.sql`insert into coupons (code, type, amount_ppm, usage_limit) values ('once', 'percent', 100000, 1)`
})
afterAll(() => shop.close())

let count = 0
const aShopper = () => new Shopper(shop, `mover-${++count}`)

/** An order by cash on delivery: accepted, its pieces sold, its money not here. */
async function codOrder(sku = 'MUG', quantity = 2, coupon = ''): Promise<number> {
  const shopper = aShopper()
  await shopper.add(sku, quantity)
  if (coupon) await shopper.post(urls.cart(), { coupon_code: coupon, apply_coupon: 'Apply' })
  await shopper.openCheckout()
  const answer = await shopper.placeOrder('cod')
  expect(answer.result, answer.messages).toBe('success')
  return answer.order_id ?? 0
}

/** An order that waits for the wallet: its pieces held, nothing sold. */
async function pendingOrder(sku = 'MUG', quantity = 1): Promise<number> {
  return (await aShopper().startToPay(sku, quantity)).orderId
}

async function paidOrder(sku = 'MUG', quantity = 2): Promise<number> {
  const shopper = aShopper()
  const { orderId, walletOrderId } = await shopper.startToPay(sku, quantity)
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

const orderOf = (id: number) =>
  shop.db.kysely.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const itemsOf = (id: number) =>
  shop.db.kysely.selectFrom('order_items').selectAll().where('order_id', '=', id).orderBy('position').execute()
const notesOf = async (id: number) =>
  (
    await shop.db.kysely.selectFrom('order_notes').select('note').where('order_id', '=', id).orderBy('id').execute()
  ).map(({ note }) => note)
const stockOf = async (sku: string) => {
  const [row] = await shop.db.sql<{ n: number }[]>`select stock_quantity as n from products where sku = ${sku}`
  return row?.n ?? 0
}
const usedOf = async (code: string) => {
  const [row] = await shop.db.sql<{ used: number }[]>`select used from coupons where code = ${code}`
  return row?.used
}
const heldOf = async (id: number) => {
  const rows = await shop.db.sql`select 1 from stock_reservations where order_id = ${id} and expires_at > now()`
  return rows.length
}
const sound = async () => expect(await checkInvariants({ ...tools, paypal: tools.paypal })).toEqual([])

describe('moving an order', () => {
  it('I4 takes pieces once and returns them once, however it goes to and fro', async () => {
    const before = await stockOf('MUG')
    const id = await codOrder('MUG', 2)
    expect(await stockOf('MUG')).toBe(before - 2)
    const steps: [OrderStatus, number][] = [
      ['on-hold', -2],
      ['processing', -2],
      ['cancelled', 0],
      ['cancelled', 0],
      ['on-hold', -2],
      ['failed', 0],
      ['processing', -2],
      ['completed', -2],
    ]
    for (const [to, change] of steps) {
      expect(await transitionOrder(tools, id, { to })).toMatchObject({ ok: true, order: { status: to } })
      expect(await stockOf('MUG'), to).toBe(before + change)
      await sound()
    }
    expect(await notesOf(id)).toContain('The status was changed from processing to cancelled.')
  })

  it('I4 leaves the pieces away when the merchant says so', async () => {
    const id = await codOrder('BOWL', 2)
    const before = await stockOf('BOWL')
    await transitionOrder(tools, id, { to: 'cancelled', restock: false, note: 'Broken on the way.' })
    expect(await stockOf('BOWL')).toBe(before)
    expect(await orderOf(id)).toMatchObject({ status: 'cancelled', stock_reduced: true })
    await sound()
  })

  it('I4 refuses to take up a cancelled order whose pieces others have bought', async () => {
    const id = await codOrder('LAST', 1)
    await transitionOrder(tools, id, { to: 'cancelled' })
    const other = await codOrder('LAST', 1)
    expect(await transitionOrder(tools, id, { to: 'processing' })).toEqual({ ok: false, reason: 'sold-out' })
    expect(await transitionOrder(tools, id, { to: 'pending' })).toEqual({ ok: false, reason: 'sold-out' })
    expect(await orderOf(id)).toMatchObject({ status: 'cancelled', stock_reduced: false })
    await transitionOrder(tools, other, { to: 'cancelled' })
    expect(await transitionOrder(tools, id, { to: 'pending' })).toMatchObject({ ok: true })
    // It waits for its money again, and holds its piece meanwhile.
    expect([await stockOf('LAST'), await heldOf(id)]).toEqual([1, 1])
    await transitionOrder(tools, id, { to: 'cancelled' })
    expect(await heldOf(id)).toBe(0)
    await sound()
  })

  it('I5 gives the use of a coupon back with the order, and takes it again if it can', async () => {
    const id = await codOrder('MUG', 1, 'once')
    expect(await usedOf('once')).toBe(1)
    await transitionOrder(tools, id, { to: 'cancelled' })
    expect(await usedOf('once')).toBe(0)
    const other = await codOrder('MUG', 1, 'once')
    expect(await transitionOrder(tools, id, { to: 'on-hold' })).toEqual({ ok: false, reason: 'coupon-used-up' })
    expect(await orderOf(id)).toMatchObject({ status: 'cancelled', stock_reduced: false })
    // Where the money is here the order goes on, and the limit holds all the same.
    expect(await transitionOrder(tools, id, { to: 'completed' })).toMatchObject({ ok: true })
    expect(await usedOf('once')).toBe(1)
    await transitionOrder(tools, other, { to: 'cancelled' })
    await sound()
  })

  it('does what the table of moves allows and nothing else, and a refusal leaves no trace', async () => {
    const id = await codOrder('MUG', 1)
    await transitionOrder(tools, id, { to: 'completed' })
    const refused = orderStatuses.filter((to) => !['completed', 'processing', 'refunded'].includes(to))
    for (const to of refused) {
      const before = [await orderOf(id), await notesOf(id)]
      expect(await transitionOrder(tools, id, { to }), to).toEqual({ ok: false, reason: 'not-allowed' })
      expect([await orderOf(id), await notesOf(id)]).toEqual(before)
    }
    expect(await transitionOrder(tools, id, { to: 'refunded' })).toEqual({ ok: false, reason: 'refund-instead' })
    expect(await transitionOrder(tools, 999_999, { to: 'completed' })).toEqual({ ok: false, reason: 'not-found' })
  })

  it('twenty moves at once to the same place are one move', async () => {
    const id = await codOrder('MUG', 2)
    const before = await stockOf('MUG')
    const results = await Promise.all(Array.from({ length: 20 }, () => transitionOrder(tools, id, { to: 'cancelled' })))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(await stockOf('MUG')).toBe(before + 2)
    expect((await notesOf(id)).filter((note) => note.includes('to cancelled'))).toHaveLength(1)
    await sound()
  })

  it('P3 says who said that money came by hand, and asks for none that is under way', async () => {
    const id = await codOrder('MUG', 1)
    expect(await orderOf(id)).toMatchObject({ payment_state: 'none', paid_at: null })
    await transitionOrder(tools, id, { to: 'completed' })
    expect(await orderOf(id)).toMatchObject({ payment_state: 'paid', paid_at: expect.any(Date) })
    const [entry] = await shop.db.sql`select data from ledger where order_id = ${id} and kind = 'paid-by-hand'`
    expect(entry?.data).toMatchObject({ amount: (await orderOf(id)).total, status: 'completed' })

    const other = await pendingOrder()
    await shop.db.sql`update orders set payment_state = 'authorising' where id = ${other}`
    expect(await transitionOrder(tools, other, { to: 'completed' })).toEqual({ ok: false, reason: 'money-under-way' })
    await shop.db.sql`update orders set payment_state = 'pending' where id = ${other}`
    await sound()
  })
})

describe('unpaid orders', () => {
  it('F28 are cancelled when their time is over, and not before', async () => {
    const [late, early] = [await pendingOrder('BOWL'), await pendingOrder('BOWL')]
    await shop.db.sql`update orders set updated_at = updated_at - interval '31 minutes' where id = ${late}`
    await shop.db.sql`update stock_reservations set expires_at = now() - interval '1 second' where order_id = ${late}`
    await cancelAbandoned(tools)
    expect(await orderOf(late)).toMatchObject({ status: 'cancelled', payment_state: 'failed' })
    expect(await notesOf(late)).toEqual(['Unpaid when its time was over.'])
    expect(await orderOf(early)).toMatchObject({ status: 'pending' })
    await sound()
  })

  it('are cancelled by their customer, and by nobody else', async () => {
    const id = await pendingOrder('BOWL')
    expect(await cancelOrder(tools, id, () => false)).toBe('not-found')
    expect(await cancelOrder(tools, id, () => true)).toBe('cancelled')
    expect(await cancelOrder(tools, await paidOrder('BOWL', 1), () => true)).toBe('too-late')
    expect(await heldOf(id)).toBe(0)
    await sound()
  })
})

describe('refunds', () => {
  it('I1 one piece, then the shipping, then the rest, each to the cent and back on the shelf', async () => {
    // 2 mugs at 12.00 with 7.25 % tax, and 6.90 shipping: 24.00 + 1.74 + 6.90 = 32.64.
    const id = await paidOrder('MUG', 2)
    const stock = await stockOf('MUG')
    const items = await itemsOf(id)
    const idOf = (type: string) => items.find((item) => item.type === type)?.id ?? 0
    const byLine = (key: string, itemId: number) =>
      refundOrder(tools, id, {
        key,
        ask: { kind: 'lines', lines: [{ itemId, quantity: 1 }] },
        restock: true,
        reason: 'Chipped',
      })

    expect(await byLine('piece', idOf('line_item'))).toMatchObject({ ok: true, refund: { amount: 1287 } })
    expect(await orderOf(id)).toMatchObject({ status: 'processing', payment_state: 'partly-refunded' })
    expect(await stockOf('MUG')).toBe(stock + 1)
    expect(await byLine('parcel', idOf('shipping'))).toMatchObject({ ok: true, refund: { amount: 690 } })
    expect(await byLine('parcel-again', idOf('shipping'))).toMatchObject({ ok: false, reason: 'more-pieces-than-left' })
    const rest = await refundOrder(tools, id, { key: 'rest', ask: { kind: 'full' }, restock: true })
    expect(rest).toMatchObject({ ok: true, refund: { amount: 1287 } })
    expect(await orderOf(id)).toMatchObject({ status: 'refunded', payment_state: 'refunded', total: 3264 })
    expect(await stockOf('MUG')).toBe(stock + 2)
    expect((await notesOf(id)).filter((note) => note.includes('Reason: Chipped'))).toHaveLength(2)
    await sound()
  })

  it('I4 a piece that came back with a refund does not come back a second time with the order', async () => {
    const id = await paidOrder('MUG', 2)
    const stock = await stockOf('MUG')
    const [line] = await itemsOf(id)
    const lines = [{ itemId: line?.id ?? 0, quantity: 1 }]
    await refundOrder(tools, id, { key: 'piece', ask: { kind: 'lines', lines }, restock: true })
    await transitionOrder(tools, id, { to: 'cancelled' })
    expect(await stockOf('MUG')).toBe(stock + 2)
    await transitionOrder(tools, id, { to: 'on-hold' })
    expect(await stockOf('MUG')).toBe(stock + 1)
    await sound()
  })

  it('F38 is refused above what is left, before it is paid, and under a used key with another wish', async () => {
    const id = await paidOrder('MUG', 1)
    const { total } = await orderOf(id)
    const amount = (minor: number) => ({ kind: 'amount', minor }) as const
    expect(await refundOrder(tools, id, { key: 'a', ask: amount(total + 1) })).toEqual({
      ok: false,
      reason: 'above-rest',
    })
    expect(await refundOrder(tools, id, { key: 'b', ask: amount(100) })).toMatchObject({ ok: true })
    expect(await refundOrder(tools, id, { key: 'b', ask: amount(101) })).toEqual({ ok: false, reason: 'key-conflict' })
    expect(await refundOrder(tools, id, { key: 'c', ask: amount(total) })).toEqual({ ok: false, reason: 'above-rest' })
    expect(await refundOrder(tools, await pendingOrder(), { key: 'd', ask: { kind: 'full' } })).toEqual({
      ok: false,
      reason: 'not-paid',
    })
    await sound()
  })

  it('by hand where the money did not come by the provider, which is not asked', async () => {
    const id = await codOrder('MUG', 1)
    expect(await refundOrder(tools, id, { key: 'a', ask: { kind: 'full' } })).toEqual({ ok: false, reason: 'not-paid' })
    await transitionOrder(tools, id, { to: 'completed' })
    expect(await refundOrder(tools, id, { key: 'a', ask: { kind: 'full' } })).toMatchObject({
      ok: true,
      state: 'done',
      refund: { by_provider: false, provider_id: null },
      order: { status: 'refunded', payment_state: 'refunded' },
    })
    await sound()
  })
})

describe('notes', () => {
  it('are private or for the customer, and the latter are mailed once', async () => {
    const id = await codOrder('MUG', 1)
    await addOrderNote(tools, id, { text: ' Called, no answer. ', forCustomer: false })
    const told = await addOrderNote(tools, id, { text: 'Your parcel <left>.', forCustomer: true })
    expect(told).toMatchObject({ ok: true })
    const rows = await shop.db.kysely
      .selectFrom('order_notes')
      .selectAll()
      .where('order_id', '=', id)
      .orderBy('id')
      .execute()
    expect(rows.slice(-2).map(({ note, for_customer }) => [note, for_customer])).toEqual([
      ['Called, no answer.', false],
      ['Your parcel <left>.', true],
    ])
    const mails = await shop.db.sql`select about from sent_mail where order_id = ${id} and kind = 'customer_note'`
    expect(mails.map(({ about }) => about)).toEqual([told.ok && told.noteId])
    expect(await addOrderNote(tools, id, { text: '  ', forCustomer: true })).toEqual({ ok: false, reason: 'empty' })
    expect(await addOrderNote(tools, 999_999, { text: 'x', forCustomer: true })).toEqual({
      ok: false,
      reason: 'not-found',
    })
  })
})

describe('what sells well', () => {
  const soldOf = async (sku: string) =>
    (await shop.db.kysely.selectFrom('products').select('total_sales').where('sku', '=', sku).executeTakeFirstOrThrow())
      .total_sales

  it('LIST-02 counts the pieces of accepted orders for the order by popularity, and takes back those of cancelled ones', async () => {
    await updateSalesCounts(shop.db)
    const before = await soldOf('LATER')
    const kept = await codOrder('LATER', 2)
    const lost = await codOrder('LATER', 3)
    await updateSalesCounts(shop.db)
    expect(await soldOf('LATER')).toBe(before + 5)

    expect((await transitionOrder(tools, lost, { to: 'cancelled' })).ok).toBe(true)
    expect((await transitionOrder(tools, kept, { to: 'completed' })).ok).toBe(true)
    await updateSalesCounts(shop.db)
    await updateSalesCounts(shop.db)
    expect(await soldOf('LATER')).toBe(before + 2)
    await vi.waitFor(async () => {
      const page = await (await fetch(`${shop.url}${urls.shop({ orderby: 'popularity' })}`)).text()
      expect(page.indexOf('>Made-to-order plate<')).toBeLessThan(page.indexOf('>Gift card<'))
    }, 5_000)
  })
})
