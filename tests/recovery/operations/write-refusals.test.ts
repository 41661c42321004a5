import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { reasons, refuseWrites as refuse, takeWrites as take } from '#tests/recovery/fixtures/write-refusals.ts'
import { keysIn, viewCart } from '#tests/support/cart/cart.ts'
import { invariants, theOneOrder, theSale } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
  await shop.db.sql`insert into coupons (code, type, amount_minor, settings) values ('five', 'fixed_cart', 500, '{}')`
  await shop.emulate('/webhooks/hold', { on: true })
})
afterAll(() => shop?.close())

const refuseWrites = (sqlState: string, tables?: readonly string[]) => refuse(shop.db, sqlState, tables)
const takeWrites = () => take(shop.db)
afterEach(takeWrites)

type Scene = { press: (shopper: Shopper) => Promise<Response>; holds: (shopper: Shopper) => Promise<void> }

const cartForm = (fields: Record<string, string>) => async (shopper: Shopper) => {
  const html = await shopper.page(urls.cart())
  const nonce = /name="woocommerce-cart-nonce"[^>]*value="([0-9a-f]{10})"/.exec(html)?.[1] ?? ''
  const [key = ''] = keysIn(html)
  const named = Object.entries(fields).map(([name, value]) => [name.replace('KEY', key), value])
  return shopper.post(urls.cart(), { 'woocommerce-cart-nonce': nonce, ...Object.fromEntries(named) })
}
const total = (wanted: string) => async (shopper: Shopper) => {
  expect((await viewCart(shopper)).total).toBe(wanted)
}

async function submit(shopper: Shopper, method: string): Promise<Response> {
  await shopper.openCheckout()
  return shopper.post(urls.wcAjax('checkout'), shopper.form(method))
}

const scenes: [string, Scene][] = [
  [
    'F5 at S1: adding to the cart',
    {
      press: async (shopper) =>
        shopper.post(urls.wcAjax('add_to_cart'), { product_id: String(await shop.idOf('BOWL')), quantity: '1' }),
      holds: async (shopper) =>
        expect((await viewCart(shopper)).lines).toEqual(['Plain mug \u00d7 1', 'Soup bowl \u00d7 1']),
    },
  ],
  [
    'F5 at S2: another quantity',
    { press: cartForm({ update_cart: '1', 'cart[KEY][qty]': '2' }), holds: total('$32.64') },
  ],
  ['F5 at S3: a coupon', { press: cartForm({ apply_coupon: '1', coupon_code: 'five' }), holds: total('$14.41') }],
  [
    'F5 at S4: another way of shipping',
    { press: cartForm({ update_shipping: '1', 'shipping_method[0]': 'flat_rate:2' }), holds: total('$27.87') },
  ],
  [
    'F5 at S5 and S10: placing the order',
    {
      press: (shopper) => submit(shopper, 'cod'),
      holds: async ({ email }) => {
        const orders = await shop.db.sql<{ id: number }[]>`select id from orders where billing ->> 'email' = ${email}`
        expect(orders).toHaveLength(1)
        await theSale(shop, orders[0]?.id ?? 0)
      },
    },
  ],
]

let shoppers = 0

describe('a database that takes nothing', () => {
  it.each(scenes)(
    '%s is answered with 503 and when to come back, does nothing, and works afterwards',
    async (_, scene) => {
      const shopper = new Shopper(shop, `troubled-${++shoppers}`)
      await shopper.add('MUG')
      const before = (await viewCart(shopper)).html
      for (const reason of reasons) {
        await refuseWrites(reason)
        const answer = await scene.press(shopper)
        expect([answer.status, answer.headers.get('retry-after')], reason).toEqual([503, '5'])
        await answer.body?.cancel()
        await takeWrites()
      }
      expect((await viewCart(shopper)).lines).toEqual(['Plain mug \u00d7 1'])
      expect(before).toContain('Plain mug')
      expect((await scene.press(shopper)).status).toBeLessThan(400)
      await scene.holds(shopper)
      expect(await invariants(shop)).toEqual([])
    },
  )

  it('F5 at S6, S9 and S11: on the way to the wallet and back, and the order is paid once', async () => {
    const shopper = new Shopper(shop, 'troubled-payer')
    await shopper.add('MUG')
    await shopper.openCheckout()
    const started = startedOf(await shopper.placeOrder())
    for (const reason of reasons) {
      await refuseWrites(reason)
      expect((await submit(shopper, 'ppcp')).status, reason).toBe(503)
      await takeWrites()
    }
    expect(startedOf(await shopper.placeOrder())).toEqual(started)
    await shopper.approve(started.walletOrderId)
    const back = `${urls.walletReturn()}?token=${started.walletOrderId}&PayerID=X`
    for (const reason of reasons) {
      await refuseWrites(reason)
      const answer = await shopper.request(back)
      expect([answer.status, answer.headers.get('retry-after')], reason).toEqual([503, '5'])
      await takeWrites()
    }
    expect(await shopper.returnFromWallet(started.walletOrderId)).toContain(`/order-received/${started.orderId}/`)
    await theOneOrder(shop, started.orderId)
  })

  it.each(reasons)(
    'F5 at S12 and S13: where the money is taken and cannot be written down (%s), the repeat does it',
    async (reason) => {
      const shopper = new Shopper(shop, `troubled-${++shoppers}`)
      const { orderId, walletOrderId } = await shopper.startToPay()
      await shopper.approve(walletOrderId)
      await refuseWrites(reason, ['captures'])
      const answer = await shopper.request(`${urls.walletReturn()}?token=${walletOrderId}&PayerID=X`)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
      await takeWrites()
      expect(await shopper.returnFromWallet(walletOrderId)).toContain(`/order-received/${orderId}/`)
      await theOneOrder(shop, orderId)
    },
  )
})
