import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseFinishedOrders } from '#shop/customers/erase-customer.ts'
import { aCustomer, type Customer, goodPassword, mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let keeping: TestShop
beforeAll(async () => {
  ;[shop, keeping] = await Promise.all([
    aShop({ wallet: false, settings: { privacy: { keepOrderData: false } } }),
    aShop({ wallet: false }),
  ])
})
afterAll(async () => {
  await shop?.close()
  await keeping?.close()
})
beforeEach(() => shop.db.sql`delete from rate_limits`)

let count = 0
async function anAccount(at: TestShop = shop): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(at, `private${count}@example.test`)
  await customer.register()
  const [row] = await at.db.sql`select id from customers where email = ${customer.email}`
  return Object.assign(customer, { id: Number(row?.id) })
}

const act = (customer: Customer, fields: Record<string, string>) =>
  customer.post('/my-account/privacy/', {
    'account-privacy-nonce': customer.nonce('account-privacy'),
    password_current: goodPassword,
    ...fields,
  })

async function anOrder(customer: Customer): Promise<number> {
  await customer.add('MUG')
  const answer = await customer.post('/?wc-ajax=checkout', {
    billing_first_name: 'Ida',
    billing_last_name: 'Secretname',
    billing_country: 'US',
    billing_address_1: '1 Quay Street',
    billing_city: 'Oakland',
    billing_state: 'CA',
    billing_postcode: '94607',
    billing_phone: '510 555 0100',
    billing_email: customer.email,
    order_comments: 'Ring twice at Secretname',
    payment_method: 'cod',
    terms: '1',
    'terms-field': '1',
    'woocommerce-process-checkout-nonce': customer.nonce('woocommerce-process_checkout'),
  })
  const { redirect, messages } = (await answer.json()) as { redirect?: string; messages?: string }
  if (!redirect) throw new Error(`no order: ${messages}`)
  return Number(/order-received\/(\d+)\//.exec(redirect)?.[1])
}

describe('what is held about a customer', () => {
  it('P15 is given as one file to who knows the password, and the asking is logged', async () => {
    const ida = await anAccount()
    const order = await anOrder(ida)
    await shop.db.sql`insert into order_notes (order_id, at, for_customer, note) values
      (${order}, now(), true, 'It left today.'), (${order}, now(), false, 'Internal word')`
    await shop.db
      .sql`insert into payment_tokens (customer_id, method, environment, token, kind, brand, last4, created_at)
      values (${ida.id}, 'ppcp', 'sandbox', 'vault-secret', 'card', 'visa', '4242', now())`
    await ida.add('BOWL')
    const answer = await act(ida, { action: 'export' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const text = await answer.text()
    const data = JSON.parse(text)
    expect(data.account).toMatchObject({ number: ida.id, email: ida.email, role: 'customer', hasPassword: true })
    expect(data.addresses.billing).toMatchObject({ last_name: 'Secretname', postcode: '94607' })
    expect(data.cart.lines).toEqual([expect.objectContaining({ product: 'Soup bowl', quantity: 1 })])
    // 12.00, 6.90 to send it, and 7.25 % of 12.00.
    expect(data.orders).toEqual([
      expect.objectContaining({
        number: order,
        total: '19.77',
        tax: '0.87',
        currency: 'USD',
        note: 'Ring twice at Secretname',
      }),
    ])
    expect(data.orders[0].messages.map(({ note }: { note: string }) => note)).toEqual(['It left today.'])
    expect(data.paymentMethods).toEqual([expect.objectContaining({ brand: 'visa', last4: '4242' })])
    expect(data.logins).toHaveLength(1)
    expect(data.looksIntoTheseData).toEqual([expect.objectContaining({ action: 'exported' })])
    expect(text).not.toMatch(/vault-secret|argon2|Internal word|wc_order_/)
  })

  it('is also what was ordered without logging in, once the address is confirmed, and erased with it', async () => {
    const ida = await anAccount()
    const guest = aCustomer(shop, ida.email)
    const order = await anOrder(guest)
    const exported = async () =>
      ((await (await act(ida, { action: 'export' })).json()) as { orders: { number: number }[] }).orders
    expect(await exported()).toEqual([])
    await shop.db.sql`update customers set email_verified_at = now() where id = ${ida.id}`
    expect(await exported()).toEqual([expect.objectContaining({ number: order })])
    await shop.db.sql`update orders set status = 'completed' where id = ${order}`
    await act(ida, { action: 'erase', erase_sure: '1' })
    const [left] = await shop.db.sql`select billing, customer_note from orders where id = ${order}`
    expect(left).toEqual({ billing: { country: 'US', state: 'CA' }, customer_note: '' })
  })

  it.each(['export', 'erase'])('T11 %s needs the password, the own nonce and a login', async (action) => {
    const ida = await anAccount()
    const other = await anAccount()
    for (const [fields, words] of [
      [{ password_current: '' }, 'enter your current password'],
      [{ password_current: 'wrong' }, 'password is incorrect'],
      [{ 'account-privacy-nonce': other.nonce('account-privacy') }, 'open for too long'],
      [{ 'account-privacy-nonce': '' }, 'open for too long'],
    ] as const) {
      const answer = await act(ida, { action, erase_sure: '1', ...fields })
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(await answer.text()).toContain(words)
    }
    const stranger = aCustomer(shop, ida.email)
    expect(await (await act(stranger, { action, erase_sure: '1' })).text()).toContain('id="customer_login"')
    const [row] = await shop.db.sql`select count(*)::int as n from customers where id = ${ida.id}`
    expect(row?.n).toBe(1)
    const [logged] = await shop.db
      .sql`select count(*)::int as n from access_log where subject = ${`customer:${ida.id}`}`
    expect(logged?.n).toBe(0)
  })

  it('T32 the password cannot be guessed there either', async () => {
    const ida = await anAccount()
    for (let tries = 0; tries < 10; tries += 1) await act(ida, { action: 'export', password_current: `wrong ${tries}` })
    const answer = await act(ida, { action: 'export' })
    expect(await answer.text()).toContain('Too many attempts')
  })
})

describe('closing an account', () => {
  it('asks whether one is sure, then ends logins, cart, addresses and saved methods, and says so by mail', async () => {
    const ida = await anAccount()
    const phone = aCustomer(shop, ida.email)
    await phone.logIn()
    await ida.add('MUG')
    expect(await (await act(ida, { action: 'erase' })).text()).toContain('confirm that you want to delete your account')
    const answer = await act(ida, { action: 'erase', erase_sure: '1' })
    expect(answer.headers.get('location')).toBe('/my-account/?account-closed=true')
    expect(ida.cookies.has(shop.shop.application.sessionCookie)).toBe(false)
    expect(await ida.page('/my-account/?account-closed=true')).toContain('Your account is closed.')
    expect(await phone.page('/my-account/')).toContain('id="customer_login"')
    expect(await phone.cart()).toEqual([])
    const again = aCustomer(shop, ida.email)
    expect(await (await again.logIn()).text()).toContain('is incorrect')
    const [left] = await shop.db.sql`
      select (select count(*)::int from customers where id = ${ida.id}) as customers,
        (select count(*)::int from sessions where customer_id = ${ida.id}) as logins,
        (select array_agg(action) from access_log where subject = ${`customer:${ida.id}`}) as log`
    expect(left).toEqual({ customers: 0, logins: 0, log: ['erased'] })
    await mailTo(shop, ida.email, /is closed/)
  })

  it('orders lose name and address once they are over; figures, country and state stay for the books', async () => {
    const ida = await anAccount()
    const done = await anOrder(ida)
    const underWay = await anOrder(ida)
    await shop.db.sql`update orders set status = 'completed' where id = ${done}`
    await act(ida, { action: 'erase', erase_sure: '1' })
    const rows = () => shop.db
      .sql`select id, total, billing, customer_id, customer_note, customer_ip, customer_user_agent,
      personal_data from orders where id in (${done}, ${underWay}) order by id`
    const [first, second] = await rows()
    expect(first).toEqual({
      id: done,
      total: 1977,
      billing: { country: 'US', state: 'CA' },
      customer_id: null,
      customer_note: '',
      customer_ip: '',
      customer_user_agent: '',
      personal_data: 'erased',
    })
    expect(second).toMatchObject({ customer_id: null, personal_data: 'due', billing: { last_name: 'Secretname' } })
    await shop.db.sql`update orders set status = 'completed' where id = ${underWay}`
    const { tools } = shop.shop.application
    expect(await eraseFinishedOrders(tools)).toBe(1)
    expect(await eraseFinishedOrders(tools)).toBe(0)
    expect(JSON.stringify(await rows())).not.toContain('Secretname')
  })

  it('a shop that keeps its books whole keeps the orders as they were, as nobody’s', async () => {
    const ida = await anAccount(keeping)
    const order = await anOrder(ida)
    await act(ida, { action: 'erase', erase_sure: '1' })
    const [row] = await keeping.db.sql`select billing, customer_id, personal_data from orders where id = ${order}`
    expect(row).toMatchObject({ billing: { last_name: 'Secretname' }, customer_id: null, personal_data: 'kept' })
  })

  it('is not for staff, whom another one of the staff makes a customer first', async () => {
    const ida = await anAccount()
    await shop.db.sql`update customers set role = 'administrator' where id = ${ida.id}`
    expect(await ida.page('/my-account/privacy/')).not.toContain('erase_password')
    expect(await (await act(ida, { action: 'erase', erase_sure: '1' })).text()).toContain('closed by other staff')
  })

  it('a request that is under way at that moment finds a stranger, no fault', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ida = await anAccount()
      await shop.db.sql`delete from rate_limits`
      const cookie = `${shop.shop.application.sessionCookie}=${ida.cookies.get(shop.shop.application.sessionCookie)}`
      const mug = String(await shop.idOf('MUG'))
      const press = () =>
        fetch(`${shop.url}/?wc-ajax=add_to_cart`, {
          method: 'POST',
          headers: { cookie },
          body: new URLSearchParams({ product_id: mug }),
        })
      const answers = await Promise.all([
        act(ida, { action: 'erase', erase_sure: '1' }),
        ...Array.from({ length: 6 }, (_, at) => new Promise((go) => setTimeout(go, at * 15)).then(press)),
      ])
      for (const { status } of answers) expect(status).toBeLessThan(500)
    }
  })
})

describe('logins', () => {
  it('are listed with their devices, this one first, and ended everywhere else', async () => {
    const ida = await anAccount()
    const phone = aCustomer(shop, ida.email)
    const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0 <script>'
    await phone.send('/my-account/', {
      method: 'POST',
      headers: { 'user-agent': agent },
      body: new URLSearchParams({
        username: ida.email,
        password: goodPassword,
        login: '1',
        'woocommerce-login-nonce': phone.nonce('woocommerce-login'),
      }),
    })
    const html = await ida.page('/my-account/privacy/')
    const devices = [...html.matchAll(/<li>(.*?)<\/li>/gs)]
      .map(([, text = '']) => text)
      .filter((text) => text.includes('<time'))
    expect(devices).toHaveLength(2)
    expect(devices[0]).toContain('this device')
    expect(devices[1]).toContain('Firefox on Windows')
    // T17: what a browser calls itself is read, not printed.
    expect(html).not.toContain('rv:133')
    await act(ida, { action: 'log_out_elsewhere' })
    expect(await ida.page('/my-account/privacy/')).toContain('You have been logged out on all other devices.')
    expect(await phone.page('/my-account/')).toContain('id="customer_login"')
    expect(await ida.page('/my-account/privacy/')).not.toContain('log_out_elsewhere')
  })
})
