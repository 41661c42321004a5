import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { walletOrderField } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { express, orderOfWalletOrder } from '#tests/recovery/fixtures/wallet-window.ts'
import { viewCart } from '#tests/support/cart/cart.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import {
  capturesFor,
  invariants,
  orderOf,
  providerLedger,
  theOneOrder,
  until,
} from '#tests/support/payments/bookkeeping.ts'
import { aLoggedInCustomer } from '#tests/support/payments/saved-methods.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper, startedOf } from '#tests/support/shopper.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop()
  await aLoggedInCustomer(shop, 'eve')
})
afterAll(() => shop.close())
// So many accounts from one address in so short a time are tried out by machines.
beforeEach(() => shop.db.sql`delete from rate_limits`)

const nonce = (shopper: Shopper, action: string) => {
  const { application } = shop.shop
  const token = shopper.cookie(application.sessionCookie) ?? ''
  return nonceFor(application.secret, action, token === '' ? '' : sha256(token), application.tools.clock.now())
}

/** What another tab of the same browser does: under the same cookies, while this tab keeps the form that it has. */
async function logIn(shopper: Shopper, email: string): Promise<void> {
  const answer = await shopper.post(urls.account(), {
    username: email,
    password: goodPassword,
    login: 'Log in',
    'woocommerce-login-nonce': nonce(shopper, 'woocommerce-login'),
  })
  expect(answer.status, 'the login').toBe(303)
}

async function logOut(shopper: Shopper): Promise<void> {
  await shopper.request(`/my-account/customer-logout/?_wpnonce=${nonce(shopper, 'customer-logout')}`)
  expect(await shopper.page(urls.account()), 'the logout').toContain('id="customer_login"')
}

async function expire(shopper: Shopper): Promise<void> {
  const token = shopper.cookie(shop.shop.application.sessionCookie) ?? ''
  const ended = await shop.db.sql`
    update sessions set expires_at = now() - interval '1 minute' where id = ${sha256(token)} returning id`
  expect(ended).toHaveLength(1)
}

const idOf = async (email: string) => {
  const [row] = await shop.db.sql<{ id: number }[]>`select id from customers where email = ${email}`
  return row?.id ?? 0
}

let shoppers = 0
/** A customer whose name, street and address occur nowhere else, with a mug in the cart and the checkout open. */
async function aCustomerAtCheckout() {
  const name = `ada-${++shoppers}`
  const shopper = await aLoggedInCustomer(shop, name)
  const secrets = [`${name}@`, `Street of ${name}`]
  await shopper.add('MUG')
  await shopper.openCheckout()
  const form = (fields: Record<string, string> = {}) => ({
    ...shopper.form('ppcp'),
    billing_address_1: `Street of ${name}`,
    ...fields,
  })
  const press = async (fields: Record<string, string> = {}) =>
    (await (await shopper.post(urls.wcAjax('checkout'), form(fields))).json()) as CheckoutAnswer
  /** Nothing of hers is on any page that this browser is shown from now on. */
  const hidden = async (...also: string[]) => {
    const pages = await Promise.all([urls.cart(), urls.checkout(), urls.account()].map((path) => shopper.page(path)))
    for (const text of [...pages, ...also]) for (const secret of secrets) expect(text).not.toContain(secret)
  }
  return { shopper, email: shopper.email, press, form, hidden }
}
type Somebody = Awaited<ReturnType<typeof aCustomerAtCheckout>>

const events: [string, (one: Somebody) => Promise<void>][] = [
  ['logged out', ({ shopper }) => logOut(shopper)],
  [
    'logged in as somebody else',
    async ({ shopper }) => {
      await logOut(shopper)
      await logIn(shopper, 'eve@example.test')
    },
  ],
  ['forgotten by the shop', ({ shopper }) => expire(shopper)],
]

