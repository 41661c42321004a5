import { describe, expect, it } from 'vitest'
import { paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { payOrder } from '#shop/payments/operation/pay-order.ts'
import type { Checkpoint } from '#shop/shared/tools.ts'
import { capturesFor, invariants, orderOf } from '#tests/support/payments/bookkeeping.ts'
import { aLoggedInCustomer, allMethodSettings, placeWith } from '#tests/support/payments/saved-methods.ts'
import { aShop } from '#tests/support/shop.ts'
import { startedOf } from '#tests/support/shopper.ts'

describe('an order that is paid in one browser while another chooses another way', () => {
  it.each([
    ['capture', { status: 'processing', payment_state: 'paid' }, 1],
    ['authorize', { status: 'on-hold', payment_state: 'authorised' }, 0],
  ] as const)('P1 F2 F19 at S11: is not paid on delivery once more (%s)', async (intent, after, taken) => {
    let diesAt: Checkpoint | null = null
    await using shop = await aShop({
      settings: { ...allMethodSettings, paypal: { ...allMethodSettings.paypal, intent } },
      checkpoint: (point) => {
        if (point === diesAt) throw new Error(`died at ${point}`)
      },
    })
    const shopper = await aLoggedInCustomer(shop, 'ada')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const save = { [paymentFields(walletMethodId).save]: '1' }
    const { orderId, walletOrderId } = startedOf(await placeWith(shopper, walletMethodId, save))
    await shopper.approve(walletOrderId)
    diesAt = 'order-pay after commit'
    const onDelivery = { method: 'cod', seenTotal: null }
    await expect(payOrder(shop.shop.application.tools, orderId, onDelivery)).rejects.toThrow('died at')
    diesAt = null
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_method: 'cod' })

    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    const paid = { ...after, payment_method: 'ppcp', payment_method_title: 'PayPal' }
    expect(await orderOf(shop, orderId)).toMatchObject(paid)
    // What was paid with is kept under the way that it pays by.
    const kept = await shop.db.sql<{ method: string }[]>`select method from payment_tokens`
    expect(kept.map(({ method }) => method)).toEqual(['ppcp'])
    expect(await capturesFor(shop, orderId)).toHaveLength(taken)
    expect(await invariants(shop)).toEqual([])
  })
})
