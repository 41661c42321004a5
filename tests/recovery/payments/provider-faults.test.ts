import { describe, expect, it } from 'vitest'
import { errorReturnHash } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { createPayPal } from '#paypal/client.ts'
import { reconcile } from '#shop/operations/run-maintenance.ts'
import {
  anotherProcess,
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { aShopOfProcesses } from '#tests/support/process/process.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

const nothingListens = 'http://127.0.0.1:9'

async function walletOrdersFor(shop: TestShop, orderId: number): Promise<number> {
  return (await providerLedger(shop)).orders.filter(({ custom_id }) => custom_id === String(orderId)).length
}

/** The notifications stay away: what is tested must not need them. */
async function aSilentShop(): Promise<TestShop> {
  const shop = await aShop()
  await shop.emulate('/webhooks/hold', { on: true })
  return shop
}

describe('a provider that cannot be reached', () => {
  it('F6 at S6 and S11: told within 3 s, nothing taken, and the same press works later', async () => {
    await using shop = await aShopOfProcesses()
    await shop.emulate('/webhooks/hold', { on: true })
    await shop.start({ env: { PAYPAL_API_BASE: nothingListens } })
    const shopper = new Shopper(shop)
    await shopper.add('MUG')
    await shopper.openCheckout()
    const began = performance.now()
    const answer = await shopper.placeOrder()
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(answer).toMatchObject({ result: 'failure', code: 'UNREACHABLE' })
    expect(answer.messages).toContain('Nothing was charged')

    await shop.kill()
    await shop.start()
    const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
    await shopper.approve(walletOrderId)
    await shop.kill()
    await shop.start({ env: { PAYPAL_API_BASE: nothingListens } })
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(`${urls.checkout()}#${errorReturnHash}`)
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })

    await shop.kill()
    await shop.start()
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })
})

describe('a provider that cannot be reached while its window is open', () => {
  it('F6 at S8: another address is refused within 3 s, nothing changes there, and asked again it is worked out', async () => {
    await using shop = await aSilentShop()
    const { tools } = shop.shop.application
    if (!tools.paypal || !shop.paypal) throw new Error('the shop has no wallet')
    const shopper = new Shopper(shop)
    await shopper.add('MUG')
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const newYork = { city: 'New York', state: 'NY', postcode: '10001', country: 'US' }
    const ask = () =>
      shopper.rest('cart/shipping', { payment_method: 'ppcp', order_id: walletOrderId, address: newYork })
    const shown = async () => (await providerLedger(shop)).orders.find(({ id }) => id === walletOrderId)?.amount.value

    const there = { ...tools.paypal }
    Object.assign(
      tools.paypal,
      createPayPal({ environment: tools, config: { ...shop.paypal, apiBase: nothingListens } }),
    )
    const began = performance.now()
    const refused = await ask()
    expect(performance.now() - began).toBeLessThan(3_000)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([404, 'shipping_error'])
    Object.assign(tools.paypal, there)
    // 12.00, tax of California 0.87, shipping 6.90.
    expect(await shown()).toBe('19.77')

    expect((await ask()).status).toBe(200)
    expect(await shown()).toBe('18.90')
    await shopper.approve(walletOrderId)
    const place = await shopper.returnFromWallet(walletOrderId)
    const [row] = await shop.db.sql<
      { order_id: number }[]
    >`select order_id from wallet_orders where id = ${walletOrderId}`
    const orderId = row?.order_id ?? 0
    // The buyer lives in California: where that changes the total, it is shown once more.
    if (!place.includes('order-received')) {
      await shopper.openCheckout()
      expect((await shopper.placeOrder('ppcp', walletOrderId)).redirect).toContain(`/order-received/${orderId}/`)
    }
    await theOneOrder(shop, orderId)
  })
})

