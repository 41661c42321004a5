import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import type { SessionState } from '#shop/customers/sessions/session-state.ts'
import { times } from '#tests/recovery/fixtures/parallel.ts'
import { express, orderOfWalletOrder } from '#tests/recovery/fixtures/wallet-window.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  ordersOf,
  provider,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())

describe('what another tab puts in while one pays', () => {
  it('P2 F19 at S7 to S13: only what was bought leaves the cart', async () => {
    const shopper = new Shopper(shop, 'two-carts')
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const tab = shopper.anotherTab()
    await tab.add('MUG', 2)
    await tab.add('BOWL')
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
    expect(await held(shopper)).toEqual({ BOWL: 1, MUG: 2 })
    // The same confirmation again takes nothing more away.
    await shopper.returnFromWallet(walletOrderId)
    expect(await held(shopper)).toEqual({ BOWL: 1, MUG: 2 })
  })

  it('F15 F19 at S13: nor is more taken out where only a notification tells that it was paid', async () => {
    const shopper = new Shopper(shop, 'two-carts-told')
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    const tab = shopper.anotherTab()
    await tab.add('BOWL')
    await shopper.approve(walletOrderId)
    await until('the money is taken', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
    expect(await held(tab)).toEqual({ BOWL: 1 })
  })

  it('P1 F18 at S10: the same press again, with something new in the cart, finds the order', async () => {
    const shopper = new Shopper(shop, 'pressed-again')
    await shopper.add('MUG')
    const html = await shopper.openCheckout()
    const intention = /name="intention" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const { id } = await orderOnDelivery(shopper, intention)
    expect(shopper.cookie('woocommerce_items_in_cart') ?? '').toBe('')
    await shopper.anotherTab().add('BOWL')
    const again = await orderOnDelivery(shopper, intention)
    expect(again.id).toBe(id)
    expect(shopper.cookie('woocommerce_items_in_cart')).toBe('1')
    expect(await ordersOf(shop, shopper)).toHaveLength(1)
    expect(await held(shopper)).toEqual({ BOWL: 1 })
  })

  async function orderOnDelivery(shopper: Shopper, intention: string) {
    const fields = { ...shopper.form('cod'), intention }
    const answer = (await (await shopper.post(urls.wcAjax('checkout'), fields)).json()) as CheckoutAnswer
    expect(answer).toMatchObject({ result: 'success' })
    return orderOf(shop, answer.order_id ?? 0)
  }

  /** Pieces by article number, as the shop keeps them for this visitor from the next visit on. */
  async function held(shopper: Shopper): Promise<Record<string, number>> {
    await shopper.page(urls.cart())
    const [order] = await ordersOf(shop, shopper)
    const row = await shop.db.kysely
      .selectFrom('sessions')
      .select('state')
      .where('id', '=', order?.session_id ?? '')
      .executeTakeFirstOrThrow()
    // Written from a `SessionState` alone.
    const { lines } = row.state as SessionState
    const numbers = new Map(await Promise.all(['MUG', 'BOWL'].map(async (sku) => [await shop.idOf(sku), sku] as const)))
    return Object.fromEntries(lines.map(({ productId, quantity }) => [numbers.get(productId) ?? productId, quantity]))
  }
})

describe('paying from the cart', () => {
  it('P5 F24 at S9: an address that changes the total is shown before anything is taken', async () => {
    const shopper = new Shopper(shop, 'express')
    await shopper.add('BOWL')
    await shopper.openCheckout()
    const elsewhere = { billing_state: 'NY', billing_city: 'New York', billing_postcode: '10001' }
    const form = { ...shopper.form('ppcp'), ...elsewhere, woocommerce_checkout_update_totals: '1' }
    await shopper.post(urls.checkout(), form)
    const { walletOrderId } = await shopper.startExpress('BOWL')
    const { orderId, amount } = await orderOfWalletOrder(shop, walletOrderId)
    await shopper.approve(walletOrderId)
    const place = await shopper.returnFromWallet(walletOrderId)
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
    const { orderId } = await orderOfWalletOrder(shop, walletOrderId)
    await shopper.approve(walletOrderId)
    const places = await times(10, () => shopper.returnFromWallet(walletOrderId))
    for (const place of places) expect(place).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })
})

describe('two tabs', () => {
  it('F19 at S7: of two carts of one visitor only the newer is paid, whatever was approved first', async () => {
    const tab = new Shopper(shop, 'two-tabs')
    const older = await tab.startToPay('MUG')
    const other = tab.anotherTab()
    await other.add('BOWL')
    await other.openCheckout()
    const newer = startedOf(await other.placeOrder())
    expect(newer.orderId).not.toBe(older.orderId)

    await tab.approve(older.walletOrderId)
    expect(await tab.returnFromWallet(older.walletOrderId)).not.toContain('order-received')
    expect(await tab.page(urls.checkout())).toContain('Nothing was charged')
    await other.approve(newer.walletOrderId)
    expect(await other.returnFromWallet(newer.walletOrderId)).toContain(`/order-received/${newer.orderId}/`)
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
    expect(await tab.returnFromWallet(older)).not.toContain('order-received')
  })

  it('F20 at S8: the same way of shipping asked for again and again gives the same total, and none once it is paid', async () => {
    const shopper = new Shopper(shop, 'asks-again')
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderOfWalletOrder(shop, walletOrderId)
    await times(3, () => shopper.rest('cart/shipping', express(walletOrderId)))
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(200)
    expect((await orderOf(shop, orderId)).total).toBe(2787)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    const paid = await theOneOrder(shop, orderId)
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(404)
    expect(await orderOf(shop, orderId)).toEqual(paid)
  })

  it('F21 at S8: a choice of shipping whose answer is lost counts once, and asked again it is confirmed', async () => {
    const shopper = new Shopper(shop, 'asks-in-a-tunnel')
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderOfWalletOrder(shop, walletOrderId)
    await shop.emulate('/fault', { route: 'orders.patch', delay: 600 })
    const network = new AbortController()
    const lost = shopper.rest('cart/shipping', express(walletOrderId), 'POST', network.signal)
    await until('the shop is at it', async () => (await orderOf(shop, orderId)).total === 2787)
    network.abort()
    await expect(lost).rejects.toThrow()
    expect((await shopper.rest('cart/shipping', express(walletOrderId))).status).toBe(200)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
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
    const paying = tab.returnFromWallet(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state === 'authorising')
    const answer = await other.placeOrder()
    expect(answer.redirect).toContain(`/order-received/${orderId}/`)
    expect(await paying).toContain(`/order-received/${orderId}/`)
    expect(await ordersOf(shop, tab)).toHaveLength(1)
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
    expect(await shopper.returnFromWallet(first.walletOrderId)).not.toContain('order-received')
    expect(await capturesFor(shop, first.orderId)).toEqual([])
    await shopper.returnFromWallet(next.walletOrderId)
    await shopper.returnFromWallet(first.walletOrderId)
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
    expect(await shopper.returnFromWallet(`NEWER${orderId}`)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })
})

describe('after all that', () => {
  it('I1 to I13 hold over everything that happened', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
