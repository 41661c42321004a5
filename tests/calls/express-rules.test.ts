import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletMethodId } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { capturesFor, once } from '#tests/recovery/bookkeeping.ts'
import { submitCart, viewCart } from '#tests/support/cart.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
  await shop.db.sql`
    insert into coupons (code, type, amount_minor, settings)
    values ('friends', 'fixed_cart', 500, '{"emails":["*@friends.example"]}')`
})
afterAll(() => shop?.close())

async function orderOf({ db }: TestShop, walletOrderId: string) {
  const [order] = await db.sql<{ id: number; customer_id: number | null; payment_state: string; billing: object }[]>`
    select o.id, o.customer_id, o.payment_state, o.billing from orders o join wallet_orders w on w.order_id = o.id
    where w.id = ${walletOrderId}`
  if (!order) throw new Error(`nothing was begun by ${walletOrderId}`)
  return order
}

describe('a coupon for some alone', once, () => {
  it('COUP-01 comes off where the wallet’s owner is none of them, and nothing is charged before that is seen', async () => {
    const eve = new Shopper(shop, 'eve')
    await eve.add('BOWL')
    await eve.openCheckout()
    // The address of a friend, until the coupon lies in the cart and the wallet is open.
    const typed = (billing_email: string) =>
      eve.post(urls.checkout(), { ...eve.form(walletMethodId), billing_email, woocommerce_checkout_update_totals: '1' })
    await typed('ann@friends.example')
    expect((await submitCart(eve, { coupon_code: 'friends', apply_coupon: 'Apply coupon' })).coupons).toEqual([
      'friends',
    ])
    const { walletOrderId } = await eve.startExpress()
    await typed('eve@elsewhere.example')
    await eve.approve(walletOrderId)

    expect(await eve.comeBack(walletOrderId)).toContain(urls.checkout())
    expect(await capturesFor(shop, (await orderOf(shop, walletOrderId)).id)).toEqual([])
    const page = await eve.page(urls.checkout())
    expect(page).toContain('Coupon “friends” cannot be used with this e-mail address. It was removed from your cart.')
    expect(page).toContain('Nothing was charged')
    expect((await viewCart(eve)).coupons).toEqual([])
  })
})
