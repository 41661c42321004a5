import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { productsCommand } from '#cli/catalog/products.ts'
import { settingsCommand } from '#cli/operations/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import { transitionOrder } from '#shop/orders/transition-by-merchant.ts'
import { keysIn, submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { mailTo } from '#tests/support/customers/customer.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { reconfigured } from '#tests/support/process/reload-configuration.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await desk('publish', 'MUG', 'LAST')
  // What earlier tests have left on the way to the wallet would be held for half an hour.
  await shop.db.sql`delete from stock_reservations`
  await count('LAST', 3)
})

async function desk(...words: string[]): Promise<void> {
  const { code, err } = await runCommand(productsCommand, shop.db, ...words)
  if (code !== 0) throw new Error(`the desk refuses "${words.join(' ')}": ${err}`)
}
const hide = (sku: string) => desk('hide', sku)
const count = (sku: string, pieces: number) => desk('stock', sku, '--count', String(pieces))

let shoppers = 0
const aShopper = () => new Shopper(shop, `late-${++shoppers}`)

/** Somebody on the checkout page with this in the cart. */
async function atCheckout(sku: string): Promise<Shopper> {
  const shopper = aShopper()
  await shopper.add(sku)
  await shopper.openCheckout()
  return shopper
}

const walletOrders = async () => (await providerLedger(shop)).orders.length

/** Nothing was taken for any order of this shopper, and what they read says that it is no longer to be had. */
async function expectNoCapture(orderId: number): Promise<void> {
  expect(await capturesFor(shop, orderId)).toEqual([])
  expect((await orderOf(shop, orderId)).paid_at).toBeNull()
}

const gone = /no longer|sold|out of stock|not available|cannot be purchased|expired|is empty|Nothing was charged|left/i

describe('what is sold out or taken off the shelf before it is paid', () => {
  it.each([
    ['sold out', 'LAST', () => count('LAST', 0)],
    ['taken off the shelf', 'MUG', () => hide('MUG')],
  ] as const)('F25 at S1: what was %s is not put into a cart', async (_, sku, end) => {
    await end()
    await expect(aShopper().add(sku)).rejects.toThrow('does not sell')
  })

  it('F25 at S2 and S3: a cart says what it has lost, whatever is sent with it', async () => {
    await shop.db.sql`insert into coupons (code, type, amount_minor, settings) values ('five', 'fixed_cart', 500, '{}')
      on conflict do nothing`
    const shopper = aShopper()
    await shopper.add('MUG')
    await shopper.add('LAST')
    const [mug = '', teapot = ''] = keysIn((await viewCart(shopper)).html)
    await hide('MUG')
    await count('LAST', 1)
    expect((await viewCart(shopper)).errors.join(' ')).toContain('Plain mug')
    const fields = { [`cart[${mug}][qty]`]: '2', [`cart[${teapot}][qty]`]: '2', update_cart: 'Update cart' }
    const changed = await submitCart(shopper, fields)
    expect(changed.lines).toEqual(['Last teapot × 1'])
    expect(changed.errors.join(' ')).toContain('Last teapot')

    await hide('LAST')
    expect((await viewCart(shopper)).errors.join(' ')).toContain('Last teapot')
    const discounted = await submitCart(shopper, { coupon_code: 'five', apply_coupon: 'Apply coupon' })
    expect(discounted).toMatchObject({ isEmpty: true, coupons: [] })
  })

  it.each([
    ['sold out', 'LAST', () => count('LAST', 0)],
    ['taken off the shelf', 'MUG', () => hide('MUG')],
  ] as const)(
    'F25 at S4 and S5: a checkout with something that was %s says so, and no order is placed',
    async (_, sku, end) => {
      const shopper = await atCheckout(sku)
      const before = await walletOrders()
      await end()
      const form = { ...shopper.form('ppcp'), 'shipping_method[0]': 'flat_rate:2' }
      await shopper.post(urls.checkout(), { ...form, woocommerce_checkout_update_totals: '1' })
      const answer = await shopper.placeOrder()
      expect(answer.result).toBe('failure')
      expect(answer.messages).toMatch(gone)
      expect(await walletOrders()).toBe(before)
    },
  )

  it('F25 at S6: who goes to the wallet a second time is told instead of sent', async () => {
    const shopper = await atCheckout('MUG')
    const { orderId } = startedOf(await shopper.placeOrder())
    const before = await walletOrders()
    await hide('MUG')
    const answer = await shopper.placeOrder()
    expect(answer.result).toBe('failure')
    expect(answer.messages).toMatch(gone)
    expect(await walletOrders()).toBe(before)
    await expectNoCapture(orderId)
  })

  it('F25 at S7: what is taken off the shelf while the shopper approves is not paid for, and the shop says so', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    await hide('MUG')
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await shopper.page(urls.cart())).toMatch(gone)
    await expectNoCapture(orderId)
  })

  it('F25 at S8 and S9: from the cart, another way of shipping is refused and the return takes nothing', async () => {
    const shopper = await atCheckout('MUG')
    await shopper.post(urls.checkout(), { ...shopper.form('ppcp'), woocommerce_checkout_update_totals: '1' })
    const opened = await shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const row = await shop.db.kysely
      .selectFrom('wallet_orders')
      .select('order_id')
      .where('id', '=', walletOrderId)
      .executeTakeFirstOrThrow()
    await hide('MUG')
    const asked = {
      payment_method: 'ppcp',
      order_id: walletOrderId,
      shipping_method: '0:flat_rate:2',
      address: { city: 'San Jose', state: 'CA', postcode: '95131', country: 'US' },
    }
    expect((await shopper.rest('cart/shipping', asked)).status).toBe(404)
    await shopper.approve(walletOrderId)
    expect(await shopper.returnFromWallet(walletOrderId)).not.toContain('order-received')
    expect(await shopper.page(urls.cart())).toMatch(gone)
    await expectNoCapture(row.order_id)
  })

  it('F25 at S10: the form that follows the approval says so, and takes nothing', async () => {
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('MUG')
    await shopper.approve(walletOrderId)
    await hide('MUG')
    const answer = await shopper.placeOrder('ppcp', walletOrderId)
    expect(answer.result).toBe('failure')
    expect(answer.messages).toMatch(gone)
    await expectNoCapture(orderId)
  })

  it('F25 at S10: what is held for an order is sold to it, though the shelf is empty for everybody else', async () => {
    const shopper = aShopper()
    await count('LAST', 1)
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    const other = await (await atCheckout('LAST')).placeOrder()
    expect(other.messages).toMatch(gone)
    await shopper.approve(walletOrderId)
    expect((await shopper.placeOrder('ppcp', walletOrderId)).redirect).toContain(`/order-received/${orderId}/`)
    await theOneOrder(shop, orderId)
  })

  it('F25 at S11: an order whose product was taken off the shelf is not paid on a page of its own either', async () => {
    const shopper = aShopper()
    const { orderId } = await shopper.startToPay('MUG')
    const { key } = await orderOf(shop, orderId)
    await hide('MUG')
    const page = await shopper.page(urls.orderPay(orderId, key))
    expect(page).toContain('we no longer have enough of “Plain mug”')
    const paid = await shopper.post(urls.orderPay(orderId, key), { payment_method: 'ppcp', ...shopper.form('ppcp') })
    expect(paid.headers.get('location') ?? '').not.toContain('token=')
    await expectNoCapture(orderId)
  })
})

