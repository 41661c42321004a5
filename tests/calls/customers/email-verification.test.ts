import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer, type Customer, goodPassword, mailedLink, mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
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

/** Follows a mailed link as far as its page, and presses the button. */
async function confirm(customer: Customer, link: string): Promise<string> {
  await customer.send(link)
  await customer.post('/my-account/confirm-email/', {
    confirm: '1',
    'confirm-email-nonce': customer.nonce('confirm-email'),
  })
  return customer.page('/my-account/')
}

const changeAddress = (customer: Customer, account_email: string) =>
  customer.post('/my-account/edit-account/', {
    account_first_name: 'Ada',
    account_last_name: 'Vale',
    account_display_name: 'Ada',
    account_email,
    password_current: goodPassword,
    'save-account-details-nonce': customer.nonce('save_account_details'),
  })

const row = async (customer: Customer) => {
  const [found] = await shop.db.sql`select * from customers where username = ${customer.email.split('@')[0] ?? ''}`
  return found
}

async function aGuestOrder(email: string, status = 'completed'): Promise<number> {
  const now = new Date()
  const [order] = await shop.db.sql`insert into orders ${shop.db.sql({
    key: `wc_order_${Math.random()}`,
    status,
    session_id: 'a guest',
    intention: String(Math.random()),
    cart_hash: '',
    currency: 'USD',
    prices_include_tax: false,
    total: 1200,
    billing: shop.db.sql.json({ email, country: 'US', last_name: 'Vale' }),
    shipping: shop.db.sql.json({}),
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    created_at: now,
    updated_at: now,
  })} returning id`
  return Number(order?.id)
}

describe('the address of a new account', () => {
  it('is confirmed by the link of the first message, which then brings the orders placed as a guest', async () => {
    const mine = await aGuestOrder('Ada@Example.test')
    const open = await aGuestOrder('ada@example.test', 'pending')
    const foreign = await aGuestOrder('eve@example.test')
    const ada = aCustomer(shop, 'ada@example.test')
    await ada.register()
    expect(await ada.page('/my-account/')).toContain('has not been confirmed yet')
    expect(await ada.page('/my-account/orders/')).toContain('You have not ordered anything yet.')

    const link = await mailedLink(shop, 'ada@example.test', /Your account at/)
    expect(link).toMatch(/^\/my-account\/confirm-email\/\?key=[A-Za-z0-9]{40}&id=\d+$/)
    // T13: the key goes into a cookie of that page alone, and a digest into the database.
    const opened = await ada.send(link)
    expect(opened.headers.get('location')).toBe('/my-account/confirm-email/')
    const page = await ada.page('/my-account/confirm-email/')
    const key = /key=(\w+)/.exec(link)?.[1] ?? ''
    expect(page).toContain('Is <span translate="no">ada@example.test</span> your email address?')
    expect(page).not.toContain(key)
    expect((await row(ada))?.email_digest).not.toContain(key)
    // T26: opening it has changed nothing yet.
    expect((await row(ada))?.email_verified_at).toBeNull()

    const done = await confirm(ada, link)
    expect(done).toContain('Your email address is confirmed.')
    expect(done).not.toContain('has not been confirmed yet')
    const orders = await ada.page('/my-account/orders/')
    expect(orders).toContain(`/view-order/${mine}/`)
    expect(orders).not.toContain(`/view-order/${foreign}/`)
    expect(orders).not.toContain(`/view-order/${open}/`)
    // Once.
    expect(await confirm(ada, link)).toContain('This link has already been used')
  })

  it('T10 T13 a link is of no use to another account, to a stranger, or after half an hour', async () => {
    const ida = aCustomer(shop, 'ida@example.test')
    await ida.register()
    const link = await mailedLink(shop, ida.email, /Your account at/)
    const eve = aCustomer(shop, 'mallory@example.test')
    await eve.register()
    expect(await confirm(eve, link)).toContain('belongs to another account')
    const stranger = aCustomer(shop, 'nobody@example.test')
    expect(await confirm(stranger, link)).toContain('id="customer_login"')
    offsetMs = 31 * 60_000
    expect(await confirm(ida, link)).toContain('has expired')
    expect((await row(ida))?.email_verified_at).toBeNull()
  })

  it('a link can be asked for again, three times', async () => {
    const jo = aCustomer(shop, 'jo@example.test')
    await jo.register()
    await mailTo(shop, jo.email, /Your account at/)
    const ask = async () => {
      const nonce = jo.nonce('confirm-email')
      await jo.post('/my-account/confirm-email/', { send: '1', 'confirm-email-nonce': nonce })
      return jo.page('/my-account/')
    }
    expect(await ask()).toContain('We sent a link to jo@example.test')
    // Every link ends the one before.
    const link = await mailedLink(shop, 'jo@example.test', /Confirm your email address for/)
    expect(await confirm(jo, link)).toContain('Your email address is confirmed.')
    for (let times = 0; times < 2; times += 1) expect(await ask()).toContain('We sent a link')
    expect(await ask()).toContain('Too many attempts')
  })

  it('a password chosen by a mailed link confirms the address as well', async () => {
    const order = await aGuestOrder('zoe@example.test')
    const zoe = aCustomer(shop, 'zoe@example.test')
    await zoe.register()
    await zoe.logOut()
    await zoe.post('/my-account/lost-password/', {
      user_login: zoe.email,
      'woocommerce-lost-password-nonce': zoe.nonce('lost_password'),
    })
    await zoe.send(await mailedLink(shop, zoe.email, /new password/))
    await zoe.post('/my-account/lost-password/', {
      password_1: goodPassword,
      password_2: goodPassword,
      'woocommerce-reset-password-nonce': zoe.nonce('reset_password'),
    })
    await zoe.logIn()
    expect(await zoe.page('/my-account/')).not.toContain('has not been confirmed yet')
    expect(await zoe.page('/my-account/orders/')).toContain(`/view-order/${order}/`)
  })
})

