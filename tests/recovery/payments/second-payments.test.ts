import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventSubject, webhookEvent } from '#contract/paypal/webhook-event.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import { handleWebhook, retryPendingWebhooks } from '#shop/payments/webhooks/handle-webhook.ts'
import type { Tools } from '#shop/shared/tools.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  outcomes,
  paidByTheNewer,
  provider,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let tools: Tools
beforeAll(async () => {
  shop = await aShop()
  tools = shop.shop.application.tools
})
afterAll(() => shop?.close())
beforeEach(() => shop.emulate('/webhooks/hold', { on: true }))

let count = 0
const full = { kind: 'full' } as const

/** What was told so far is acted on, or waits for something else. */
async function told(order?: 'reversed'): Promise<void> {
  await shop.emulate('/webhooks/flush', order ? { order } : {})
  await until('all are worked off', async () => {
    if (!(await outcomes(shop)).includes(null)) return true
    await shop.db
      .sql`update webhook_events set received_at = received_at - interval '1 minute' where processed_at is null`
    await retryPendingWebhooks(tools)
    return false
  })
}

async function paidOrder() {
  const shopper = new Shopper(shop, `twice-${++count}`)
  const { orderId, walletOrderId } = await shopper.startToPay('MUG')
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  const order = await orderOf(shop, orderId)
  expect(order.payment_state).toBe('paid')
  return order
}

/** An order that was paid, and then once more by an older wallet order; of the second nobody has told yet. */
async function paidTwice() {
  const shopper = new Shopper(shop, `twice-${++count}`)
  const { orderId, older } = await paidByTheNewer(shop, shopper)
  await told()
  await provider(shop.paypal).captureOrder(older, { requestId: `somebody else ${count}` })
  const second = (await capturesFor(shop, orderId)).find(({ order_id }) => order_id === older)?.id ?? ''
  return { id: orderId, second, own: (await orderOf(shop, orderId)).transaction_id ?? '' }
}

const event = (type: string, resource: object) => {
  const raw = { id: `WH-${++count}`, event_type: type, resource }
  const subject = eventSubject(webhookEvent.parse(raw))
  return handleWebhook(tools, { id: raw.id, type, subject, receivedAt: tools.clock.now() })
}
const reversed = (captureId: string | null) =>
  event('PAYMENT.CAPTURE.REVERSED', {
    id: 'X',
    links: [{ rel: 'up', href: `https://api.test/v2/payments/captures/${captureId}` }],
  })
const dispute = (captureId: string | null, status: string, outcome?: string) =>
  event('CUSTOMER.DISPUTE.UPDATED', {
    dispute_id: `PP-D-${captureId}`,
    status,
    update_time: `2026-05-01T10:00:0${status === 'OPEN' ? 0 : 1}Z`,
    ...(outcome ? { dispute_outcome: { outcome_code: outcome } } : {}),
    disputed_transactions: [{ seller_transaction_id: captureId }],
  })
const statusesOf = async (orderId: number) =>
  new Map((await capturesFor(shop, orderId)).map(({ id, status }) => [id, status]))

