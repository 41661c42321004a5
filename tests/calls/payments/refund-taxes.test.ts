import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RefundPlanInput } from '#domain/payments/plan-refund.ts'
import { readOrder } from '#shop/orders/read-order.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false, settings: { taxes: { displayCart: 'incl' } } })
})
afterAll(() => shop?.close())

const tools = () => shop.shop.application.tools

/** Two mugs of 12.00 with 7.25 % on top, whose money is here, and their line. */
async function paid(): Promise<{ id: number; line: number }> {
  const shopper = new Shopper({ ...shop, url: shop.url } as never, 'ada')
  await shopper.add('MUG', 2)
  await shopper.openCheckout()
  const { order_id: id, messages } = await shopper.placeOrder('cod')
  if (!id) throw new Error(messages)
  expect(await transitionOrder(tools(), id, { to: 'completed' })).toMatchObject({ ok: true })
  const [row] = await shop.db.sql`select id from order_items where order_id = ${id} and type = 'line_item'`
  return { id, line: Number(row?.id) }
}

async function giveBack(id: number, key: string, ask: RefundPlanInput): Promise<void> {
  expect(await refundOrder(tools(), id, { key, ask, byHand: true })).toMatchObject({ ok: true })
}

/** The taxes in the total, as pages and messages say them. */
async function taxesIn(id: number): Promise<string[]> {
  const order = await readOrder(tools(), id)
  return (order?.facts.includedTaxes ?? []).map(({ label, amount }) => `${amount.minor} ${label}`)
}

describe('the tax in a total after refunds', () => {
  it('is what is left of it: none where all is given back', async () => {
    const { id, line } = await paid()
    expect(await taxesIn(id)).toEqual(['174 Sales tax'])
    await giveBack(id, 'one', { kind: 'lines', lines: [{ itemId: line, quantity: 1 }] })
    expect(await taxesIn(id)).toEqual(['87 Sales tax'])
    await giveBack(id, 'rest', { kind: 'full' })
    expect(await taxesIn(id)).toEqual([])
  })

  it('is not told where money went back for no line in particular', async () => {
    const { id, line } = await paid()
    await giveBack(id, 'some', { kind: 'amount', minor: 500 })
    expect(await taxesIn(id)).toEqual([])
    await giveBack(id, 'one', { kind: 'lines', lines: [{ itemId: line, quantity: 1 }] })
    expect(await taxesIn(id)).toEqual([])
  })
})
