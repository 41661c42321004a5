import { describe, expect, it } from 'vitest'
import { finishInBackground } from '#shop/payments/operation/finish-payment.ts'
import { refundOrder } from '#shop/payments/refund/refund-order.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { invariants, orderOf, theOneOrder } from '#tests/support/payments/bookkeeping.ts'
import { aShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

describe('money that did not fit its order and was given back', () => {
  it('P2 I12: the order is over, and the same cart is ordered and paid anew', async () => {
    let diesAt: Checkpoint | null = null
    await using shop = await aShop({
      checkpoint: (point) => {
        if (point === diesAt) throw new Error(`died at ${point}`)
      },
    })
    await shop.emulate('/webhooks/hold', { on: true })
    const { tools } = shop.shop.application
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    diesAt = 'S11 called'
    await expect(shopper.returnFromWallet(walletOrderId)).rejects.toThrow('answered 500')
    diesAt = null
    await shop.db.sql`update wallet_orders set payee = 'ANOTHER' where order_id = ${orderId}`
    expect(await finishInBackground(tools, orderId)).toMatchObject({ ok: false, reason: 'attention' })

    expect(await refundOrder(tools, orderId, { key: 'back', ask: { kind: 'full' } })).toMatchObject({ ok: true })
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled', payment_state: 'refunded' })
    const held = await shop.db.sql`select 1 from stock_reservations where order_id = ${orderId}`
    expect(held).toEqual([])
    expect(await invariants(shop)).toEqual([])

    await shopper.openCheckout()
    const again = startedOf(await shopper.placeOrder())
    expect(again.orderId).not.toBe(orderId)
    await shopper.approve(again.walletOrderId)
    expect(await shopper.returnFromWallet(again.walletOrderId)).toContain(`/order-received/${again.orderId}/`)
    await theOneOrder(shop, again.orderId)
  })
})