/** The order is its customer's for good, and paid once: the provider told of the approval, whoever came back. */
async function hers(one: Somebody, orderId: number): Promise<void> {
  const order = await theOneOrder(shop, orderId)
  expect(order.customer_id).toBe(await idOf(one.email))
  const back = new Shopper(shop, 'on-another-device')
  await logIn(back, one.email)
  expect(await back.page(urls.viewOrder(orderId))).toContain(`Street of ${one.email.split('@')[0]}`)
  expect((await viewCart(back)).lines, 'bought once, and gone from the cart').toEqual([])
}

const ordersOf = (email: string) =>
  shop.db.sql`select id from orders where billing ->> 'email' = ${email} and payment_method = 'ppcp'`

describe.each(events)('a checkout in a tab whose visitor was %s by another tab', (_, happen) => {
  it('F23 at S4 to S6: the form places no order for anybody, and shows nothing of whoever filled it', async () => {
    const one = await aCustomerAtCheckout()
    await one.shopper.post(urls.checkout(), one.form({ woocommerce_checkout_update_totals: '1' }))
    const { orders } = await providerLedger(shop)
    await happen(one)
    const shipping = await one.shopper.post(
      urls.wcAjax('update_order_review'),
      one.form({ 'shipping_method[0]': 'flat_rate:2' }),
    )
    const answer = await one.press()
    expect(answer.result).toBe('failure')
    await one.hidden(await shipping.text(), answer.messages ?? '')
    expect(await ordersOf(one.email)).toHaveLength(0)
    expect((await providerLedger(shop)).orders).toHaveLength(orders.length)
    // What she had is hers still, once.
    const back = new Shopper(shop, 'on-another-device')
    await logIn(back, one.email)
    expect((await viewCart(back)).lines).toEqual(['Plain mug × 1'])
  })

  it('F23 at S7 and S9: the way back from the wallet shows nothing of hers, and the order is hers and paid once', async () => {
    const one = await aCustomerAtCheckout()
    const { orderId, walletOrderId } = startedOf(await one.press())
    await happen(one)
    await one.shopper.approve(walletOrderId)
    const place = await one.shopper.returnFromWallet(walletOrderId)
    expect(place).not.toContain('order-received')
    await one.hidden(await one.shopper.page(place))
    await hers(one, orderId)
  })

  it('F23 at S8: another way of shipping is refused to whoever did not open the wallet', async () => {
    const one = await aCustomerAtCheckout()
    const opened = await one.shopper.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId, amount } = await orderOfWalletOrder(shop, walletOrderId)
    await happen(one)
    const answer = await one.shopper.rest('cart/shipping', express(walletOrderId))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    await one.hidden(await answer.text())
    expect((await orderOfWalletOrder(shop, walletOrderId)).amount).toBe(amount)
    expect(await orderOf(shop, orderId)).toMatchObject({ total: amount, customer_id: await idOf(one.email) })
    expect(await capturesFor(shop, orderId)).toEqual([])
  })

  it('F23 at S10: the form with the approved payment is answered by nothing of hers, and the order stays hers', async () => {
    const one = await aCustomerAtCheckout()
    const { orderId, walletOrderId } = startedOf(await one.press())
    await one.shopper.approve(walletOrderId)
    await happen(one)
    const answer = await one.press({ [walletOrderField]: walletOrderId })
    expect(answer.redirect ?? '').not.toContain('order-received')
    await one.hidden(answer.messages ?? '')
    await hers(one, orderId)
  })

  it('F23 at S11 to S13: what happens while the money is taken changes nothing of whose order it is', async () => {
    const one = await aCustomerAtCheckout()
    const { orderId, walletOrderId } = startedOf(await one.press())
    await shop.emulate('/fault', { route: 'orders.capture', delay: 700 })
    await one.shopper.approve(walletOrderId)
    // Its answer is under way to a browser that has changed hands: what it leads to asks who is there.
    const paying = one.shopper.anotherTab().returnFromWallet(walletOrderId)
    await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state !== 'pending')
    await happen(one)
    const place = await paying
    await one.hidden(await one.shopper.page(place))
    await hers(one, orderId)
  })
})

