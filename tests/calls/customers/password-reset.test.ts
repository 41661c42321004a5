import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, goodPassword, mailedLink, mailTo } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
const clock = {
  now: () => new Date(Date.now() + offsetMs),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}
beforeAll(async () => {
  shop = await aShop({ wallet: false, environment: { clock } })
})
afterAll(() => shop?.close())
beforeEach(async () => {
  offsetMs = 0
  await shop.db.sql`delete from rate_limits`
})

const ask = (guest: ReturnType<typeof aGuest>, login: string) =>
  guest.post('/my-account/lost-password/', {
    user_login: login,
    wc_reset_password: 'true',
    'woocommerce-lost-password-nonce': guest.nonce('lost_password'),
  })

const choose = (guest: ReturnType<typeof aGuest>, password: string, repeat = password) =>
  guest.post('/my-account/lost-password/', {
    password_1: password,
    password_2: repeat,
    wc_reset_password: 'true',
    'woocommerce-reset-password-nonce': guest.nonce('reset_password'),
  })

describe('a lost password', () => {
  it('is chosen anew by the mailed link, once; every login ends with the old one', async () => {
    const ada = aCustomer(shop, 'ada@example.test')
    await ada.register()
    const guest = aGuest(shop)
    const asked = await ask(guest, 'ADA@example.test')
    expect(asked.headers.get('location')).toBe('/my-account/lost-password/?reset-link-sent=true')
    const link = await mailedLink(shop, 'ada@example.test', /new password/)
    expect(link).toMatch(/^\/my-account\/lost-password\/\?key=[A-Za-z0-9]{40}&id=\d+$/)

    // T13: the key is handed over in a cookie of that page alone, and stands in no address or page after that.
    const key = /key=(\w+)/.exec(link)?.[1] ?? ''
    const opened = await guest.send(link)
    expect(opened.headers.get('location')).toBe('/my-account/lost-password/?show-reset-form=true')
    const cookie = opened.headers.getSetCookie().find((line) => line.startsWith('wp-resetpass-'))
    expect(cookie).toMatch(
      /^wp-resetpass-[0-9a-f]{32}=\d+%3A\w{40}; Path=\/my-account\/lost-password\/; HttpOnly; SameSite=Lax$/,
    )
    const form = await (await guest.send('/my-account/lost-password/?show-reset-form=true')).text()
    expect(form).toContain('name="password_2"')
    expect(form).not.toContain(key)
    const [row] = await shop.db.sql`select reset_digest from customers where email = 'ada@example.test'`
    expect(row?.reset_digest).not.toContain(key)

    expect(await (await choose(guest, '')).text()).toContain('Please enter your password.')
    expect(await (await choose(guest, 'password')).text()).toContain('easy to guess')
    expect(await (await choose(guest, 'violin-glacier-93', 'other')).text()).toContain('Passwords do not match.')
    const done = await choose(guest, 'violin-glacier-93')
    expect(done.headers.get('location')).toBe('/my-account/?password-reset=true')
    expect(await (await guest.send('/my-account/?password-reset=true')).text()).toContain(
      'Your password has been saved.',
    )

    expect(await ada.page('/my-account/')).toContain('id="customer_login"')
    const phone = aCustomer(shop, 'ada@example.test')
    expect((await phone.logIn()).status).toBe(200)
    expect((await phone.logIn({ password: 'violin-glacier-93' })).status).toBe(303)
    expect(await (await guest.send(link)).text()).toContain('This link has already been used')
  })

  it.each([
    '/my-account/lost-password/?key=&id=',
    '/my-account/lost-password/?key=x&id=1',
    `/my-account/lost-password/?key=${'a'.repeat(40)}&id=1`,
    '/my-account/lost-password/?show-reset-form=true',
    `/my-account/lost-password/?key=${'a'.repeat(40)}&id=99999999999999`,
  ])('says of %s that it is no link', async (path) => {
    const answer = await aGuest(shop).send(path)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('This link has already been used or has expired.')
  })

  it('T13 the link ends after half an hour', async () => {
    const bea = aCustomer(shop, 'bea@example.test')
    await bea.register()
    const guest = aGuest(shop)
    await ask(guest, 'bea')
    const first = await mailedLink(shop, 'bea@example.test', /new password/)
    offsetMs = 28 * 60_000
    expect((await aGuest(shop).send(first)).status).toBe(303)
    offsetMs = 31 * 60_000
    expect((await aGuest(shop).send(first)).status).toBe(200)
  })

  it('T12 gives the same answer for known and unknown names, and writes only to the known', async () => {
    const cleo = aCustomer(shop, 'cleo@example.test')
    await cleo.register()
    const known = await ask(aGuest(shop), 'cleo@example.test')
    const unknown = await ask(aGuest(shop), 'nobody@example.test')
    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toBe('/my-account/lost-password/?reset-link-sent=true')
    }
    const keys = (answer: Response) =>
      [...answer.headers.keys()].filter((name) => name !== 'x-request-id' && name !== 'date')
    expect(keys(known)).toEqual(keys(unknown))
    await mailTo(shop, 'cleo@example.test', /new password/)
    await expect(mailTo(shop, 'nobody@example.test', /password/)).rejects.toThrow('no message')
  }, 40_000)

  it('T32 three messages a quarter of an hour and no more', async () => {
    for (let tries = 0; tries < 3; tries += 1) expect((await ask(aGuest(shop), 'cleo@example.test')).status).toBe(303)
    const answer = await ask(aGuest(shop), 'CLEO@example.test')
    expect(answer.status).toBe(429)
    expect(await answer.text()).toContain('Too many attempts')
  })

  it.each([
    ['', 'Enter a username or email address.'],
    ['x'.repeat(5000), null],
    ["' or 1=1 --", null],
  ])('takes %s without harm', async (login, words) => {
    const answer = await ask(aGuest(shop), login)
    expect(answer.status).toBe(words === null ? 303 : 200)
    if (words) expect(await answer.text()).toContain(words)
  })

  it('T26 nothing is sent for a foreign nonce', async () => {
    const guest = aGuest(shop)
    const answer = await guest.post('/my-account/lost-password/', {
      user_login: 'ada',
      'woocommerce-lost-password-nonce': 'x',
    })
    expect(await answer.text()).toContain('open for too long')
  })
})

describe('an account whose password is chosen by a mailed link', () => {
  it('T12 is opened without a word whether the address was known', async () => {
    await using quiet = await aShop({ wallet: false, settings: { accounts: { passwordByMail: true } } })
    const register = async () => {
      const guest = aGuest(quiet)
      const fields = {
        email: 'dora@example.test',
        register: '1',
        'woocommerce-register-nonce': guest.nonce('woocommerce-register'),
      }
      const answer = await guest.post('/my-account/', fields)
      return { status: answer.status, html: (await answer.text()).replace(/[0-9a-f]{10,64}/g, '') }
    }
    const first = await register()
    expect(first.html).toContain('a message with the next step is on its way')
    const link = await mailedLink(quiet, 'dora@example.test', /Choose your password with this link/)
    const guest = aGuest(quiet)
    await guest.send(link)
    expect((await choose(guest, goodPassword)).status).toBe(303)
    const dora = aCustomer(quiet, 'dora@example.test')
    expect((await dora.logIn()).status).toBe(303)

    expect(await register()).toEqual(first)
    expect(await mailTo(quiet, 'dora@example.test', /You already have an account/)).toContain('lost-password')
    expect((await quiet.db.sql`select id from customers`).length).toBe(1)
  }, 60_000)
})
