import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
const hourMs = 3_600_000
beforeAll(async () => {
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  shop = await aShop({ wallet: false, environment: { clock } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  offsetMs = 0
  await shop.db.sql`delete from rate_limits`
})

let count = 0
/** Somebody new with an account, logged out again: another device starts with `aCustomer(shop, email)`. */
async function anAccount(): Promise<Customer> {
  count += 1
  const customer = aCustomer(shop, `customer${count}@example.test`)
  await customer.register()
  return customer
}

describe('the cart of a customer', () => {
  it('F23 is merged with the guest’s at login: saved lines first, the guest’s quantity wins', async () => {
    const home = await anAccount()
    await home.add('MUG')
    await home.add('MUG')
    await home.add('BOWL')
    await home.logOut()

    const away = aCustomer(shop, home.email)
    await away.add('CANDLE').catch(() => undefined)
    await away.add('MUG')
    const before = await away.cart()
    expect(before).toContain('1 Plain mug')
    await away.logIn()
    const merged = await away.cart()
    expect(merged.slice(0, 2)).toEqual(['1 Plain mug', expect.stringContaining('1 ')])
    expect(merged).toHaveLength(new Set([...before, ...merged]).size)
    // Once: logging in again adds nothing.
    await away.logOut()
    await away.logIn()
    expect(await away.cart()).toEqual(merged)
  })

  it('stays with the customer at logout, is not the next visitor’s, and comes back', async () => {
    const ada = await anAccount()
    await ada.add('MUG')
    const cart = await ada.cart()
    await ada.logOut()
    expect(await ada.cart()).toEqual([])
    expect(ada.cookies.has('woocommerce_cart_hash')).toBe(false)
    await ada.logIn()
    expect(await ada.cart()).toEqual(cart)
    expect(ada.cookies.get('woocommerce_cart_hash')).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is the same on two devices at once', async () => {
    const home = await anAccount()
    const away = aCustomer(shop, home.email)
    await away.logIn()
    await home.add('MUG')
    expect(await away.cart()).toEqual(['1 Plain mug'])
    await away.add('MUG')
    expect(await home.cart()).toEqual(['2 Plain mug'])
    // Ten presses on both at the same moment: none is lost.
    await Promise.all([home, away].flatMap((device) => Array.from({ length: 5 }, () => device.add('MUG'))))
    expect(await home.cart()).toEqual(['12 Plain mug'])
    expect(await away.cart()).toEqual(['12 Plain mug'])
  })

  it('a guest’s is kept for two days, a customer’s for good', async () => {
    const ada = await anAccount()
    await ada.add('MUG')
    const guest = aGuest(shop)
    await guest.add('MUG')
    const guestCart = async () => (await (await guest.send('/cart/')).text()).includes('cart_item')

    offsetMs = 47 * hourMs
    expect(await guestCart()).toBe(true)
    offsetMs = 49 * hourMs
    expect(await guestCart()).toBe(false)

    offsetMs = 400 * 24 * hourMs
    expect(await ada.page('/my-account/')).toContain('id="customer_login"')
    const later = aCustomer(shop, ada.email)
    await later.logIn()
    expect(await later.cart()).toEqual(['1 Plain mug'])
  })

  it('a login that is used is extended, one that is not used ends', async () => {
    const ada = await anAccount()
    for (const day of [1.5, 3, 4.5]) {
      offsetMs = day * 24 * hourMs
      expect(await ada.page('/my-account/')).toContain('Hello')
    }
    offsetMs = 7 * 24 * hourMs
    expect(await ada.page('/my-account/')).toContain('id="customer_login"')
  })

  it('what is sold individually or out of stock is put right after merging, in words', async () => {
    const home = await anAccount()
    await home.add('MUG')
    await home.logOut()
    const mug = await shop.idOf('MUG')
    const [stock] = await shop.db.sql`select sold_individually from products where id = ${mug}`
    const away = aCustomer(shop, home.email)
    await away.add('MUG')
    await away.add('MUG')
    await shop.db.sql`update products set sold_individually = true where id = ${mug}`
    await away.logIn()
    const html = await away.page('/cart/')
    expect(html).toContain('You can only have 1 Plain mug in your cart.')
    expect(await away.cart()).toEqual(['1 Plain mug'])
    await shop.db.sql`update products set sold_individually = ${stock?.sold_individually} where id = ${mug}`
  })

  it('F23 logging in twice at once merges once and loses nothing', async () => {
    const home = await anAccount()
    await home.logOut()
    const away = aCustomer(shop, home.email)
    await away.add('MUG')
    await Promise.all([away.logIn(), away.logIn()])
    const check = aCustomer(shop, home.email)
    await check.logIn()
    expect(await check.cart()).toEqual(['1 Plain mug'])
  })
})

describe('orders of a customer', () => {
  const address = {
    billing_first_name: 'Ida',
    billing_last_name: 'Vale',
    billing_country: 'US',
    billing_address_1: '1 Quay Street',
    billing_city: 'Oakland',
    billing_state: 'CA',
    billing_postcode: '94607',
    billing_phone: '510 555 0100',
  }

  async function order(customer: Customer): Promise<{ id: number; path: string }> {
    const answer = await customer.post('/?wc-ajax=checkout', {
      ...address,
      billing_email: customer.email,
      payment_method: 'cod',
      terms: '1',
      'terms-field': '1',
      'woocommerce-process-checkout-nonce': customer.nonce('woocommerce-process_checkout'),
    })
    const { redirect, messages } = (await answer.json()) as { redirect?: string; messages?: string }
    if (!redirect) throw new Error(`no order: ${messages}`)
    const url = new URL(redirect, shop.url)
    return { id: Number(/\/(\d+)\//.exec(url.pathname)?.[1]), path: url.pathname + url.search }
  }

  it('stand in the list and on a page of their own, for nobody else, and give the addresses for next time', async () => {
    const ida = await anAccount()
    await ida.add('MUG')
    const placed = await order(ida)
    const list = await ida.page('/my-account/orders/')
    expect(list).toContain(`/my-account/view-order/${placed.id}/`)
    expect(list).toContain('woocommerce-orders-table__row--status-processing')
    expect(list).toContain('for 1 item')
    expect(await ida.page('/cart/')).toMatch(/<body class="[^"]*woocommerce-cart[^"]*logged-in/)
    const view = await ida.page(`/my-account/view-order/${placed.id}/`)
    expect(view).toContain('Plain mug')
    expect(view).toContain('1 Quay Street')
    expect(await ida.page('/my-account/edit-address/')).toContain('1 Quay Street')
    expect(await ida.cart()).toEqual([])

    const other = await anAccount()
    const foreign = await other.send(`/my-account/view-order/${placed.id}/`, { headers: { accept: 'text/html' } })
    expect(foreign.status).toBe(404)
    expect(await foreign.text()).not.toContain('1 Quay Street')
    expect(await other.page('/my-account/orders/')).toContain('You have not ordered anything yet.')

    // The confirmation too, with the right key: the account's own customer alone, on any device.
    for (const stranger of [other, aCustomer(shop)]) {
      const page = await stranger.page(placed.path)
      expect(page).toContain('belongs to an account')
      expect(page).not.toContain('1 Quay Street')
    }
    const phone = aCustomer(shop, ida.email)
    const answer = await phone.logIn({ redirect: placed.path })
    expect(answer.headers.get('location')).toBe(placed.path)
    expect(await phone.page(placed.path)).toContain('1 Quay Street')
  })

  it('are shown ten a page', async () => {
    const ida = await anAccount()
    await ida.add('MUG')
    const { id } = await order(ida)
    await shop.db.sql`
      insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
        payment_method, payment_method_title, created_at, updated_at, customer_id)
      select key || n, status, session_id, intention || n, cart_hash, currency, prices_include_tax, total, billing, shipping,
        payment_method, payment_method_title, created_at, updated_at, customer_id
      from orders, generate_series(1, 20) n where id = ${id}`
    const rows = async (path: string) => (await ida.page(path)).match(/woocommerce-orders-table__row--/g)?.length ?? 0
    expect(await rows('/my-account/orders/')).toBe(10)
    expect(await rows('/my-account/orders/2/')).toBe(10)
    expect(await rows('/my-account/orders/3/')).toBe(1)
    expect(await ida.page('/my-account/orders/2/')).toContain('Page 2 of 3')
    for (const page of ['0', '4', '999999', '-1', 'x']) {
      expect((await ida.send(`/my-account/orders/${page}/`)).status).toBe(404)
    }
  })

  it('completed ones can be ordered again; what is no longer sold is named', async () => {
    const ida = await anAccount()
    await ida.add('MUG')
    await ida.add('BOWL')
    const { id } = await order(ida)
    const again = () => ida.send(`/cart/?order_again=${id}&_wpnonce=${ida.nonce('woocommerce-order_again')}`)
    await again()
    expect(await ida.cart()).toEqual([])
    expect(await ida.page(`/my-account/view-order/${id}/`)).not.toContain('order_again=')
    await shop.db.sql`update orders set status = 'completed' where id = ${id}`
    expect(await ida.page(`/my-account/view-order/${id}/`)).toContain('order_again=')
    await ida.send(`/cart/?order_again=${id}&_wpnonce=0123456789`)
    expect(await ida.cart()).toEqual([])

    const bowl = await shop.idOf('BOWL')
    await shop.db.sql`update products set status = 'draft' where id = ${bowl}`
    expect((await again()).headers.get('location')).toBe('/cart/')
    const html = await ida.page('/cart/')
    expect(html).toContain('The cart has been filled with the items from your previous order.')
    expect(html).toContain('woocommerce-error')
    expect(await ida.cart()).toEqual(['1 Plain mug'])
    await shop.db.sql`update products set status = 'publish' where id = ${bowl}`
    const other = await anAccount()
    await other.send(`/cart/?order_again=${id}&_wpnonce=${other.nonce('woocommerce-order_again')}`)
    expect(await other.cart()).toEqual([])
  })

  it('CHK-13 unpaid ones are paid by a link, the first of their actions, as long as money is owed and none is on its way', async () => {
    const ida = await anAccount()
    await ida.add('MUG')
    const { id } = await order(ida)
    const [row] = await shop.db.sql<{ key: string }[]>`select key from orders where id = ${id}`
    const path = urls.orderPay(id, row?.key ?? '')
    const actions = (html: string) =>
      [...html.matchAll(/<a href="([^"]*)" class="([^"]*\b(?:pay|view|cancel))"/g)].map(([, href = '', name = '']) => [
        name,
        href.replaceAll('&amp;', '&'),
      ])
    const shown = async () => [
      actions(await ida.page('/my-account/orders/'))[0],
      actions(await ida.page(`/my-account/view-order/${id}/`))[0],
    ]
    for (const status of ['pending', 'failed']) {
      await shop.db.sql`update orders set status = ${status}, payment_state = 'none' where id = ${id}`
      const link = ['woocommerce-button button pay', path]
      expect(await shown()).toEqual([link, link])
    }
    expect(await ida.page(path)).toContain('id="order_review"')
    for (const change of [
      { status: 'pending', payment_state: 'captured' },
      { status: 'on-hold', payment_state: 'none' },
      { status: 'cancelled', payment_state: 'none' },
      { status: 'pending', payment_state: 'none', total: 0 },
    ]) {
      await shop.db.sql`update orders set ${shop.db.sql(change)} where id = ${id}`
      for (const first of await shown()) expect(first?.[0] ?? '').not.toContain('pay')
    }
  })

  it('unpaid ones can be cancelled by their link, once, and give their stock back', async () => {
    const ida = await anAccount()
    await ida.add('MUG')
    const { id } = await order(ida)
    await shop.db.sql`update orders set status = 'pending', payment_state = 'none' where id = ${id}`
    const list = await ida.page('/my-account/orders/')
    const link = /href="(\/cart\/\?cancel_order[^"]*)"/.exec(list)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(link).toContain('redirect=%2Fmy-account%2Forders%2F')
    const stateOf = async () => (await shop.db.sql`select status from orders where id = ${id}`)[0]?.status

    await aGuest(shop).send(link)
    await ida.send(link.replace(/&order=[^&]*/, '&order=wc_order_wrong'))
    await ida.send(link.replace(/_wpnonce=.*$/, '_wpnonce=0123456789'))
    expect(await stateOf()).toBe('pending')
    const answer = await ida.send(link)
    expect(answer.headers.get('location')).toBe('/my-account/orders/')
    expect(await stateOf()).toBe('cancelled')
    expect(await ida.page('/my-account/orders/')).toContain('Your order was canceled.')
    expect(await ida.page('/my-account/orders/')).not.toContain('cancel_order')
  })
})

describe('a purchase that began before the login', () => {
  it('F23 its open order goes with the shopper and is given up for the new one, so that one alone can be paid', async () => {
    const ida = await anAccount()
    await ida.logOut()
    await ida.add('MUG')
    const sessionId = ida.sessionId
    const [row] = await shop.db.sql`
      insert into orders (key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
        payment_method, payment_method_title, created_at, updated_at)
      values (${`wc_order_${sessionId.slice(0, 22)}`}, 'pending', ${sessionId}, 'i', 'h', 'USD', false, 100, '{}', '{}', 'ppcp', 'PayPal',
        now(), now()) returning id`
    await ida.logIn()
    const [moved] = await shop.db.sql`select session_id, customer_id from orders where id = ${row?.id}`
    expect(moved?.session_id).toMatch(/^customer:\d+$/)
    expect(moved?.customer_id).toBeNull()
  })
})
