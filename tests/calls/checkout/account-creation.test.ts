import { afterEach, describe, expect, it } from 'vitest'
import { aCustomer, goodPassword, mailedLink, mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const shops: TestShop[] = []
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.close()
})

async function shopWith(accounts: Record<string, unknown> = {}): Promise<TestShop> {
  const shop = await aShop({ wallet: false, settings: { accounts } })
  shops.push(shop)
  return shop
}

type Answer = { result: string; messages: string; redirect?: string; order_id?: number; reload?: boolean }

async function order(shopper: Shopper, fields: Record<string, string>): Promise<Answer> {
  const response = await shopper.post('/?wc-ajax=checkout', { ...shopper.form('cod'), ...fields })
  expect(response.status).toBe(200)
  return (await response.json()) as Answer
}

async function ready(shop: TestShop, name: string): Promise<{ shopper: Shopper; html: string }> {
  const shopper = new Shopper(shop, name)
  await shopper.add('MUG')
  return { shopper, html: await shopper.openCheckout() }
}

const customers = ({ db }: TestShop) =>
  db.sql<{ id: number; email: string; username: string; first_name: string; password: string | null }[]>`
    select id, email, username, first_name, password from customers order by id`

const ownerOf = async ({ db }: TestShop, id: number | undefined) => {
  const [row] = await db.sql<{ customer_id: number | null }[]>`select customer_id from orders where id = ${id ?? 0}`
  return row?.customer_id
}

describe('an account opened with an order', () => {
  it('CHK-10 is opened where it is asked for, owns the order, and is logged in', async () => {
    const shop = await shopWith()
    const { shopper, html } = await ready(shop, 'ida')
    expect(html).toContain('id="createaccount"')
    const before = shopper.cookie(shop.shop.application.sessionCookie)
    const answer = await order(shopper, { createaccount: '1', account_password: goodPassword })
    expect(answer.result).toBe('success')
    const [customer] = await customers(shop)
    expect(customer).toMatchObject({ email: 'ida@example.test', username: 'ida', first_name: 'Ada' })
    expect(await ownerOf(shop, answer.order_id)).toBe(customer?.id)
    expect(shopper.cookie(shop.shop.application.sessionCookie)).not.toBe(before)
    expect(await shopper.page('/my-account/')).toContain('customer-logout')
    expect(await shopper.page(answer.redirect ?? '')).toContain('Thank you. Your order has been received.')
    expect(await mailTo(shop, 'ida@example.test', /account/i)).not.toContain(goodPassword)
  })

  it('CHK-10 a guest who does not ask for one gets none', async () => {
    const shop = await shopWith()
    const { shopper } = await ready(shop, 'ida')
    expect((await order(shopper, { account_password: goodPassword })).result).toBe('success')
    expect(await customers(shop)).toEqual([])
  })

  it('CHK-10 needs a password that is hard to guess, and keeps the tick but never the password', async () => {
    const shop = await shopWith()
    const { shopper } = await ready(shop, 'ida')
    const empty = await order(shopper, { createaccount: '1', account_password: '' })
    expect(empty.messages).toContain('data-id="account_password"')
    const weak = await order(shopper, { createaccount: '1', account_password: 'password' })
    expect(weak.messages).toContain('easy to guess')
    expect(await customers(shop)).toEqual([])
    const html = await shopper.page('/checkout/')
    expect(/<input[^>]*id="createaccount"[^>]*>/.exec(html)?.[0]).toContain('checked')
    expect(/<input[^>]*id="account_password"[^>]*>/.exec(html)?.[0]).not.toContain('value=')
    const [{ state } = { state: '' }] = await shop.db.sql<{ state: string }[]>`select state::text from sessions`
    expect(state).not.toContain('account_password')
  })

  it('CHK-10 an address that has an account leads to the form to log in, and no order is made', async () => {
    const shop = await shopWith()
    await aCustomer(shop, 'ida@example.test').register()
    const { shopper } = await ready(shop, 'ida')
    const answer = await order(shopper, { createaccount: '1', account_password: goodPassword })
    expect(answer).toMatchObject({ result: 'failure', reload: false })
    expect(answer.messages).toContain('class="showlogin"')
    expect(await shop.db.sql`select id from orders`).toEqual([])
    // Without an account of its own the order may still be placed.
    expect((await order(shopper, {})).result).toBe('success')
  })

  it('CHK-10 where guests may not buy, the order opens the account whether it is asked for or not', async () => {
    const shop = await shopWith({ guestCheckout: false, generateUsername: false })
    const { shopper, html } = await ready(shop, 'ida')
    expect(html).not.toContain('id="createaccount"')
    const refused = await order(shopper, {})
    expect(refused.messages).toContain('data-id="account_username"')
    expect(refused.messages).toContain('data-id="account_password"')
    const answer = await order(shopper, { account_username: 'ida.vale', account_password: goodPassword })
    expect(answer.result).toBe('success')
    expect(await customers(shop)).toMatchObject([{ username: 'ida.vale' }])
  })

  it('CHK-10 where nobody opens an account with an order either, one must log in first, and can', async () => {
    const shop = await shopWith({ guestCheckout: false, registrationAtCheckout: false })
    const ida = aCustomer(shop, 'ida@example.test')
    await ida.register()
    await ida.logOut()
    const { shopper, html } = await ready(shop, 'ida')
    expect(html).toContain('You must be logged in')
    expect(html).not.toContain('form-checkout')
    expect(html).not.toContain('id="place_order"')
    expect((await order(shopper, {})).messages).toBeDefined()
    expect(await shop.db.sql`select id from orders`).toEqual([])

    await ida.add('MUG')
    const page = await ida.page('/checkout/')
    const nonce = /name="woocommerce-login-nonce" value="(\w+)"/.exec(page)?.[1] ?? ''
    const response = await ida.logIn({ 'woocommerce-login-nonce': nonce, redirect: '/checkout/' })
    expect(response.headers.get('location')).toBe('/checkout/')
    const after = await ida.page('/checkout/')
    expect(after).toContain('id="place_order"')
    expect(after).not.toContain('showlogin')
    expect(/<input[^>]*id="billing_email"[^>]*>/.exec(after)?.[0]).toContain('value="ida@example.test"')
  })

  it('CHK-10 with passwords by mail none is asked for, and the link is sent', async () => {
    const shop = await shopWith({ passwordByMail: true })
    const { shopper, html } = await ready(shop, 'ida')
    expect(html).not.toContain('id="account_password"')
    expect((await order(shopper, { createaccount: '1' })).result).toBe('success')
    expect(await customers(shop)).toMatchObject([{ email: 'ida@example.test', password: null }])
    expect(await mailedLink(shop, 'ida@example.test', /password/i)).toContain('/my-account/lost-password/?key=')
  })

  it('CHK-10 F25 an order that fails after its account was opened reloads the page, which says why', async () => {
    const shop = await shopWith()
    const shopper = new Shopper(shop, 'ida')
    await shopper.add('LAST')
    await shopper.openCheckout()
    // Sold between the look at the shelf and the order, which is when the account is opened.
    await shop.db.sql`create function sell() returns trigger language plpgsql as
      $$ begin update products set stock_quantity = 0 where sku = 'LAST'; return new; end $$`
    await shop.db.sql`create trigger sell after insert on customers for each row execute function sell()`
    const answer = await order(shopper, { createaccount: '1', account_password: goodPassword })
    expect(answer).toMatchObject({ result: 'failure', messages: '', reload: true })
    expect(await customers(shop)).toHaveLength(1)
    const html = await shopper.page('/checkout/')
    expect(html).toContain('Someone else was faster')
    expect(html).not.toContain('id="createaccount"')
  })
})