describe('a provider that does it and does not say so', () => {
  const once: [string, object][] = [
    ['F8 at S6: works, then answers 500', { route: 'orders.create', done_then_500: true }],
    ['F7 at S6: works, then cuts the connection', { route: 'orders.create', done_then_drop: true }],
    ['F11 at S6: works, then answers half of its JSON', { route: 'orders.create', malformed: true }],
    ['F8 at S11: works, then answers 500', { route: 'orders.capture', done_then_500: true }],
    ['F7 at S11: works, then cuts the connection', { route: 'orders.capture', done_then_drop: true }],
    ['F11 at S11: works, then answers half of its JSON', { route: 'orders.capture', malformed: true }],
    ['F11 at S11: works, then answers with a page', { route: 'orders.capture', wrong_type: true }],
    ['F11 at S11: works, then answers ten megabytes', { route: 'orders.capture', huge: true }],
    ['F7 at S11: cuts the connection before anything happens', { route: 'orders.capture', drop: true }],
    ['F9 at S6: asks for patience', { route: 'orders.create', status: 429, retry_after: 1 }],
    ['F9 at S11: asks for patience', { route: 'orders.capture', status: 429, retry_after: 1 }],
    ['F8 at S11: is out of order for a moment', { route: 'orders.capture', status: 503, times: 2 }],
    ['F12 at S11: says that it was done before', { route: 'orders.capture', issue: 'ORDER_COMPLETION_IN_PROGRESS' }],
  ]
  it.each(once)('%s; the purchase goes through, with one wallet order and one capture', async (what, fault) => {
    await using shop = await aSilentShop()
    await shop.emulate('/fault', fault)
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const place = await shopper.returnFromWallet(walletOrderId)
    // A call that was said to be in progress elsewhere is looked after, by the page or by the minute job.
    expect(place).toContain(`/order-received/${orderId}/`)
    await until(what, async () => {
      await shopper.page(place)
      return (await orderOf(shop, orderId)).payment_state === 'paid'
    })
    await theOneOrder(shop, orderId)
    expect(await walletOrdersFor(shop, orderId)).toBe(1)
  })

  it('F10 at S6 and S11: an expired token is renewed once and unnoticed', async () => {
    await using shop = await aSilentShop()
    const shopper = new Shopper(shop)
    await shop.emulate('/tokens/expire', {})
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/tokens/expire', {})
    await shopper.returnFromWallet(walletOrderId)
    await theOneOrder(shop, orderId)
  })

  it('F7 at S11: an unknown end is told as such, keeps every other payment off, and is found out', async () => {
    await using shop = await aSilentShop()
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', done_then_drop: true, times: 3 })
    // The order is read before it is captured; from then on nothing can be read.
    await shop.emulate('/fault', { route: 'orders.capture', drop: true, times: 50 })
    await using cut = await cutReads(shop)
    const place = await shopper.returnFromWallet(walletOrderId)
    expect(place).toContain(`/order-received/${orderId}/`)
    const page = await shopper.page(place)
    expect(page).toMatch(/checking|finding out/i)
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'authorising' })

    // A second try, from the checkout or from another tab, opens nothing new.
    await shopper.openCheckout()
    const again = await shopper.placeOrder()
    expect(again.redirect).toContain(`/order-received/${orderId}/`)
    expect(await walletOrdersFor(shop, orderId)).toBe(1)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)

    await cut.end()
    await using second = await disposable(await anotherProcess(shop))
    const { key } = await orderOf(shop, orderId)
    await until('the second process finds out', async () => {
      await fetch(second.url + urls.orderReceived(orderId, key))
      return (await orderOf(shop, orderId)).payment_state === 'paid'
    })
    await theOneOrder(shop, orderId)
  })
})

describe('a provider that opens no order', () => {
  const issues: [string, string, RegExp][] = [
    ['F12 at S6: the address is none', 'SHIPPING_ADDRESS_INVALID', /does not accept the shipping address/],
    ['F12 at S6: the city is missing', 'CITY_REQUIRED', /does not accept the shipping address/],
    ['F12 at S6: the postcode is missing', 'POSTAL_CODE_REQUIRED', /does not accept the shipping address/],
    ['F12 at S6: the currency is not supported', 'CURRENCY_NOT_SUPPORTED', /refused this payment/],
    ['F12 at S6: the amounts do not add up', 'AMOUNT_MISMATCH', /refused this payment/],
    ['F12 at S6: the number was used before', 'DUPLICATE_INVOICE_ID', /refused this payment/],
    ['F12 at S6: the merchant may not', 'PAYEE_ACCOUNT_RESTRICTED', /refused this payment/],
    ['F12 at S6: the means is declined', 'INSTRUMENT_DECLINED', /refused this payment/],
    ['F12 at S6: something that nobody has heard of', 'A_NEW_ISSUE', /refused this payment/],
  ]
  it('F12 at S6: each refusal is told in clear words, nothing was charged, and the same press works later', async () => {
    await using shop = await aSilentShop()
    for (const [index, [what, issue, text]] of issues.entries()) {
      await shop.db.sql`delete from rate_limits`
      const shopper = new Shopper(shop, `refused-${index}`)
      await shopper.add('MUG')
      await shopper.openCheckout()
      await shop.emulate('/fault', { route: 'orders.create', issue })
      const refused = await shopper.placeOrder()
      expect(refused, what).toMatchObject({ result: 'failure' })
      expect(refused.messages, what).toMatch(text)
      expect(refused.messages, what).toContain('Nothing was charged')
      expect(refused.messages, what).not.toContain(issue)

      const { orderId, walletOrderId } = startedOf(await shopper.placeOrder())
      await shopper.approve(walletOrderId)
      await shopper.returnFromWallet(walletOrderId)
      await theOneOrder(shop, orderId)
      expect(await walletOrdersFor(shop, orderId), what).toBe(1)
    }
  })
})

