import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { reconcile } from '#shop/operations/run-maintenance.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { flagExpiredAuthorizations } from '#shop/payments/reconcile/detect-expired-authorizations.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { allMethodSettings } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop({ settings: { paypal: { ...allMethodSettings.paypal, intent: 'authorize' } } })
  tools = shop.shop.application.tools
})
afterAll(() => shop?.close())
beforeEach(() => shop.emulate('/webhooks/hold', { on: true }))

let shoppers = 0
async function held() {
  const shopper = new Shopper(shop, `hold-${++shoppers}`)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  expect(await orderOf(shop, orderId)).toMatchObject({ status: 'on-hold', payment_state: 'authorised' })
  return { shopper, id: orderId }
}

/** An order whose money was held until it was too late to take it. */
async function runOut() {
  const { shopper, id } = await held()
  const [hold] = await shop.db.sql<{ id: string }[]>`
    update authorizations set expires_at = now() - interval '1 day' where order_id = ${id} returning id`
  // The provider ends what has run out as it does what was let go.
  await shop.emulate(`/authorizations/${hold?.id}/void`, {})
  await flagExpiredAuthorizations(tools)
  expect(await orderOf(shop, id)).toMatchObject({ status: 'on-hold', payment_state: 'attention' })
  return { shopper, id }
}

/** Held money of which the merchant has taken a part at the provider. */
async function takenInPart() {
  const { id } = await held()
  const { authorizations } = (await shop.emulate('/ledger')) as { authorizations: { id: string; custom_id: string }[] }
  const hold = authorizations.find(({ custom_id }) => custom_id === String(id))
  await shop.emulate(`/authorizations/${hold?.id}/capture`, { amount: '3.00' })
  await shop.emulate('/webhooks/flush', {})
  await until('a person is told', async () => (await orderOf(shop, id)).payment_state === 'attention')
  return id
}

describe('an order that needs attention, where no money is', () => {
  it('I12: taken back to pending, it can be paid anew', async () => {
    const { shopper, id } = await runOut()
    expect(await transitionOrder(tools, id, { to: 'pending' })).toMatchObject({ ok: true })
    const order = await orderOf(shop, id)
    expect(order).toMatchObject({ status: 'pending', payment_state: 'none', attention: null })
    expect(await shopper.page(urls.orderPay(id, order.key))).toContain('name="payment_method"')
    expect(await invariants(shop)).toEqual([])
  })

  it.each(['processing', 'completed'] as const)('I12 P3: moved to %s, it was paid by hand', async (to) => {
    const { id } = await runOut()
    expect(await transitionOrder(tools, id, { to })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: to, payment_state: 'paid', attention: null })
    const [entry] = await shop.db.sql`select data from ledger where order_id = ${id} and kind = 'paid-by-hand'`
    expect(entry?.data).toMatchObject({ status: to })
    expect(await invariants(shop)).toEqual([])
  })

  it.each(['cancelled', 'failed'] as const)('I12: moved to %s, it is over', async (to) => {
    const { id } = await runOut()
    expect(await transitionOrder(tools, id, { to })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: to, payment_state: 'failed', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it('I2: stays with a person while money is there that does not fit', async () => {
    const id = await takenInPart()
    expect(await transitionOrder(tools, id, { to: 'processing' })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', payment_state: 'attention' })
    expect(await invariants(shop)).toEqual([])
  })

  it('I1 I12: is refunded once all that came has gone back, however little that was', async () => {
    const id = await takenInPart()
    expect(await refundOrder(tools, id, { key: 'part', ask: { kind: 'amount', minor: 100 } })).toMatchObject({
      ok: true,
    })
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
    const all = await refundOrder(tools, id, { key: 'rest', ask: { kind: 'full' } })
    expect(all).toMatchObject({ ok: true, refund: { amount: 200 } })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'refunded', payment_state: 'refunded', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it('I4: a pending order that the merchant moved to failed is looked at no more, and holds no piece', async () => {
    const { orderId: id } = await new Shopper(shop, `hold-${++shoppers}`).startToPay('LAST')
    expect(await transitionOrder(tools, id, { to: 'failed' })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'failed', payment_state: 'failed' })
    const later = new Date(Date.now() + 2 * 60 * 60_000)
    await reconcile({ ...tools, clock: { ...tools.clock, now: () => later } })
    expect(await shop.db.sql`select 1 from stock_reservations where order_id = ${id}`).toHaveLength(0)
    expect(await invariants(shop)).toEqual([])
  })
})
