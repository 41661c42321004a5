import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cardMethodId, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { cancelAbandoned, reconcile } from '#shop/operations/run-maintenance.ts'
import { finishInBackground } from '#shop/payments/operation/finish-payment.ts'
import { payOrder } from '#shop/payments/operation/pay-order.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { capturesFor, invariants, orderOf, until } from '#tests/support/payments/bookkeeping.ts'
import { allMethodSettings, placeWith } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ settings: allMethodSettings })
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.emulate('/faults/clear', {})
  await shop.db.sql`delete from rate_limits`
})

let shoppers = 0
const aShopper = () => new Shopper(shop, `told-${++shoppers}`)

/** The shop's tools some minutes from now. */
function later(minutes: number): Tools {
  const { tools } = shop.shop.application
  return { ...tools, clock: { ...tools.clock, now: () => new Date(Date.now() + minutes * 60_000) } }
}

/** All that may take the money although nobody is there: late notifications, and the minutes' looks of three hours. */
async function expectNoOpenRequest(): Promise<void> {
  await shop.emulate('/webhooks/flush', {})
  await until('the notifications are worked off', async () => {
    const waiting = await shop.db.sql`select 1 from webhook_events where processed_at is null`
    return waiting.length === 0
  })
  for (const minutes of [2, 6, 16, 61, 122, 183]) await reconcile(later(minutes))
}

const wallets = (orderId: number) =>
  shop.db.sql<{ id: string; state: string }[]>`select id, state from wallet_orders where order_id = ${orderId}
    order by revision`

describe('who was told that nothing was charged', () => {
  const refusals = ['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'TRANSACTION_REFUSED', 'PAYER_CANNOT_PAY']
  it.each(refusals)('P1 F12 at S11: is charged by nothing but another press (%s)', async (issue) => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', issue, times: 1 })
    expect(await shopper.page(await shopper.returnFromWallet(walletOrderId))).toContain('Nothing was charged')
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'pending', payment_state: 'pending' })

    const again = startedOf(await shopper.placeOrder())
    expect(again.orderId).toBe(orderId)
    await shopper.approve(again.walletOrderId)
    expect(await shopper.returnFromWallet(again.walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })

  it('F12 at S11: is told to finish the step at PayPal, not that the payment was declined, and counts as no failure', async () => {
    const shopper = aShopper()
    // More often than payments may fail before the next has to wait.
    for (let times = 0; times < 6; times += 1) {
      const { walletOrderId } = await shopper.startToPay()
      await shopper.approve(walletOrderId)
      await shop.emulate('/fault', { route: 'orders.capture', issue: 'PAYER_ACTION_REQUIRED', times: 1 })
      const page = await shopper.page(await shopper.returnFromWallet(walletOrderId))
      expect(page).toContain('please complete it at PayPal')
      expect(page).not.toContain('declined')
      expect(page).not.toContain('Too many payments')
    }
  })

  it('P1 F6 at S11: is not charged when the provider is back, and pays by the same approval with another press', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.get', status: 503, times: 9 })
    await shopper.returnFromWallet(walletOrderId)
    await shop.emulate('/faults/clear', {})
    const [{ told_no: told } = { told_no: false }] = await shop.db.sql<{ told_no: boolean }[]>`
      select told_no from wallet_orders where id = ${walletOrderId}`
    expect(told).toBe(true)
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toEqual([])
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })

  it('P1 F6 at S9: is not charged by an approval from the cart whose return the provider did not answer', async () => {
    const shopper = aShopper()
    const { walletOrderId } = await shopper.startExpress('CARD')
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.get', status: 503, times: 9 })
    await shopper.returnFromWallet(walletOrderId)
    await shop.emulate('/faults/clear', {})
    // The checkout's own button, without what was approved: it goes to the wallet, and asks there.
    await shopper.openCheckout()
    const again = startedOf(await shopper.placeOrder())
    expect(again.walletOrderId).not.toBe(walletOrderId)
    await expectNoOpenRequest()
    expect(await capturesFor(shop, again.orderId)).toEqual([])
  })

  it('P1 F22 at S7: is not charged by what was approved after the link that cancels', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shopper.request(`${urls.walletCancel()}?token=${walletOrderId}`)
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toEqual([])

    // Whoever goes to the wallet once more and never comes back is charged: a new approval was asked for.
    const again = startedOf(await shopper.placeOrder())
    expect(again.walletOrderId).not.toBe(walletOrderId)
    await shopper.approve(again.walletOrderId)
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toHaveLength(1)
  })

  it('P1 F14 at S9: whose payment a notification has taken before the link that cancels sees the confirmation', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    expect(await finishInBackground(shop.shop.application.tools, orderId, walletOrderId)).toMatchObject({ ok: true })
    const response = await shopper.request(`${urls.walletCancel()}?token=${walletOrderId}`)
    expect(response.headers.get('location')).toContain(`/order-received/${orderId}/`)
  })

  it('P1 F23 at S9: is not charged by what was approved for another total, long after', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    // The figures are held no longer, and the cart costs more by now.
    await shop.db.sql`update orders set updated_at = now() - interval '1 day' where id = ${orderId}`
    await shopper.add('MUG')
    expect(await shopper.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it.each<[string, (shopper: Shopper, order: { orderId: number; walletOrderId: string }) => Promise<unknown>]>([
    [
      'at the return',
      async (shopper, { walletOrderId }) =>
        expect(await shopper.page(await shopper.returnFromWallet(walletOrderId))).toContain('Nothing was charged'),
    ],
    [
      'where the order is paid by itself',
      async (_, { orderId }) =>
        expect(
          await payOrder(shop.shop.application.tools, orderId, { method: walletMethodId, seenTotal: null }),
        ).toMatchObject({ reason: 'payment', problem: 'stock' }),
    ],
  ])(
    'P4 F28 at S11: %s, that a product was sold meanwhile, is not charged when a piece comes back',
    async (_, told) => {
      const shopper = aShopper()
      const { orderId, walletOrderId } = await shopper.startToPay('BOWL')
      await shopper.approve(walletOrderId)
      const [bowl] = await shop.db.sql<{ id: number; stock_quantity: number }[]>`
      select id, stock_quantity from products where sku = 'BOWL'`
      await shop.db.sql`update products set stock_quantity = 0 where id = ${bowl?.id ?? 0}`
      await shop.db.sql`delete from stock_reservations where order_id = ${orderId}`
      await told(shopper, { orderId, walletOrderId })
      await shop.db.sql`update products set stock_quantity = ${bowl?.stock_quantity ?? 0} where id = ${bowl?.id ?? 0}`
      await expectNoOpenRequest()
      expect(await capturesFor(shop, orderId)).toEqual([])
    },
  )

  it('P1 F19 at S11: by another way to pay is not charged by the wallet that was approved before', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    // Approved in another tab; this one pays by a kept card that is not there.
    await shopper.openCheckout()
    const answer = await placeWith(shopper, cardMethodId, { [paymentFields(cardMethodId).kept]: '4711' })
    expect(answer.result).toBe('failure')
    expect(await orderOf(shop, orderId)).toMatchObject({ payment_method: cardMethodId, status: 'pending' })
    expect(await wallets(orderId)).toHaveLength(1)
    await expectNoOpenRequest()
    expect(await capturesFor(shop, orderId)).toEqual([])
  })
})