describe('a guest’s checkout, logged in by another tab', () => {
  /** A guest at the checkout with a mug; the account has a gift card in its saved cart, and an address. */
  async function aGuestWithAccount() {
    const account = await aLoggedInCustomer(shop, `kim-${++shoppers}`)
    await account.add('CARD')
    const guest = new Shopper(shop, `kim-${shoppers}`)
    await guest.add('MUG')
    await guest.openCheckout()
    return { guest, email: account.email }
  }
  const merged = ['Gift card × 1', 'Plain mug × 1']

  it('F23 at S4 to S6: the carts become one, once, and the form is looked at again before it orders both', async () => {
    const { guest, email } = await aGuestWithAccount()
    await logIn(guest, email)
    const stale = await guest.placeOrder('cod')
    expect([stale.result, stale.redirect]).toEqual(['failure', undefined])
    expect((await viewCart(guest)).lines).toEqual(merged)
    await logIn(guest, email)
    expect((await viewCart(guest)).lines, 'logged in twice').toEqual(merged)
    await guest.openCheckout()
    const { order_id: id = 0 } = await guest.placeOrder('cod')
    expect((await orderOf(shop, id)).customer_id).toBe(await idOf(email))
    expect((await viewCart(guest)).lines).toEqual([])
  })

  it.each([
    ['F23 at S7: between the wallet and the approval', true],
    ['F23 at S9: between the approval and the return', false],
  ])('%s: the order goes along with its shopper and is paid once', async (_, before) => {
    const { guest, email } = await aGuestWithAccount()
    const { orderId, walletOrderId } = startedOf(await guest.placeOrder())
    if (before) await logIn(guest, email)
    await guest.approve(walletOrderId)
    if (!before) await logIn(guest, email)
    const place = await guest.returnFromWallet(walletOrderId)
    expect(place).toContain(`/order-received/${orderId}/`)
    expect(await guest.page(place)).toContain('Plain mug')
    await theOneOrder(shop, orderId)
    expect((await viewCart(guest)).lines).not.toContain('Plain mug × 1')
  })

  it('F23 at S8: in the wallet’s window the way of shipping can be chosen as before', async () => {
    const { guest, email } = await aGuestWithAccount()
    const opened = await guest.rest('cart/order', { payment_method: 'ppcp', context: 'cart' })
    const walletOrderId = String(await opened.json())
    const { orderId } = await orderOfWalletOrder(shop, walletOrderId)
    await logIn(guest, email)
    const answer = await guest.rest('cart/shipping', express(walletOrderId))
    const { amount } = await orderOfWalletOrder(shop, walletOrderId)
    // Worked out for the cart as it is now, or refused; never another total than the wallet's.
    expect([200, 404]).toContain(answer.status)
    expect((await orderOf(shop, orderId)).total).toBe(amount)
  })

  it.each([
    ['F23 at S10: between the approval and the form', false],
    ['F23 at S11 to S13: while the money is taken', true],
  ])('%s: it is paid once, and never another total', async (_, during) => {
    const { guest, email } = await aGuestWithAccount()
    const { orderId, walletOrderId } = startedOf(await guest.placeOrder())
    const { total } = await orderOf(shop, orderId)
    if (during) await shop.emulate('/fault', { route: 'orders.capture', delay: 700 })
    await guest.approve(walletOrderId)
    const paying = during ? guest.anotherTab().returnFromWallet(walletOrderId) : null
    if (during) {
      await until('the capture is under way', async () => (await orderOf(shop, orderId)).payment_state !== 'pending')
    }
    await logIn(guest, email)
    if (paying) await paying
    else await guest.placeOrder('ppcp', walletOrderId)
    expect((await theOneOrder(shop, orderId)).total).toBe(total)
    await guest.page(urls.cart())
    expect((await viewCart(guest)).lines).not.toContain('Plain mug × 1')
  })
})

describe('after all that', () => {
  it('I1 to I13 hold over everything that happened', async () => {
    expect(await invariants(shop)).toEqual([])
  })
})
