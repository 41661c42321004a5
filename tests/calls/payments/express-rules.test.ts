import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { walletMethodId, walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { submitCart, viewCart } from '#tests/support/cart/cart.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import { capturesFor } from '#tests/support/payments/bookkeeping.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

let shop: TestShop
let members: TestShop
let closed: TestShop
/** An address changes no total here. */
let untaxed: TestShop
let domestic: TestShop
beforeAll(async () => {
  ;[shop, members, closed, untaxed, domestic] = await Promise.all([
    aShop(),
    aShop({ settings: { accounts: { guestCheckout: false } } }),
    aShop({ settings: { accounts: { guestCheckout: false, registrationAtCheckout: false } } }),
    aShop({ settings: { taxes: { enabled: false } } }),
    aShop({ settings: { sellTo: ['US'] } }),
  ])
  await shop.db.sql`
    insert into coupons (code, type, amount_minor, settings)
    values ('friends', 'fixed_cart', 500, '{"emails":["*@friends.example"]}')`
})
afterAll(() => Promise.all([shop, members, closed, untaxed, domestic].map((one) => one?.close())))

async function orderOf({ db }: TestShop, walletOrderId: string) {
  const [order] = await db.sql<{ id: number; customer_id: number | null; payment_state: string; billing: object }[]>`
    select o.id, o.customer_id, o.payment_state, o.billing from orders o join wallet_orders w on w.order_id = o.id
    where w.id = ${walletOrderId}`
  if (!order) throw new Error(`nothing was begun by ${walletOrderId}`)
  return order
}

describe('the wallet’s own button where guests may not buy', () => {
  it('CHK-10 asks for an account once the wallet was approved, and charges with the order that opens it', async () => {
    const ida = new Shopper(members, 'ida')
    const { walletOrderId } = await ida.startExpress()
    await ida.approve(walletOrderId)
    const review = await ida.returnFromWallet(walletOrderId)
    expect(review).toContain(urls.checkout())
    const { id, payment_state } = await orderOf(members, walletOrderId)
    expect([payment_state, await capturesFor(members, id)]).toEqual(['pending', []])
    expect(await ida.page(review)).toContain('an order requires an account here')
    // However often it is sent back.
    expect(await ida.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    expect(await capturesFor(members, id)).toEqual([])

    await ida.openCheckout()
    const place = async (more: Record<string, string>) => {
      const fields = { ...ida.form(walletMethodId), [walletOrderField]: walletOrderId, ...more }
      return (await (await ida.post(urls.wcAjax('checkout'), fields)).json()) as CheckoutAnswer
    }
    expect((await place({})).messages).toContain('data-id="account_password"')
    const answer = await place({ account_password: goodPassword })
    expect(answer.result, answer.messages).toBe('success')
    const placed = await orderOf(members, walletOrderId)
    expect([placed.payment_state, typeof placed.customer_id]).toEqual(['paid', 'number'])
    expect(await capturesFor(members, id)).toHaveLength(1)
  })

  it('CHK-10 is not opened where one must log in first, and says so', async () => {
    const ida = new Shopper(closed, 'ida')
    await ida.add('MUG')
    const response = await ida.post(urls.walletStart(), {})
    expect(response.headers.get('location')).toBe(urls.cart())
    expect(await ida.page(urls.cart())).toContain('You must be logged in to place an order.')
    expect(await closed.db.sql`select id from orders`).toEqual([])
  })
})

describe('a coupon for some alone', () => {
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

    expect(await eve.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    expect(await capturesFor(shop, (await orderOf(shop, walletOrderId)).id)).toEqual([])
    const page = await eve.page(urls.checkout())
    expect(page).toContain('Coupon “friends” cannot be used with this email address. It was removed from your cart.')
    expect(page).toContain('Nothing was charged')
    expect((await viewCart(eve)).coupons).toEqual([])
  })
})

describe('a coupon that waits for an email address', () => {
  it('COUP-01 is decided by that of the wallet, before anything is charged', async () => {
    const eve = new Shopper(shop, 'eve-waits')
    await eve.add('MUG')
    const cart = await submitCart(eve, { coupon_code: 'friends', apply_coupon: 'Apply coupon' })
    expect(cart.coupons).toEqual(['friends'])
    const { walletOrderId } = await eve.startExpress()
    await eve.approve(walletOrderId)
    expect(await eve.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    expect(await capturesFor(shop, (await orderOf(shop, walletOrderId)).id)).toEqual([])
    const page = await eve.page(urls.checkout())
    expect(page).toContain('Coupon “friends” cannot be used with this email address. It was removed from your cart.')
    expect((await viewCart(eve)).coupons).toEqual([])
  })
})

describe('a wallet without an address', () => {
  it('ADDR-07 P5 buys nothing that is sent before the checkout’s form has one, whatever page its buyer claims to come from', async () => {
    const ada = new Shopper(untaxed, 'ada')
    const { walletOrderId } = await ada.startExpress()
    await ada.approve(walletOrderId, 'noaddress')
    const { id } = await orderOf(untaxed, walletOrderId)
    for (const context of ['cart', 'order_pay']) {
      const fields = { payment_method: walletMethodId, context, [walletOrderField]: walletOrderId }
      const answer = (await (await ada.rest('cart/checkout', fields)).json()) as CheckoutAnswer
      expect(answer.redirect, context).toContain('_ppcp_order_review=')
      expect(await capturesFor(untaxed, id), context).toEqual([])
      expect(await ada.page(answer.redirect ?? '')).toContain('Please enter an address to continue.')
    }

    await ada.openCheckout()
    const answer = await ada.placeOrder(walletMethodId, walletOrderId)
    expect(answer.result, answer.messages).toBe('success')
    const [order] = await untaxed.db.sql<{ payment_state: string; shipping: { address_1: string } }[]>`
      select payment_state, shipping from orders where id = ${id}`
    expect([order?.payment_state, order?.shipping.address_1]).toEqual(['paid', '1 Main Street'])
  })
})

describe('an address that was typed before', () => {
  it('P5 T2 taxes nothing in another state than the wallet sends it to, however alike the two addresses are', async () => {
    const eve = new Shopper(shop, 'eve')
    await eve.add('MUG')
    await eve.openCheckout()
    const typed = {
      address_1: '12 Garden Street',
      address_2: 'Flat 3',
      city: 'San Jose',
      postcode: '95131',
      state: 'NV',
    }
    const fields = Object.entries(typed).map(([key, value]) => [`billing_${key}`, value])
    const form = { ...eve.form(walletMethodId), ...Object.fromEntries(fields) }
    await eve.post(urls.checkout(), { ...form, woocommerce_checkout_update_totals: '1' })
    const started = await eve.post(urls.walletStart(), {})
    const walletOrderId = new URL(started.headers.get('location') ?? '').searchParams.get('token') ?? ''
    await eve.approve(walletOrderId)
    expect(await eve.returnFromWallet(walletOrderId)).toContain(urls.checkout())
    expect(await capturesFor(shop, (await orderOf(shop, walletOrderId)).id)).toEqual([])
  })
})

describe('a wallet from a country that nothing is sold to', () => {
  it('ADDR-07 buys nothing, not even what is not sent', async () => {
    const pia = new Shopper(domestic, 'pia')
    const { walletOrderId } = await pia.startExpress('CARD')
    await pia.approve(walletOrderId, 'abroad')
    expect(await pia.returnFromWallet(walletOrderId)).toBe(urls.checkout())
    expect(await capturesFor(domestic, (await orderOf(domestic, walletOrderId)).id)).toEqual([])
    expect(await pia.page(urls.checkout())).toContain('We do not sell to Greenland.')
  })
})
