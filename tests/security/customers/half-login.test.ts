import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setRole } from '#shop/customers/manage-customers.ts'
import { aPeopledShop, canaries, type PeopledShop } from '#tests/security/support/people.ts'
import { aCustomer, type Customer, goodPassword } from '#tests/support/customers/customer.ts'
import { codeOf, enrol, factorPath, postFactor } from '#tests/support/customers/second-factor.ts'
import { agree, callRoute, keepingSettings, startMethodSetup } from '#tests/support/payments/vault.ts'

// A half login: the password was given, the code of the second factor was not.

let peopled: PeopledShop
let owner: Customer
let half: Customer
let secret = ''
let offsetMs = 0
let keptMethodId = 0
beforeAll(async () => {
  const clock = {
    // Stands in the middle of a half minute, so that no code grows old while a test runs.
    now: () => new Date(1_900_000_005_000 + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  peopled = await aPeopledShop({ settings: keepingSettings, environment: { clock } })
  const { shop, things, everyone } = peopled
  await shop.emulate('/webhooks/hold', { on: true })
  const setup = await startMethodSetup(everyone.owner)
  await agree(shop, setup)
  const kept = await callRoute(everyone.owner, 'vault/payment-tokens', { setup_token: setup })
  const [method] = await shop.db.sql`select id from payment_tokens where token = ${String(kept.body.id)}`
  keptMethodId = Number(method?.id)
  await shop.db.sql`insert into coupons ${shop.db.sql([
    { code: 'owners', type: 'percent', amount_ppm: 100_000, settings: { emails: [everyone.owner.email] } },
  ])}`
  // The owner of all that works in the shop as well.
  await setRole(shop.shop.application.tools, things.ownerId, 'shop_manager')
  owner = aCustomer(shop, everyone.owner.email)
  await owner.logIn()
  ;({ secret } = await enrol(owner, clock.now()))
})
afterAll(() => peopled?.shop.close())
beforeEach(async () => {
  await peopled.shop.db.sql`delete from rate_limits`
  half = await halfLoggedIn()
})

/** The owner's password on another device, with a mug in the cart from before. */
async function halfLoggedIn(): Promise<Customer> {
  const device = aCustomer(peopled.shop, owner.email)
  await device.add('MUG')
  const answer = await device.logIn()
  expect(answer.headers.get('location')).toContain(factorPath)
  return device
}

const html = { headers: { accept: 'text/html' } }
const orders = () => peopled.shop.db.sql`select id, customer_id, payment_state, session_id from orders order by id`
const captures = async () => (await peopled.shop.db.sql`select 1 from captures`).length

const checkoutForm = {
  billing_first_name: 'Eve',
  billing_last_name: 'Vale',
  billing_country: 'US',
  billing_address_1: '1 Quay Street',
  billing_city: 'Oakland',
  billing_state: 'CA',
  billing_postcode: '94607',
  billing_phone: '510 555 0100',
  billing_email: 'eve@example.test',
  terms: 'on',
  'terms-field': '1',
}

const placeOrder = (device: Customer, fields: Record<string, string>) =>
  device.post('/?wc-ajax=checkout', {
    'woocommerce-process-checkout-nonce': device.nonce('woocommerce-process_checkout'),
    ...checkoutForm,
    ...fields,
  })

function tellsNothing(text: string): void {
  for (const canary of canaries) expect(text).not.toContain(canary)
}

describe('T14 a half login is nobody', () => {
  it('pays with no saved payment method', async () => {
    const before = await captures()
    const answer = await placeOrder(half, { payment_method: 'ppcp', 'wc-ppcp-payment-token': String(keptMethodId) })
    expect(await answer.json()).toMatchObject({ result: 'failure' })
    expect(await captures()).toBe(before)
  })

  it('is shown no saved payment method and no address by the checkout', async () => {
    const page = await half.page('/checkout/')
    expect(page).toContain('name="billing_email"')
    tellsNothing(page)
    expect(page).not.toContain('buyer@emulator.test')
    const review = await half.post('/?wc-ajax=update_order_review', {
      security: half.nonce('update-order-review'),
      payment_method: 'ppcp',
    })
    const text = await review.text()
    tellsNothing(text)
    expect(text).not.toContain('buyer@emulator.test')
  })

  it('orders as a guest: neither the order nor its address becomes the account’s', async () => {
    const known = (await orders()).map(({ id }) => id)
    expect(await (await placeOrder(half, { payment_method: 'cod' })).json()).toMatchObject({ result: 'success' })
    const placed = (await orders()).filter(({ id }) => !known.includes(id))
    expect(placed.map(({ customer_id }) => customer_id)).toEqual([null])
    const [customer] = await peopled.shop.db.sql`select billing from customers where id = ${peopled.things.ownerId}`
    expect(customer?.billing).toMatchObject({ address_1: '1 Canary Street' })
  })

  it('opens no order of the account, neither to look at nor to pay', async () => {
    const { orderId, orderKey } = peopled.things
    for (const path of ['order-received', 'order-pay']) {
      const page = await half.page(`/checkout/${path}/${orderId}/?key=${orderKey}&pay_for_order=true`)
      tellsNothing(page)
    }
    const paid = await callRoute(half, 'order/pay', {
      payment_method: 'ppcp',
      order_id: String(orderId),
      order_key: orderKey,
    })
    expect([400, 401, 403, 404]).toContain(paid.status)
  })

  it('saves no payment method for the account', async () => {
    const { things, shop } = peopled
    const rows = () => shop.db.sql`select id from setup_tokens where customer_id = ${things.ownerId}`
    const before = (await rows()).length
    const begun = await callRoute(half, 'vault/setup-tokens', {
      payment_method: 'ppcp',
      context: 'add_payment_method',
    })
    expect(begun.status).toBe(401)
    expect(await rows()).toHaveLength(before)
    expect((await half.send('/my-account/add-payment-method/', html)).headers.get('location')).toContain(factorPath)
  })

  it('orders by the express button as a guest', async () => {
    const before = (await orders()).map(({ id }) => id)
    const created = await callRoute(half, 'cart/order', { payment_method: 'ppcp', context: 'cart' })
    expect(created.status).toBe(200)
    const listed = await peopled.shop.db.sql`select session_id from wallet_orders where id = ${String(created.body)}`
    expect(listed.map(({ session_id }) => session_id)).toEqual([half.sessionId])
    const placed = (await orders()).filter(({ id }) => !before.includes(id))
    expect(placed.filter(({ customer_id }) => customer_id !== null)).toEqual([])
  })

  it('has the coupons of a guest, not those of the account’s address', async () => {
    const apply = async (device: Customer) =>
      (
        await device.post('/?wc-ajax=apply_coupon', {
          security: device.nonce('apply-coupon'),
          coupon_code: 'owners',
        })
      ).text()
    const guest = aCustomer(peopled.shop, 'stranger@example.test')
    await guest.add('MUG')
    expect(await apply(half)).toBe(await apply(guest))
  })

  it('reads nothing over the REST interface', async () => {
    const rest = { headers: { 'x-wp-nonce': half.nonce('wp_rest') } }
    const { ownerId, orderId } = peopled.things
    for (const path of [
      `/wp-json/wp/v2/users/${ownerId}`,
      '/wp-json/wc/v3/orders',
      `/wp-json/wc/v3/orders/${orderId}`,
      '/wp-json/wp/v2/media',
    ]) {
      const answer = await half.send(path, rest)
      expect([path, answer.status]).toEqual([path, 401])
    }
  })

  it('sees no page of the account, no download and no wish of its own carried out there', async () => {
    for (const path of [
      '/my-account/',
      '/my-account/orders/',
      `/my-account/view-order/${peopled.things.orderId}/`,
      '/my-account/downloads/',
      '/my-account/edit-address/billing/',
      '/my-account/edit-account/',
      '/my-account/payment-methods/',
      '/my-account/privacy/',
      '/statistics/',
    ]) {
      const answer = await half.send(path, html)
      expect([path, answer.headers.get('location') ?? '']).toEqual([path, expect.stringContaining(factorPath)])
    }
    const action = 'delete-payment-method'
    await half.send(`/my-account/${action}/${keptMethodId}/?_wpnonce=${half.nonce(action)}`)
    expect(await peopled.shop.db.sql`select 1 from payment_tokens where id = ${keptMethodId}`).toHaveLength(1)
    await half.send(`/cart/?order_again=${peopled.things.orderId}&_wpnonce=${half.nonce('woocommerce-cart')}`)
    expect(await half.cart()).toEqual(['1 Plain mug'])
  })

  it('keeps the cart of before, sees nothing of the account’s, and has both once the code is given', async () => {
    // The owner has put a bowl down.
    expect(await half.cart()).toEqual(['1 Plain mug'])
    const fragments = await (await half.post('/?wc-ajax=get_refreshed_fragments')).text()
    expect(fragments).toContain('Plain mug')
    expect(fragments).not.toContain('Bowl')
    offsetMs += 120_000
    const before = half.cookies.get(peopled.shop.shop.application.sessionCookie)
    const shown = await postFactor(half, 'show', {
      code: codeOf(secret, peopled.shop.shop.application.tools.clock.now()),
    })
    expect(shown.status).toBe(303)
    expect(half.cookies.get(peopled.shop.shop.application.sessionCookie)).not.toBe(before)
    expect(await half.cart()).toHaveLength(2)
    expect(await half.page('/checkout/')).toContain('1 Canary Street')
    expect(await half.page('/my-account/payment-methods/')).toContain('buyer@emulator.test')
  })
})

describe('T31 a half login ends', () => {
  it('by its own link, and leaves the cart', async () => {
    expect(await half.page(factorPath)).toContain('name="code"')
    await half.logOut()
    expect(await half.page(factorPath)).toContain('id="customer_login"')
    expect(await half.cart()).toEqual(['1 Plain mug'])
  })

  it('with every other login of the account, and leaves the cart', async () => {
    await owner.post('/my-account/privacy/', {
      action: 'log_out_elsewhere',
      password_current: goodPassword,
      'account-privacy-nonce': owner.nonce('account-privacy'),
    })
    expect(await half.page(factorPath)).toContain('id="customer_login"')
    expect(await half.cart()).toEqual(['1 Plain mug'])
  })

  it('after half an hour, whatever was pressed meanwhile', async () => {
    offsetMs += 20 * 60_000
    await half.add('BOWL')
    offsetMs += 11 * 60_000
    expect(await half.page(factorPath)).toContain('id="customer_login"')
    expect(await half.cart()).toHaveLength(2)
  })

  it('where its password was wrong after all there is none', async () => {
    const eve = aCustomer(peopled.shop, owner.email)
    await eve.logIn({ password: `${goodPassword}x` })
    expect(await eve.page(factorPath)).toContain('id="customer_login"')
  })
})