describe('an order that nobody comes back to', () => {
  it('F15 F12 at S11: has its bank asked once, and not again every hour', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', issue: 'INSTRUMENT_DECLINED', times: 9 })
    await expectNoOpenRequest()
    const attempts = await shop.db.sql`select 1 from payment_attempts where order_id = ${orderId} and step = 'capture'`
    expect(attempts).toHaveLength(1)
    expect(await wallets(orderId)).toHaveLength(1)
  })

  it('I4 F24 at S7: is looked at without holding its pieces or its prices for longer', async () => {
    const shopper = aShopper()
    const { orderId } = await shopper.startToPay('BOWL')
    const before = await shop.db.sql`select updated_at, (select max(expires_at) from stock_reservations
      where order_id = orders.id) as held from orders where id = ${orderId}`
    for (const minutes of [2, 6, 16]) await reconcile(later(minutes))
    const after = await shop.db.sql`select updated_at, (select max(expires_at) from stock_reservations
      where order_id = orders.id) as held from orders where id = ${orderId}`
    expect([...after]).toEqual([...before])
    await cancelAbandoned(later(31))
    expect(await orderOf(shop, orderId)).toMatchObject({ status: 'cancelled' })
    expect(await invariants(shop)).toEqual([])
  })
})

describe('a return from the wallet in a browser that began nothing', () => {
  it('P1 F23 at S9: is told of a payment that is looked at, and of nothing charged where nobody knows it', async () => {
    const shopper = aShopper()
    const { walletOrderId } = await shopper.startToPay()
    await shopper.approve(walletOrderId)
    const stranger = aShopper()
    const told = async (id: string) => {
      const page = await stranger.page(await stranger.returnFromWallet(id))
      expect(page).not.toContain(shopper.email)
      return /<ul class="woocommerce-error"[^>]*>(.*?)<\/ul>/.exec(page)?.[1]?.replace(/<[^>]*>/g, '')
    }
    expect(await told(walletOrderId)).toBe(
      'If you approved a payment, it is being checked, and you will get an email. Please do not pay again.',
    )
    expect(await told('0AB12345CD678901E')).toBe('This payment does not belong to your cart. Nothing was charged.')
  })
})