describe('money that was taken a second time', () => {
  it('I1 F40 at S11: stays a matter for a person when the parcel is done, until it is given back', async () => {
    const { id, second, own } = await paidTwice()
    await told()
    expect(await transitionOrder(tools, id, { to: 'completed' })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({
      status: 'completed',
      payment_state: 'attention',
      attention: expect.stringContaining(second),
    })
    expect(await invariants(shop)).toEqual([])

    const wish = { key: 'all', ask: full, restock: true }
    expect(await refundOrder(tools, id, wish)).toMatchObject({ ok: true, refund: { capture_id: second, stray: true } })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'completed', payment_state: 'paid', attention: null })
    const statuses = await statusesOf(id)
    expect([statuses.get(second), statuses.get(own)]).toEqual(['REFUNDED', 'COMPLETED'])
    expect(await invariants(shop)).toEqual([])

    // What is given back now is the order's own.
    expect(await refundOrder(tools, id, { ...wish, key: 'own' })).toMatchObject({
      ok: true,
      refund: { capture_id: own },
    })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'refunded', payment_state: 'refunded' })
    expect(await invariants(shop)).toEqual([])
  })

  it('F38 at S16 I1: goes back first, in parts too, and no line of the order with it', async () => {
    const { id, second } = await paidTwice()
    await told()
    const { total } = await orderOf(shop, id)
    const [line] = await shop.db.kysely.selectFrom('order_items').select('id').where('order_id', '=', id).execute()
    const lines = { kind: 'lines', lines: [{ itemId: line?.id ?? 0, quantity: 1 }] } as const
    expect(await refundOrder(tools, id, { key: 'line', ask: lines })).toEqual({ ok: false, reason: 'second-payment' })
    const part = { kind: 'amount', minor: 100 } as const
    expect(await refundOrder(tools, id, { key: 'part', ask: part })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
    expect(await refundOrder(tools, id, { key: 'rest', ask: full, byHand: true })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
    const refunds = await findRefunds(shop.db.kysely, id)
    expect(refunds.map(({ amount, capture_id }) => [amount, capture_id])).toEqual([
      [100, second],
      [total - 100, second],
    ])
    expect(await invariants(shop)).toEqual([])
  })

  it.each(['forward', 'reversed'] as const)(
    'I9 F17: given back at the provider, told %s: the order is paid as before',
    async (order) => {
      const { id, second } = await paidTwice()
      await shop.emulate(`/captures/${second}/refund`, {})
      await told(order === 'reversed' ? 'reversed' : undefined)
      expect(await orderOf(shop, id)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
      expect((await findRefunds(shop.db.kysely, id)).map(({ stray, state }) => [stray, state])).toEqual([
        [true, 'done'],
      ])
      expect(await invariants(shop)).toEqual([])
    },
  )

  it('I1 the own money given back at the provider does not end what the second payment asks for', async () => {
    const { id, second, own } = await paidTwice()
    await told()
    await shop.emulate(`/captures/${own}/refund`, {})
    await told()
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
    await shop.emulate(`/captures/${second}/refund`, {})
    await told()
    expect(await orderOf(shop, id)).toMatchObject({ status: 'refunded', payment_state: 'refunded', attention: null })
    expect(await invariants(shop)).toEqual([])
  })
})

describe('money that the provider took back', () => {
  it('I2 I9: no parcel that is done makes the order paid again', async () => {
    const { id, transaction_id } = await paidOrder()
    await reversed(transaction_id)
    await transitionOrder(tools, id, { to: 'completed' })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'completed', payment_state: 'attention' })
    expect(await invariants(shop)).toEqual([])
    // What the merchant can say of it: that the money is gone.
    expect(await refundOrder(tools, id, { key: 'gone', ask: full, byHand: true })).toMatchObject({ ok: true })
    expect(await orderOf(shop, id)).toMatchObject({ status: 'refunded', payment_state: 'refunded', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it('F38 at S16: while a dispute is open nothing is given back and nothing counts as paid, whatever else is the matter', async () => {
    const { id, transaction_id } = await paidOrder()
    await reversed(transaction_id)
    await dispute(transaction_id, 'OPEN')
    await transitionOrder(tools, id, { to: 'completed' })
    expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
    const part = { kind: 'amount', minor: 100 } as const
    expect(await refundOrder(tools, id, { key: 'part', ask: part })).toEqual({ ok: false, reason: 'disputed' })
    expect(await invariants(shop)).toEqual([])
  })

  it.each([true, false])(
    'I9 F17: a dispute that is won brings it back (told before the reversal: %s), once somebody has looked',
    async (wonFirst) => {
      const { id, transaction_id } = await paidOrder()
      await dispute(transaction_id, 'OPEN')
      if (!wonFirst) await reversed(transaction_id)
      await dispute(transaction_id, 'RESOLVED', 'RESOLVED_SELLER_FAVOUR')
      if (wonFirst) await reversed(transaction_id)
      expect(await orderOf(shop, id)).toMatchObject({ payment_state: 'attention' })
      await transitionOrder(tools, id, { to: 'completed' })
      expect(await orderOf(shop, id)).toMatchObject({ status: 'completed', payment_state: 'paid', attention: null })
      expect(await invariants(shop)).toEqual([])
    },
  )
})
