import { describe, expect, it } from 'vitest'
import type { PayPal } from '#paypal/client.ts'
import { captureAuthorizedPayment } from '#shop/payments/operation/capture-authorization.ts'
import { finishInBackground, finishPayment } from '#shop/payments/operation/finish-payment.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { capturesFor, invariants, orderOf } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

async function approved(shop: TestShop) {
  await shop.emulate('/webhooks/hold', { on: true })
  const shopper = new Shopper(shop)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  return { orderId, walletOrderId }
}

/** Whoever finds a call that takes longer than any may: another process of the shop. */
function another({ tools }: TestShop['shop']['application']): Tools {
  return { ...tools, working: new Set(), finishing: new Map() }
}

const late = (shop: TestShop, orderId: number) =>
  shop.db.sql`update payment_attempts set opened_at = opened_at - interval '1 minute' where order_id = ${orderId}`

describe('a call whose answer comes after another process has taken it over', () => {
  it('I1 I9 F7 at S11: a payment that was pending then does not undo that it has come since', async () => {
    await using shop = await aShop()
    const { orderId, walletOrderId } = await approved(shop)
    const { tools } = shop.shop.application
    const paypal = tools.paypal as PayPal
    await shop.emulate('/captures/next', { outcome: 'PENDING_REVIEW' })
    const slow: PayPal = {
      ...paypal,
      captureOrder: async (...call) => {
        const pending = await paypal.captureOrder(...call)
        const [capture] = await capturesFor(shop, orderId)
        await shop.emulate(`/captures/${capture?.id}/settle`, { status: 'COMPLETED' })
        await late(shop, orderId)
        expect(await finishInBackground(another(shop.shop.application), orderId)).toMatchObject({ state: 'paid' })
        return pending
      },
    }
    const result = await finishPayment({ ...tools, paypal: slow }, orderId, walletOrderId)
    expect(result).toMatchObject({ ok: true, state: 'paid' })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
    expect(await invariants(shop)).toEqual([])
  })

  it('I1 I9 F7 at S11: money that was held then does not count as held once it was taken', async () => {
    await using shop = await aShop({ settings: { paypal: { intent: 'authorize' } } })
    const { orderId, walletOrderId } = await approved(shop)
    const { tools } = shop.shop.application
    const paypal = tools.paypal as PayPal
    const slow: PayPal = {
      ...paypal,
      authorizeOrder: async (...call) => {
        const held = await paypal.authorizeOrder(...call)
        await late(shop, orderId)
        const other = another(shop.shop.application)
        expect(await finishInBackground(other, orderId)).toMatchObject({ state: 'held' })
        expect(await captureAuthorizedPayment(other, orderId)).toMatchObject({ state: 'paid' })
        return held
      },
    }
    expect(await finishPayment({ ...tools, paypal: slow }, orderId, walletOrderId)).toMatchObject({ ok: true })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'processing', payment_state: 'paid', attention: null })
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })
})
