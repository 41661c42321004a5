import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import type { RunningShop } from '#server/operations/startup/start-shop.ts'
import { finishPayment } from '#shop/payments/operation/finish-payment.ts'
import { handleWebhook } from '#shop/payments/webhooks/handle-webhook.ts'
import { times } from '#tests/recovery/fixtures/parallel.ts'
import { keysIn, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import {
  anotherProcess,
  invariants,
  orderOf,
  ordersOf,
  providerLedger,
  theOneOrder,
  theSale,
} from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
let second: RunningShop
beforeAll(async () => {
  shop = await aShop()
  second = await anotherProcess(shop)
})
afterAll(async () => {
  await second.stop()
  await shop.close()
})

describe('everything twice and at once', () => {
  it('F18 at S1: ten presses on "add to cart" at once count ten pieces, and none is lost', async () => {
    const shopper = new Shopper(shop, 'ten-adds')
    await shopper.add('MUG')
    await times(9, () => shopper.add('MUG'))
    await shopper.openCheckout()
    const { orderId } = startedOf(await shopper.placeOrder())
    const { quantity } = await shop.db.kysely
      .selectFrom('order_items')
      .select('quantity')
      .where('order_id', '=', orderId)
      .where('type', '=', 'line_item')
      .executeTakeFirstOrThrow()
    expect(quantity).toBe(10)
  })

  it('F18 at S2: a quantity that is sent ten times at once is that quantity', async () => {
    const shopper = new Shopper(shop, 'ten-quantities')
    await shopper.add('MUG')
    const [key = ''] = keysIn((await viewCart(shopper)).html)
    const fields = { [`cart[${key}][qty]`]: '3', update_cart: 'Update cart' }
    await times(10, () => submitCart(shopper, fields))
    // 3 × 12.00, tax 2.61, shipping 6.90.
    const { lines, total } = await viewCart(shopper)
    expect([lines, total]).toEqual([['Plain mug × 3'], '$45.51'])
  })

  it('F18 at S3: a coupon that is sent ten times at once takes its amount off once, and is used once', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_minor, usage_limit, settings)
      values ('five', 'fixed_cart', 500, 2, '{}')`
    const shopper = new Shopper(shop, 'ten-coupons')
    await shopper.add('MUG')
    await times(10, () => submitCart(shopper, { coupon_code: 'five', apply_coupon: 'Apply coupon' }))
    const { coupons, total } = await viewCart(shopper)
    // 12.00 − 5.00, tax 0.51, shipping 6.90.
    expect([coupons, total]).toEqual([['five'], '$14.41'])
    await shopper.openCheckout()
    const started = (await times(5, () => shopper.placeOrder())).map(startedOf)
    expect(new Set(started.map(({ orderId }) => orderId)).size).toBe(1)
    const [coupon] = await shop.db.sql`select used from coupons where code = 'five'`
    expect(coupon).toEqual({ used: 1 })
    expect((await orderOf(shop, started[0]?.orderId ?? 0)).total).toBe(1441)
  })

  it('F18 at S4: a way of shipping that is chosen ten times at once is charged once', async () => {
    const shopper = new Shopper(shop, 'ten-ways')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const chosen = { 'shipping_method[0]': 'flat_rate:2', woocommerce_checkout_update_totals: '1' }
    await times(10, () => shopper.post(urls.checkout(), { ...shopper.form('ppcp'), ...chosen }))
    await shopper.openCheckout()
    const { orderId } = startedOf(await shopper.placeOrder())
    const rows = await shop.db
      .sql`select name, total from order_items where order_id = ${orderId} and type = 'shipping'`
    expect(rows).toEqual([{ name: 'Express', total: 1500 }])
    // 12.00, tax 0.87, shipping 15.00.
    expect((await orderOf(shop, orderId)).total).toBe(2787)
  })

  it('P1 F18 at S5: ten presses on "place order" at once make one order and one wallet order', async () => {
    const shopper = new Shopper(shop, 'ten-presses')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const started = (await times(10, () => shopper.placeOrder())).map(startedOf)
    expect(new Set(started.map(({ orderId }) => orderId)).size).toBe(1)
    expect(new Set(started.map(({ walletOrderId }) => walletOrderId)).size).toBe(1)
    const { orders } = await providerLedger(shop)
    expect(orders.filter(({ custom_id }) => custom_id === String(started[0]?.orderId))).toHaveLength(1)
  })

  it('P1 F18 at S10: ten presses with an approved wallet at once take the money once', async () => {
    const shopper = new Shopper(shop, 'ten-approved')
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const answers = await times(10, () => shopper.placeOrder('ppcp', walletOrderId))
    for (const answer of answers) expect(answer.redirect).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P1 F18 at S10: ten presses for cash on delivery at once sell once', async () => {
    const shopper = new Shopper(shop, 'ten-cash')
    await shopper.add('BOWL', 2)
    await shopper.openCheckout()
    const answers = await times(10, () => shopper.placeOrder('cod'))
    const [order, ...more] = await ordersOf(shop, shopper)
    expect(more).toEqual([])
    expect(answers.filter(({ result }) => result === 'success').length).toBeGreaterThan(0)
    for (const { redirect } of answers) if (redirect) expect(redirect).toContain(`/order-received/${order?.id}/`)
    await theSale(shop, order?.id ?? 0)
  })

  it('P1 ten returns at once take the money once, and all see the confirmation', async () => {
    const shopper = new Shopper(shop, 'ten-returns')
    const { orderId, walletOrderId } = await shopper.startToPay('BOWL', 2)
    await shopper.approve(walletOrderId)
    const places = await times(10, () => shopper.returnFromWallet(walletOrderId))
    for (const place of places) expect(place).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P1 returns, notification, confirmation page and a second process at once take the money once', async () => {
    await shop.emulate('/fault', { route: 'orders.capture', delay: 400 })
    const shopper = new Shopper(shop, 'all-at-once')
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const { key } = await orderOf(shop, orderId)
    const event = (tools: typeof second.application.tools) =>
      handleWebhook(tools, {
        id: 'an event of this test',
        type: 'PAYMENT.CAPTURE.COMPLETED',
        subject: { walletOrderId, customId: String(orderId) },
        receivedAt: new Date(),
      })
    const { tools } = shop.shop.application
    const [first, again] = await Promise.all([
      shopper.returnFromWallet(walletOrderId),
      shopper.returnFromWallet(walletOrderId),
      event(tools),
      event(second.application.tools),
      finishPayment(second.application.tools, orderId, walletOrderId),
      shopper.page(urls.orderReceived(orderId, key)),
      fetch(second.url + urls.orderReceived(orderId, key)),
    ])
    expect(first).toContain(`/order-received/${orderId}/`)
    expect(again).toBe(first)
    await theOneOrder(shop, orderId)
  })
})

describe('after all that', () => {
  it('I1 to I13 hold over everything that happened', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
