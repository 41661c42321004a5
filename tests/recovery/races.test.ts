import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/urls.ts'
import type { RunningShop } from '#server/start-shop.ts'
import { finishPayment } from '#shop/finish-payment.ts'
import { handleWebhook } from '#shop/handle-webhook.ts'
import { keysIn, submitCart, viewCart } from '#tests/support/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'
import {
  anotherProcess,
  capturesFor,
  invariants,
  once,
  orderOf,
  provider,
  providerLedger,
  theOneOrder,
  theSale,
  until,
} from './bookkeeping.ts'

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

const times = <Value>(count: number, act: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

const ordersOf = (shopper: Shopper) =>
  shop.db.kysely
    .selectFrom('orders')
    .selectAll()
    .where(({ eb, ref }) => eb(ref('billing', '->>').key('email'), '=', shopper.email))
    .orderBy('id')
    .execute()

async function withLast(pieces: number): Promise<number> {
  const id = await shop.idOf('LAST')
  await shop.db.sql`delete from stock_reservations where product_id = ${id}`
  await shop.db.sql`insert into stock_movements (product_id, change, kind)
    select id, ${pieces} - stock_quantity, 'counted' from products where id = ${id}`
  await shop.db.sql`update products set stock_quantity = ${pieces}, stock_status = 'instock' where id = ${id}`
  return id
}

const orderBehind = async (walletOrderId: string) => {
  const row = await shop.db.kysely
    .selectFrom('wallet_orders')
    .select(['order_id', 'amount'])
    .where('id', '=', walletOrderId)
    .executeTakeFirstOrThrow()
  return { orderId: row.order_id, amount: row.amount }
}

/** Another way of shipping, chosen in the wallet's window. */
const express = (walletOrderId: string) => ({
  payment_method: 'ppcp',
  order_id: walletOrderId,
  shipping_method: '0:flat_rate:2',
  address: { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' },
})

describe('everything twice and at once', once, () => {
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
    const [order, ...more] = await ordersOf(shopper)
    expect(more).toEqual([])
    expect(answers.filter(({ result }) => result === 'success').length).toBeGreaterThan(0)
    for (const { redirect } of answers) if (redirect) expect(redirect).toContain(`/order-received/${order?.id}/`)
    await theSale(shop, order?.id ?? 0)
  })

  it('P1 ten returns at once take the money once, and all see the confirmation', async () => {
    const shopper = new Shopper(shop, 'ten-returns')
    const { orderId, walletOrderId } = await shopper.startToPay('BOWL', 2)
    await shopper.approve(walletOrderId)
    const places = await times(10, () => shopper.comeBack(walletOrderId))
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
      shopper.comeBack(walletOrderId),
      shopper.comeBack(walletOrderId),
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

describe('paying from the cart', once, () => {
  it('P5 F24 at S9: an address that changes the total is shown before anything is taken', async () => {
    const shopper = new Shopper(shop, 'express')
    await shopper.add('BOWL')
    await shopper.openCheckout()
    const elsewhere = { billing_state: 'NY', billing_city: 'New York', billing_postcode: '10001' }
    const form = { ...shopper.form('ppcp'), ...elsewhere, woocommerce_checkout_update_totals: '1' }
    await shopper.post(urls.checkout(), form)
    const { walletOrderId } = await shopper.startExpress('BOWL')
    const { orderId, amount } = await orderBehind(walletOrderId)
    await shopper.approve(walletOrderId)
    const place = await shopper.comeBack(walletOrderId)
    expect(place).toContain(urls.checkout())
    expect(place).not.toContain('order-received')
    expect(await capturesFor(shop, orderId)).toEqual([])
    const { total } = await orderOf(shop, orderId)
    expect(total).not.toBe(amount)

    await shopper.openCheckout()
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    expect(answer.redirect).toContain(`/order-received/${orderId}/`)
    const order = await theOneOrder(shop, orderId)
    expect(order.total).toBe(total)
  })

  it('P1 F14 at S9: ten returns at once, where the total stays, take the money once', async () => {
    const shopper = new Shopper(shop, 'express-ten')
    await shopper.add('MUG')
    // Who has filled the form before has told where the parcel goes: the wallet changes nothing.
    await shopper.openCheckout()
    await shopper.post(urls.checkout(), { ...shopper.form('ppcp'), woocommerce_checkout_update_totals: '1' })
    const { walletOrderId } = await shopper.startExpress('MUG')
    const { orderId } = await orderBehind(walletOrderId)
    await shopper.approve(walletOrderId)
    const places = await times(10, () => shopper.comeBack(walletOrderId))
    for (const place of places) expect(place).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })
})

describe('two tabs', once, () => {
  it('F19 at S7: of two carts of one visitor only the newer is paid, whatever was approved first', async () => {
    const tab = new Shopper(shop, 'two-tabs')
    const older = await tab.startToPay('MUG')
    const other = tab.anotherTab()
    await other.add('BOWL')
    await other.openCheckout()
    const newer = startedOf(await other.placeOrder())
    expect(newer.orderId).not.toBe(older.orderId)

    await tab.approve(older.walletOrderId)
    expect(await tab.comeBack(older.walletOrderId)).not.toContain('order-received')
    expect(await tab.page(urls.checkout())).toContain('Nothing was charged')
    await other.approve(newer.walletOrderId)
    expect(await other.comeBack(newer.walletOrderId)).toContain(`/order-received/${newer.orderId}/`)
    await theOneOrder(shop, newer.orderId)
    expect(await capturesFor(shop, older.orderId)).toEqual([])
    expect((await orderOf(shop, older.orderId)).status).toBe('cancelled')
  })

  it('F19 at S8: another way of shipping in the window of the older tab changes nothing', async () => {
    const tab = new Shopper(shop, 'two-windows')
    const open = async (shopper: Shopper, sku: string) => {
      await shopper.add(sku)
      const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
      return String(await opened.json())
    }
    const older = await open(tab, 'MUG')
    const other = tab.anotherTab()
    const newer = await open(other, 'BOWL')
    expect(newer).not.toBe(older)
    const shown = async (id: string) => (await providerLedger(shop)).orders.find((one) => one.id === id)?.amount.value
    const before = { older: await shown(older), newer: await shown(newer) }
    expect((await tab.rest('cart/shipping', express(older))).status).toBe(404)
    expect({ older: await shown(older), newer: await shown(newer) }).toEqual(before)

    expect((await other.rest('cart/shipping', express(newer))).status).toBe(200)
    // 12.00 and 15.50, tax 2.00, shipping 15.00.
    expect(await shown(newer)).toBe('44.49')
    await tab.approve(older)
    expect(await tab.comeBack(older)).not.toContain('order-received')
  })

  it('F20 at S8: the same way of shipping asked for again and again gives the same total, and none once it is paid', async () => {
    const shopper = new Shopper(shop, 'asks-again')
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderBehind(walletOrderId)
    await times(3, () => shopper.rest('cart/shipping', express(walletOrderId)))
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(200)
    expect((await orderOf(shop, orderId)).total).toBe(2787)
    await shopper.approve(walletOrderId)
    expect(await shopper.comeBack(walletOrderId)).toContain(`/order-received/${orderId}/`)
    const paid = await theOneOrder(shop, orderId)
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(404)
    expect(await orderOf(shop, orderId)).toEqual(paid)
  })

  it('F21 at S8: a choice of shipping whose answer is lost counts once, and asked again it is confirmed', async () => {
    const shopper = new Shopper(shop, 'asks-in-a-tunnel')
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderBehind(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.patch', delay: 600 })
    const network = new AbortController()
    const lost = shopper.rest('cart/shipping', express(walletOrderId), 'POST', network.signal)
    await until('the shop is at it', async () => (await orderOf(shop, orderId)).total === 2787)
    network.abort()
    await expect(lost).rejects.toThrow()
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(200)
    await shopper.approve(walletOrderId)
    expect(await shopper.comeBack(walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect((await theOneOrder(shop, orderId)).total).toBe(2787)
  })

  it('F19 at S11: while one tab pays, the other orders nothing and is shown what was paid', async () => {
    const tab = new Shopper(shop, 'one-pays')
    const { orderId, walletOrderId } = await tab.startToPay('MUG')
    const other = tab.anotherTab()
    await other.add('BOWL')
    await other.openCheckout()
    await tab.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', delay: 600 })
    const paying = tab.comeBack(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state === 'authorising')
    const answer = await other.placeOrder()
    expect(answer.redirect).toContain(`/order-received/${orderId}/`)
    expect(await paying).toContain(`/order-received/${orderId}/`)
    expect(await ordersOf(tab)).toHaveLength(1)
    await theOneOrder(shop, orderId)
  })

  it('F40 at S11: a wallet order that was followed by another is refused, before and after the other is paid', async () => {
    const shopper = new Shopper(shop, 'two-wallets')
    const first = await shopper.startToPay()
    // The provider would forget it soon: the next press opens another.
    await shop.db
      .sql`update wallet_orders set created_at = created_at - interval '5 hours 30 minutes' where id = ${first.walletOrderId}`
    const next = startedOf(await shopper.placeOrder())
    expect(next.orderId).toBe(first.orderId)
    expect(next.walletOrderId).not.toBe(first.walletOrderId)
    await shopper.approve(first.walletOrderId)
    await shopper.approve(next.walletOrderId)
    expect(await shopper.comeBack(first.walletOrderId)).not.toContain('order-received')
    expect(await capturesFor(shop, first.orderId)).toEqual([])
    await shopper.comeBack(next.walletOrderId)
    await shopper.comeBack(first.walletOrderId)
    await theOneOrder(shop, first.orderId)
  })

  it('F40 at S11: a capture with an open end is settled before a newer wallet order may be taken', async () => {
    const shopper = new Shopper(shop, 'open-end')
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    // Another process died after its call; the provider has the money, the shop knows nothing of it.
    const requestId = 'a call of a process that is gone'
    await shop.db
      .sql`insert into payment_attempts (order_id, step, revision, request_id, wallet_order_id, amount, currency,
        body_hash, state, instance, opened_at)
      select id, 'capture', 1, ${requestId}, ${walletOrderId}, total, currency, '', 'unknown', 999999, now()
      from orders where id = ${orderId}`
    await shop.db.sql`update orders set payment_state = 'authorising' where id = ${orderId}`
    expect((await provider(shop.paypal).captureOrder(walletOrderId, { requestId })).ok).toBe(true)
    // And a newer wallet order was being opened at that moment.
    await shop.db
      .sql`insert into wallet_orders (id, order_id, revision, session_id, environment, amount, currency, state, created_at)
      select 'NEWER' || id, id, 2, session_id, 'sandbox', total, currency, 'CREATED', now() from orders where id = ${orderId}`
    expect(await shopper.comeBack(`NEWER${orderId}`)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })
})

describe('the last piece', once, () => {
  it('P4 F26 at S5: of twenty buyers at once one gets the last teapot, the others are told before they pay', async () => {
    const teapot = await withLast(1)
    const buyers = await times(20, async (index) => {
      const buyer = new Shopper(shop, `buyer-${index}`)
      await buyer.add('LAST')
      await buyer.openCheckout()
      return buyer
    })
    const answers = await times(20, (index) => buyers[index]?.placeOrder() ?? Promise.reject(new Error('no buyer')))
    const winners = answers.flatMap((answer, index) => (answer.result === 'success' ? [{ answer, index }] : []))
    expect(winners).toHaveLength(1)
    for (const { result, messages } of answers)
      if (result === 'failure') expect(messages).toMatch(/faster|sold out|left/)
    const held = await shop.db.kysely
      .selectFrom('stock_reservations')
      .selectAll()
      .where('product_id', '=', teapot)
      .execute()
    expect(held).toHaveLength(1)

    const { answer, index } = winners[0] ?? { answer: answers[0], index: 0 }
    const { orderId, walletOrderId } = startedOf(answer ?? { result: 'failure' })
    const winner = buyers[index]
    await winner?.approve(walletOrderId)
    expect(await winner?.comeBack(walletOrderId)).toContain('order-received')
    await theOneOrder(shop, orderId)
    const product = await shop.db.kysely
      .selectFrom('products')
      .select(['stock_quantity', 'stock_status'])
      .where('id', '=', teapot)
      .executeTakeFirstOrThrow()
    expect(product).toEqual({ stock_quantity: 0, stock_status: 'outofstock' })
  })

  it('F28 at S7: what expired while the shopper approved is held again, if it is still there', async () => {
    await withLast(1)
    const shopper = new Shopper(shop, 'slow')
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    await shopper.approve(walletOrderId)
    expect(await shopper.comeBack(walletOrderId)).toContain('order-received')
    await theOneOrder(shop, orderId)
  })

  /** The last piece, paid from the cart by somebody whose address is known. */
  async function anExpress(name: string) {
    await withLast(1)
    const shopper = new Shopper(shop, name)
    await shopper.add('LAST')
    await shopper.openCheckout()
    await shopper.post(urls.checkout(), { ...shopper.form('ppcp'), woocommerce_checkout_update_totals: '1' })
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderBehind(walletOrderId)
    const expire = () =>
      shop.db.sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    const reship = () => shopper.rest('cart/shipping', express(walletOrderId))
    const somebodyElseBuysIt = async () => {
      await expire()
      const quick = new Shopper(shop, `${name}-rival`)
      await quick.add('LAST')
      await quick.openCheckout()
      expect((await quick.placeOrder('cod')).result).toBe('success')
    }
    return { shopper, orderId, walletOrderId, expire, reship, somebodyElseBuysIt }
  }

  it('F28 at S8: what expired before another way of shipping is chosen in the wallet is held again and paid', async () => {
    const { shopper, orderId, walletOrderId, expire, reship } = await anExpress('slow-to-ship')
    await expire()
    expect((await reship()).status).toBe(200)
    await shopper.approve(walletOrderId)
    expect(await shopper.comeBack(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S8: what somebody else bought meanwhile cannot be sent elsewhere, and is not paid for', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt, reship } = await anExpress('too-slow-to-ship')
    await somebodyElseBuysIt()
    expect((await reship()).status).toBe(404)
    await shopper.approve(walletOrderId)
    expect(await shopper.comeBack(walletOrderId)).not.toContain('order-received')
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F28 at S9: what expired before the return is held again and paid', async () => {
    const { shopper, orderId, walletOrderId, expire } = await anExpress('slow-to-return')
    await shopper.approve(walletOrderId)
    await expire()
    expect(await shopper.comeBack(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S9: what somebody else bought meanwhile is not paid for, and the cart says so', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt } = await anExpress('too-slow-to-return')
    await shopper.approve(walletOrderId)
    await somebodyElseBuysIt()
    expect(await shopper.comeBack(walletOrderId)).not.toContain('order-received')
    expect(await shopper.page(urls.cart())).toMatch(/Nothing was charged|sold|out of stock/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F28 at S10: what expired before the form is sent with the approved payment is held again and paid', async () => {
    await withLast(1)
    const shopper = new Shopper(shop, 'slow-to-press')
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shopper.approve(walletOrderId)
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    expect((await shopper.placeOrder('ppcp', walletOrderId)).redirect).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('P4 F28 at S10: what somebody else bought meanwhile is not paid for, and the form says so', async () => {
    const { shopper, orderId, walletOrderId, somebodyElseBuysIt } = await anExpress('too-slow-to-press')
    await shopper.approve(walletOrderId)
    await somebodyElseBuysIt()
    await shopper.openCheckout()
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    expect(answer.result).toBe('failure')
    expect(answer.messages).toMatch(/sold|faster|left|stock/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('P4 F28 at S11: what somebody else bought meanwhile is not paid for', async () => {
    await withLast(1)
    const slow = new Shopper(shop, 'slower')
    const { orderId, walletOrderId } = await slow.startToPay('LAST')
    await shop.db
      .sql`update stock_reservations set expires_at = now() - interval '1 minute' where order_id = ${orderId}`
    const quick = new Shopper(shop, 'quick')
    await quick.add('LAST')
    await quick.openCheckout()
    expect((await quick.placeOrder('cod')).result).toBe('success')

    await slow.approve(walletOrderId)
    expect(await slow.comeBack(walletOrderId)).not.toContain('order-received')
    expect(await slow.page(urls.cart())).toMatch(/Nothing was charged|sold/)
    expect(await capturesFor(shop, orderId)).toEqual([])
  })
})

describe('after all that', once, () => {
  it('I1 to I13 hold over everything that happened', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
