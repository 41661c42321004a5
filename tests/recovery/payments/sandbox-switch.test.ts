import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { finishInBackground } from '#shop/payments/operation/finish-payment.ts'
import { type RefundRequest, refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { capturesFor, invariants, orderOf } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

/** The money is real; the shop, which is connected with the sandbox, is told there that nobody knows of it. */
const unknownThere = { status: 404, times: 20 }

let shop: TestShop
let diesAt: Checkpoint | null = null
beforeAll(async () => {
  shop = await aShop({
    checkpoint: (point) => {
      if (point === diesAt) throw new Error(`died at ${point}`)
    },
  })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())

const tools = () => shop.shop.application.tools

async function approved(name: string) {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  return { shopper, orderId, walletOrderId }
}

async function inTheSandbox(orderId: number, work: () => Promise<void>): Promise<void> {
  const turn = async (environment: 'live' | 'sandbox') => {
    await shop.db.sql`update wallet_orders set environment = ${environment} where order_id = ${orderId}`
    await shop.db.sql`update authorizations set environment = ${environment} where order_id = ${orderId}`
    await shop.db.sql`update captures set environment = ${environment} where order_id = ${orderId}`
  }
  await turn('live')
  const routes = [
    'orders.get',
    'authorizations.get',
    'authorizations.capture',
    'authorizations.void',
    'captures.refund',
  ]
  for (const route of routes) await shop.emulate('/fault', { route, ...unknownThere })
  await work()
  await shop.emulate('/faults/clear', {})
  await turn('sandbox')
}

describe('a shop that is connected with the sandbox for a while, with real money under way', () => {
  it.each(['processing', 'cancelled'] as const)(
    'T3 I2: does not say of held money that it is gone (%s)',
    async (to) => {
      await using holding = await aShop({ settings: { paypal: { intent: 'authorize' } } })
      const before = shop
      shop = holding
      try {
        const { shopper, orderId, walletOrderId } = await approved('held')
        await shopper.returnFromWallet(walletOrderId)
        const held = { status: 'on-hold', payment_state: 'authorised' }
        await inTheSandbox(orderId, async () => {
          expect(await transitionOrder(tools(), orderId, { to })).toEqual({ ok: false, reason: 'held-money-stays' })
          expect(await orderOf(shop, orderId)).toMatchObject(held)
        })
        expect(await captureAuthorizedPayment(tools(), orderId)).toMatchObject({ ok: true, state: 'paid' })
        expect(await invariants(shop)).toEqual([])
      } finally {
        shop = before
      }
    },
  )

  it('T3 P2 F4 at S11: leaves a capture open whose end it cannot see', async () => {
    const { shopper, orderId, walletOrderId } = await approved('taken')
    diesAt = 'S11 called'
    await expect(shopper.returnFromWallet(walletOrderId)).rejects.toThrow('answered 500')
    diesAt = null
    await inTheSandbox(orderId, async () => {
      expect(await finishInBackground(tools(), orderId)).toMatchObject({ ok: false, reason: 'checking' })
      expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'authorising' })
    })
    expect(await finishInBackground(tools(), orderId)).toMatchObject({ ok: true, state: 'paid' })
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('T3 I1 F4 at S16: leaves a refund open whose end it cannot see', async () => {
    const { shopper, orderId, walletOrderId } = await approved('back')
    await shopper.returnFromWallet(walletOrderId)
    const wish: RefundRequest = { key: 'wish', ask: { kind: 'full' } }
    diesAt = 'S16 called'
    await expect(refundOrder(tools(), orderId, wish)).rejects.toThrow('died at')
    diesAt = null
    await inTheSandbox(orderId, async () => {
      expect(await refundOrder(tools(), orderId, wish)).toEqual({ ok: false, reason: 'checking' })
    })
    expect(await refundOrder(tools(), orderId, wish)).toMatchObject({ ok: true, state: 'done' })
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_state: 'refunded' })
    expect(await invariants(shop)).toEqual([])
  })
})