describe('what is found to be sold out when the money was taken', () => {
  /** Pays while somebody at the desk counts the pieces away. @returns where the shopper was sent, and the order's number */
  async function paidTooLate() {
    await count('LAST', 1)
    const shopper = aShopper()
    const { orderId, walletOrderId } = await shopper.startToPay('LAST')
    await shopper.approve(walletOrderId)
    await shop.emulate('/fault', { route: 'orders.capture', delay: 2_500 })
    const paying = shopper.returnFromWallet(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state === 'authorising')
    await count('LAST', 0)
    return { shopper, orderId, place: await paying }
  }
  const notes = async (orderId: number) => {
    const rows = await shop.db.kysely.selectFrom('order_notes').select('note').where('order_id', '=', orderId).execute()
    return rows.map(({ note }) => note).join('\n')
  }

  it('P4 F25 at S11: all of it goes back by itself, once, and the shopper is told', async () => {
    const { shopper, orderId, place } = await paidTooLate()
    expect(place).toContain(`/order-received/${orderId}/`)
    expect(await shopper.page(place)).toMatch(/you will get your money back|This order was canceled/)
    const order = await until('the money is back', async () => {
      const row = await orderOf(shop, orderId)
      return row.payment_state === 'refunded' && row
    })
    expect(order).toMatchObject({ status: 'cancelled', attention: null, stock_reduced: false })
    expect(await capturesFor(shop, orderId)).toMatchObject([{ status: 'REFUNDED' }])
    const refunds = await shop.db.kysely.selectFrom('refunds').selectAll().where('order_id', '=', orderId).execute()
    expect(refunds).toMatchObject([{ state: 'done', by_provider: true, amount: order.total }])
    expect(await notes(orderId)).toMatch(/out of stock since: Last teapot/)
    await mailTo(shop, shopper.email, /refund/i)
    expect(await invariants(shop)).toEqual([])
  })

  it('P4 F25 at S11: while the provider cannot be reached the order waits in sight, and the money goes back later', async () => {
    await shop.emulate('/fault', { route: 'captures.refund', status: 503, times: 4 })
    const { orderId } = await paidTooLate()
    await until(
      'the money is back',
      async () => {
        const { payment_state: state } = await orderOf(shop, orderId)
        expect(['attention', 'refunded']).toContain(state)
        return state === 'refunded'
      },
      60_000,
    )
    const refunds = await shop.db.kysely.selectFrom('refunds').selectAll().where('order_id', '=', orderId).execute()
    expect(refunds.filter(({ state }) => state === 'done')).toHaveLength(1)
    expect(await invariants(shop)).toEqual([])
  })

  it('P4 F25 at S11: by the setting for back-orders it is paid, and its pieces are taken once they are there', async () => {
    await runCommand(settingsCommand, shop.db, 'soldOutAfterPayment', '"back-order"')
    await reconfigured(shop)
    const { orderId, place } = await paidTooLate()
    expect(place).toContain(`/order-received/${orderId}/`)
    const order = await orderOf(shop, orderId)
    expect(order).toMatchObject({ status: 'processing', payment_state: 'paid', stock_reduced: false })
    expect(await notes(orderId)).toMatch(/to be delivered later: Last teapot/)
    await mailTo(shop, 'owner@example.test', /backorder|back-order/i)
    expect(await invariants(shop)).toEqual([])

    const { tools } = shop.shop.application
    expect(await transitionOrder(tools, orderId, { to: 'completed' })).toEqual({ ok: false, reason: 'sold-out' })
    await count('LAST', 2)
    expect((await transitionOrder(tools, orderId, { to: 'completed' })).ok).toBe(true)
    expect((await orderOf(shop, orderId)).stock_reduced).toBe(true)
    const [row] = await shop.db.sql`select stock_quantity from products where sku = 'LAST'`
    expect(row?.stock_quantity).toBe(1)
    expect(await invariants(shop)).toEqual([])
  })
})
