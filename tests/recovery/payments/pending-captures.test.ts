import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { productsCommand } from '#cli/catalog/products.ts'
import { settlePendingCaptures } from '#shop/payments/reconcile/settle-pending-captures.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  paidByTheNewer,
  provider,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.emulate('/faults/clear', {})
  await shop.emulate('/webhooks/hold', { on: true })
})

let shoppers = 0
const aShopper = () => new Shopper(shop, `pending-${++shoppers}`)

async function count(sku: string, pieces: number): Promise<void> {
  const { code, err } = await runCommand(productsCommand, shop.db, 'stock', sku, '--count', String(pieces))
  if (code !== 0) throw new Error(err)
}

/** An order whose last piece was counted away while a payment was begun that the bank takes days for. */
async function soldOutWhilePending() {
  await count('LAST', 1)
  const shopper = aShopper()
  const { orderId, walletOrderId } = await shopper.startToPay('LAST')
  await shopper.approve(walletOrderId, 'echeck')
  await shop.emulate('/fault', { route: 'orders.capture', delay: 1500 })
  const back = shopper.returnFromWallet(walletOrderId)
  await until('it is under way', async () => (await orderOf(shop, orderId)).payment_state === 'authorising')
  await count('LAST', 0)
  await back
  expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'attention' })
  const [capture] = await capturesFor(shop, orderId)
  expect(capture?.status).toBe('PENDING')
  return { id: orderId, capture: capture?.id ?? '' }
}

/** A paid order for which a second payment is pending, of which a person was told. */
async function secondPending() {
  const shopper = aShopper()
  const { orderId, older } = await paidByTheNewer(shop, shopper)
  await shop.emulate('/captures/next', { outcome: 'PENDING_REVIEW' })
  await provider(shop.paypal).captureOrder(older, { requestId: `somebody else ${shoppers}` })
  await shop.emulate('/webhooks/flush', {})
  await until('a person is told', async () => (await orderOf(shop, orderId)).payment_state === 'attention')
  const second = (await capturesFor(shop, orderId)).find(({ order_id }) => order_id === older)?.id ?? ''
  return { id: orderId, second }
}

const settled = (capture: string, status: 'COMPLETED' | 'DECLINED') =>
  shop.emulate(`/captures/${capture}/settle`, { status })
const statusOf = async (capture: string) => {
  const [row] = await shop.db.sql<{ status: string }[]>`select status from captures where id = ${capture}`
  return row?.status
}

/** What was decided comes to the shop: it is told, or it asks when the time has come. */
const ways: [string, () => Promise<unknown>][] = [
  ['told', () => shop.emulate('/webhooks/flush', {})],
  [
    'found by the hourly look',
    async () => {
      expect((await invariants(shop)).map((found) => JSON.stringify(found)).join()).toContain('the shop as PENDING')
      const later = new Date(Date.now() + 2 * 60 * 60_000)
      await settlePendingCaptures({ ...tools, clock: { ...tools.clock, now: () => later } })
    },
  ],
]

describe('a payment that was pending when its order was given to a person', () => {
  it.each(ways)(
    'P4 I12 F13 F25 at S11: has come, %s: the money of what is sold out goes back by itself',
    async (_, comes) => {
      const { id, capture } = await soldOutWhilePending()
      await settled(capture, 'COMPLETED')
      await comes()
      await until('it is given back', async () => (await orderOf(shop, id)).payment_state === 'refunded')
      expect((await capturesFor(shop, id)).map(({ status }) => status)).toEqual(['REFUNDED'])
      expect(await orderOf(shop, id)).toMatchObject({ status: 'cancelled', attention: null, stock_reduced: false })
      expect(await invariants(shop)).toEqual([])
    },
  )

  it('P4 F13 F25 at S11: has come, and so have pieces: the order is paid', async () => {
    const { id, capture } = await soldOutWhilePending()
    await count('LAST', 3)
    await settled(capture, 'COMPLETED')
    await shop.emulate('/webhooks/flush', {})
    await until('it is paid', async () => (await orderOf(shop, id)).payment_state === 'paid')
    expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', attention: null, stock_reduced: true })
    expect(await invariants(shop)).toEqual([])
  })

  it.each(ways)('I2 I12 F13 at S11: is denied, %s: no money is said to be here', async (_, comes) => {
    const { id, capture } = await soldOutWhilePending()
    await settled(capture, 'DECLINED')
    await comes()
    await until('it is denied', async () => (await statusOf(capture)) === 'DECLINED')
    expect(await orderOf(shop, id)).toMatchObject({ status: 'failed', payment_state: 'failed', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it.each(ways)('I2 I12 F13 F40 at S11: a second one is denied, %s: the order is paid as before', async (_, comes) => {
    const { id, second } = await secondPending()
    await settled(second, 'DECLINED')
    await comes()
    await until('it is denied', async () => (await statusOf(second)) === 'DECLINED')
    expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it.each(ways)('I1 I2 F13 F40 at S11: a second one has come, %s, and can be given back', async (_, comes) => {
    const { id, second } = await secondPending()
    await settled(second, 'COMPLETED')
    await comes()
    await until('it has come', async () => (await statusOf(second)) === 'COMPLETED')
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
    expect(await refundOrder(tools, id, { key: 'second', ask: { kind: 'full' } })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
    expect(await invariants(shop)).toEqual([])
  })
})