describe('a log-in at the checkout', () => {
  const typed = (html: string) => ({
    login: 'Log in',
    username: 'eve@example.test',
    password: 'not this one',
    rememberme: 'forever',
    'woocommerce-login-nonce': /name="woocommerce-login-nonce" value="([^"]*)"/.exec(html)?.[1] ?? '',
    _wp_http_referer: '/checkout/',
    redirect: '/checkout/',
  })
  const formIn = (html: string) =>
    /<form class="woocommerce-form woocommerce-form-login.*?<\/form>/s.exec(html)?.[0] ?? ''
  const wrong = 'The username, email address or password is incorrect. Please try again.'

  it('CHK-10: a wrong password leads nobody out of it, and the form stands open beside why', async () => {
    const shop = await shopWith()
    const { shopper, html } = await ready(shop, 'eve')
    expect(formIn(html)).toMatch(/^<form[^>]* hidden/)
    const answer = await shopper.post('/my-account/', typed(html))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/checkout/'])
    const back = await shopper.openCheckout()
    expect(back).toContain(wrong)
    expect(back).toMatch(/<a[^>]*class="showlogin"[^>]*aria-expanded="true"/)
    expect(formIn(back)).not.toMatch(/^<form[^>]* hidden/)
    expect(formIn(back)).toMatch(/<input[^>]*id="username"[^>]*value="eve@example.test"/)
    expect(formIn(back)).toMatch(/<input[^>]*id="password"[^>]*aria-invalid="true"/)
    expect(formIn(back)).toMatch(/<input[^>]*id="rememberme"[^>]*checked/)
    expect(back).not.toContain('not this one')
    // Said once.
    const later = await shopper.openCheckout()
    expect([later.includes(wrong), formIn(later).includes('eve@example.test')]).toEqual([false, false])
  })

  it('CHK-10: the same where one must log in first, and with a form that was open for too long', async () => {
    const shop = await shopWith({ guestCheckout: false, registrationAtCheckout: false })
    const { shopper, html } = await ready(shop, 'eve')
    expect(html).toContain('You must be logged in to place an order.')
    await shopper.post('/my-account/', typed(html))
    const back = await shopper.openCheckout()
    expect([back.includes(wrong), formIn(back).includes('eve@example.test')]).toEqual([true, true])
    const stale = { ...typed(html), 'woocommerce-login-nonce': '0123456789' }
    expect((await shopper.post('/my-account/', stale)).headers.get('location')).toBe('/checkout/')
    expect(await shopper.openCheckout()).toContain('This page was open for too long.')
  })

  it('CHK-10: leads to no other page, and to no checkout without a cart', async () => {
    const shop = await shopWith()
    const { shopper, html } = await ready(shop, 'eve')
    for (const _wp_http_referer of ['/my-account/', 'https://elsewhere.test/checkout/', '//elsewhere.test/checkout/'])
      expect((await shopper.post('/my-account/', { ...typed(html), _wp_http_referer })).status).toBe(200)
    await shop.db.sql`update sessions set state = jsonb_set(state, '{lines}', '[]'), version = version + 1`
    const answer = await shopper.post('/my-account/', typed(html))
    expect([answer.status, (await answer.text()).includes('id="customer_login"')]).toEqual([200, true])
  })
})