describe('another address', () => {
  it('counts once the link that was sent there is followed, and the old one hears of it', async () => {
    const ada = aCustomer(shop, 'before@example.test')
    await ada.register()
    await confirm(ada, await mailedLink(shop, ada.email, /Your account at/))
    await changeAddress(ada, 'after@example.test')
    expect((await row(ada))?.email).toBe('before@example.test')
    const page = await ada.page('/my-account/')
    expect(page).toContain('We sent a link to after@example.test')
    expect(page).toContain('after@example.test</span> has not been confirmed yet')
    expect(
      await confirm(ada, await mailedLink(shop, 'after@example.test', /Confirm your email address for/)),
    ).toContain('is confirmed')
    expect((await row(ada))?.email).toBe('after@example.test')
    expect(await mailTo(shop, 'before@example.test', /has a new email address/)).not.toContain('after@example.test')
    const phone = aCustomer(shop, 'after@example.test')
    expect((await phone.logIn()).status).toBe(303)
  })

  it('T12 T13 that somebody has is answered as any other; its owner hears of it, and nothing changes hands', async () => {
    const owner = aCustomer(shop, 'owner@example.test')
    await owner.register()
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.register()
    const answers = []
    for (const address of ['owner@example.test', 'free@example.test']) {
      const answer = await changeAddress(eve, address)
      const html = await eve.page('/my-account/')
      answers.push([answer.status, answer.headers.get('location'), html.replaceAll(address, 'ADDRESS').length])
    }
    expect(answers[0]).toEqual(answers[1])
    await changeAddress(eve, 'owner@example.test')
    await mailTo(shop, 'owner@example.test', /You already have an account/)
    const [found] = await shop.db.sql`select email, email_digest from customers where username = 'eve'`
    expect(found).toEqual({ email: 'eve@example.test', email_digest: null })
  })
})