describe('a provider that refuses', () => {
  it('F12 at S11: a declined payment takes nothing, and another approval pays the same order', async () => {
    await using shop = await aSilentShop()
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId, 'declined@emulator.test')
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(`${urls.checkout()}#${errorReturnHash}`)
    expect(await shopper.page(urls.checkout())).toContain('declined')
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })
    await shopper.approve(walletOrderId)
    await shopper.returnFromWallet(walletOrderId)
    await theOneOrder(shop, orderId)
  })

  it('F12 at S11: a wallet order that is gone leaves a way on', async () => {
    await using shop = await aSilentShop()
    const shopper = new Shopper(shop)
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/clock', { advance_ms: 7 * 60 * 60 * 1000 })
    expect(await shopper.returnFromWallet(walletOrderId)).toBe(`${urls.checkout()}#${errorReturnHash}`)
    await shop.emulate('/clock', { advance_ms: -7 * 60 * 60 * 1000 })
    const next = startedOf(await shopper.placeOrder())
    expect(next.walletOrderId).not.toBe(walletOrderId)
    await shopper.approve(next.walletOrderId)
    await shopper.returnFromWallet(next.walletOrderId)
    await theOneOrder(shop, next.orderId)
  })

  it('F13 at S11: a payment under review waits with its pieces taken, and is paid when the provider says so', async () => {
    await using shop = await aShop()
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId, 'echeck@emulator.test')
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect(await orderOf(shop, orderId)).toMatchObject({
      status: 'on-hold',
      payment_state: 'review',
      stock_reduced: true,
    })
    expect(await shopper.pieces()).toBe(0)
    const [capture] = await capturesFor(shop, orderId)
    await shop.emulate(`/captures/${capture?.id}/settle`, { status: 'COMPLETED' })
    await until('the order is paid', async () => (await orderOf(shop, orderId)).payment_state === 'paid')
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'processing' })
    expect(await invariants(shop)).toEqual([])
  })

  it('F13 at S11: a payment that is denied after its review gives everything back', async () => {
    await using shop = await aSilentShop()
    const shopper = new Shopper(shop)
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shopper.approve(walletOrderId, 'echeck@emulator.test')
    await shopper.returnFromWallet(walletOrderId)
    const [capture] = await capturesFor(shop, orderId)
    await shop.emulate(`/captures/${capture?.id}/settle`, { status: 'DECLINED' })
    // No notification comes: the shop asks by itself.
    await shop.db.sql`update wallet_orders set created_at = created_at - interval '4 days' - interval '10 seconds'`
    await reconcile(shop.shop.application.tools)
    expect(await orderOf(shop, orderId)).toMatchObject({
      status: 'failed',
      payment_state: 'failed',
      stock_reduced: false,
    })
    const [last] = await shop.db.sql`select stock_quantity, stock_status from products where sku = 'LAST'`
    expect(last).toEqual({ stock_quantity: 1, stock_status: 'instock' })
    expect(await invariants(shop)).toEqual([])
  })
})

/** From the third reading on, the provider's orders cannot be read; until `end`. */
async function cutReads(shop: TestShop): Promise<AsyncDisposable & { end(): Promise<void> }> {
  const { paypal } = shop.shop.application.tools
  if (!paypal) throw new Error('the shop has no wallet')
  const { getOrder } = paypal
  let reads = 0
  Object.assign(paypal, {
    getOrder: (id: string) => {
      reads += 1
      return reads <= 1 ? getOrder(id) : Promise.resolve({ ok: false, kind: 'unknown', reason: 'cut by the test' })
    },
  })
  const end = async () => {
    Object.assign(paypal, { getOrder })
    await shop.emulate('/faults/clear', {})
  }
  return { end, [Symbol.asyncDispose]: end }
}

async function disposable<Thing extends { stop(): Promise<void> }>(thing: Thing): Promise<Thing & AsyncDisposable> {
  return Object.assign(thing, { [Symbol.asyncDispose]: () => thing.stop() })
}
