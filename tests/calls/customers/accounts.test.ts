import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

/** Passwords are what costs time: every hash is counted, with its cost. The clock of a busy machine would say less. */
const work = vi.hoisted(() => ({ hashes: [] as string[] }))
vi.mock(import('node:crypto'), async (original) => {
  const real = await original()
  const argon2: typeof real.argon2 = (algorithm, parameters, done) => {
    const { memory, passes, parallelism, tagLength } = parameters
    work.hashes.push(`${algorithm} m=${memory} t=${passes} p=${parallelism} of ${tagLength}`)
    real.argon2(algorithm, parameters, done)
  }
  return { ...real, argon2 }
})

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())

const rateFree = () => shop.db.sql`delete from rate_limits`

describe('an account', () => {
  it('is opened with an address and a password, under a user name made from it, and is open at once', async () => {
    const ada = aCustomer(shop, 'Ada.L@Example.test')
    const answer = await ada.register()
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/my-account/')
    const html = await ada.page('/my-account/')
    expect(html).toContain('Hello, <span translate="no">ada.l')
    expect(html).toMatch(/<body class="[^"]*woocommerce-account[^"]*logged-in/)
    const [row] = await shop.db.sql`select email, username, password from customers where email = 'ada.l@example.test'`
    expect(row?.username).toBe('ada.l')
    expect(row?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  it('gets a numbered user name when the first is taken, and none when the address is', async () => {
    await rateFree()
    expect((await aCustomer(shop, 'grace@one.test').register()).status).toBe(303)
    expect((await aCustomer(shop, 'grace@two.test').register()).status).toBe(303)
    const names = await shop.db.sql`select username from customers where email like 'grace@%' order by id`
    expect(names.map(({ username }) => username)).toEqual(['grace', 'grace2'])
    const again = await aCustomer(shop, 'GRACE@one.test').register()
    expect(again.status).toBe(200)
    expect(await again.text()).toContain('An account is already registered with GRACE@one.test')
  })

  it.each([
    ['', goodPassword, 'valid email address'],
    ['no address', goodPassword, 'valid email address'],
    ['x@example.test', '', 'enter an account password'],
    ['x@example.test', 'password1', 'easy to guess'],
    ['xavier.stone@example.test', 'xavierstone', 'easy to guess'],
    ['x@example.test', 'x'.repeat(100_000), 'easy to guess'],
  ])('is refused for %s with its password, in words', async (email, password, words) => {
    const guest = aGuest(shop)
    const nonce = guest.nonce('woocommerce-register')
    const answer = await guest.post('/my-account/', {
      email,
      password,
      register: '1',
      'woocommerce-register-nonce': nonce,
    })
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain(words)
    if (password !== '') expect(html).not.toContain(`value="${password}"`)
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('logging in', () => {
  it('works by address or user name, whatever their case, and leads back to where the form stood', async () => {
    await rateFree()
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.register()
    await eve.logOut()
    for (const username of ['eve@example.test', 'EVE@example.TEST', 'eve', ' Eve ']) {
      const answer = await eve.logIn({ username, _wp_http_referer: '/shop/?orderby=price' })
      expect(answer.headers.get('location')).toBe('/shop/?orderby=price')
      await eve.logOut()
    }
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    'https://user@127.0.0.1/',
    '/my-account/customer-logout/',
  ])('T21 never leads to %s', async (redirect) => {
    const eve = aCustomer(shop, 'eve@example.test')
    const answer = await eve.logIn({ redirect })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/my-account/')
  })

  it('T31 gives a new token and ends the old one; logging out ends it on the server', async () => {
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.add('MUG')
    const { sessionCookie } = shop.shop.application
    const before = eve.cookies.get(sessionCookie)
    await eve.logIn()
    const during = eve.cookies.get(sessionCookie)
    expect(during).toMatch(/^[0-9a-f]{64}$/)
    expect(during).not.toBe(before)

    const thief = aGuest(shop)
    const seen = async (token: string | undefined) =>
      (await thief.send('/my-account/', { headers: { cookie: `${sessionCookie}=${token}` } })).text()
    expect(await seen(before)).toContain('id="customer_login"')
    expect(await seen(during)).toContain('Hello, <span translate="no">eve')
    await eve.logOut()
    expect(eve.cookies.has(sessionCookie)).toBe(false)
    expect(await seen(during)).toContain('id="customer_login"')
  })

  it('T29 logging out has the browser forget the pages that were the customer’s, and no choice of the browser’s', async () => {
    await rateFree()
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.logIn()
    const refused = await eve.send('/my-account/customer-logout/?_wpnonce=0123456789')
    expect(refused.headers.get('clear-site-data')).toBeNull()
    const answer = await eve.logOut()
    // "cookies" and "storage" would take language, currency and consent along.
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "prefetchCache", "prerenderCache"')
    const dropped = answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])
    expect(dropped.filter((name) => /consent|sbjs|lang|currency/.test(name ?? ''))).toEqual([])
  })

  it('T26 logging out by a link that was not made for this visitor asks first', async () => {
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.logIn()
    await eve.send('/my-account/customer-logout/?_wpnonce=0123456789')
    const html = await eve.page('/my-account/')
    expect(html).toContain('Do you want to log out?')
    expect(html).toContain('Hello, <span translate="no">eve')
  })

  it('lasts as long as the browser, or fourteen days where the customer wants to be remembered', async () => {
    const eve = aCustomer(shop, 'eve@example.test')
    const short = (await eve.logIn()).headers.getSetCookie().find((line) => line.startsWith('sid='))
    expect(short).toMatch(/HttpOnly; SameSite=Lax$/)
    await eve.logOut()
    const long = (await eve.logIn({ rememberme: 'forever' })).headers
      .getSetCookie()
      .find((line) => line.startsWith('sid='))
    const expires = Date.parse(/Expires=(.*)$/.exec(long ?? '')?.[1] ?? '')
    expect(Math.round((expires - Date.now()) / 3_600_000)).toBe(14 * 24)
    const rows = await shop.db
      .sql`select remember, expires_at - created_at as life from sessions where customer_id is not null and remember`
    expect(rows).toHaveLength(1)
  })

  it('T12 says the same of a wrong password and of an unknown name, after the same work', async () => {
    await rateFree()
    const bucketsOfLimits = async () =>
      (await shop.db.sql<{ count: number }[]>`select count(*)::int as count from rate_limits`)[0]?.count
    const answerTo = async (username: string, password: string) => {
      await rateFree()
      work.hashes.length = 0
      const guest = aGuest(shop)
      const nonce = guest.nonce('woocommerce-login')
      const fields = { username, password, login: '1', 'woocommerce-login-nonce': nonce }
      const answer = await guest.post('/my-account/', fields)
      const html = (await answer.text()).replaceAll(username, 'NAME').replace(/[0-9a-f]{10,64}/g, '')
      return { status: answer.status, html, hashes: [...work.hashes], buckets: await bucketsOfLimits() }
    }
    for (const password of ['wrong-password-9', 'x'.repeat(599)]) {
      const known = await answerTo('eve@example.test', password)
      expect(known).toMatchObject({ status: 200, hashes: ['argon2id m=19456 t=2 p=1 of 32'], buckets: 2 })
      expect(await answerTo('nobody@example.test', password)).toEqual(known)
      // Of an account that has no password yet, too.
      await shop.db.sql`insert into customers (email, username, created_at, updated_at)
        values ('none@example.test', 'none', now(), now()) on conflict do nothing`
      expect({ ...(await answerTo('none@example.test', password)), buckets: known.buckets }).toEqual(known)
      // Its link to choose one is mailed behind the answer, within limits of its own.
      await expect.poll(bucketsOfLimits).toBe(4)
    }
  })

  it('T12 a lost password costs the request the same, whoever is meant: one job that finds out', async () => {
    const answerTo = async (user_login: string) => {
      await rateFree()
      work.hashes.length = 0
      const guest = aGuest(shop)
      const answer = await guest.post('/my-account/lost-password/', {
        user_login,
        'woocommerce-lost-password-nonce': guest.nonce('lost_password'),
      })
      return [answer.status, answer.headers.get('location'), await answer.text(), [...work.hashes]]
    }
    expect(await answerTo('eve@example.test')).toEqual(await answerTo('nobody@example.test'))
  })

  it('T32 is refused after ten wrong tries, with the time to wait, to the right password too', async () => {
    await rateFree()
    const eve = aCustomer(shop, 'eve@example.test')
    for (let tries = 0; tries < 10; tries += 1) {
      // By either name: it is one account.
      const username = tries % 2 ? 'eve' : 'eve@example.test'
      expect((await eve.logIn({ username, password: `wrong ${tries}` })).status).toBe(200)
    }
    const answer = await eve.logIn()
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(await answer.text()).toContain('Too many attempts')
    await rateFree()
    expect((await eve.logIn()).status).toBe(303)
  })

  it('T26 does nothing for a form of another site, a foreign nonce or none', async () => {
    const eve = aCustomer(shop, 'eve@example.test')
    const other = aCustomer(shop, 'eve@example.test')
    await other.add('MUG')
    for (const nonce of ['', '0123456789', other.nonce('woocommerce-login')]) {
      const answer = await eve.logIn({ 'woocommerce-login-nonce': nonce })
      expect(await answer.text()).toContain('open for too long')
    }
    const foreign = await eve.send('/my-account/', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ username: eve.email, password: goodPassword, login: '1' }),
    })
    expect(foreign.status).toBe(403)
    expect(eve.cookies.size).toBe(0)
  })

  it('a failed try leaves nothing behind and never shows the password', async () => {
    await rateFree()
    const [before] = await shop.db.sql`select count(*)::int as n from sessions`
    const guest = aCustomer(shop, '"><script>alert(1)</script>@example.test')
    const html = await (await guest.logIn({ password: 'my-secret-typo-77' })).text()
    expect(html).not.toContain('my-secret-typo-77')
    expect(html).not.toContain('<script>alert')
    const [after] = await shop.db.sql`select count(*)::int as n from sessions`
    expect(after?.n).toBe(before?.n)
  })
})

describe('pages of an account', () => {
  const paths = ['', 'orders/', 'view-order/1001/', 'edit-address/', 'edit-address/billing/', 'edit-account/']

  it.each(paths)('T29 /my-account/%s asks a stranger to log in there, and nobody keeps it', async (path) => {
    const answer = await aGuest(shop).send(`/my-account/${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    const html = await answer.text()
    expect(html).toContain('id="customer_login"')
    expect(html).not.toContain('logged-in')
    expect(html).toContain('name="robots" content="noindex"')
  })

  it('T29 public pages are the same bytes for customers and strangers', async () => {
    await rateFree()
    const eve = aCustomer(shop, 'eve@example.test')
    await eve.logIn()
    for (const path of ['/', '/shop/', '/product/plain-mug/']) {
      const [mine, theirs] = [await eve.page(path), await (await aGuest(shop).send(path)).text()]
      expect(mine).toBe(theirs)
      expect(mine).not.toContain('logged-in')
    }
  })

  it('details change together or not at all, and what opens the account needs the current password', async () => {
    await rateFree()
    const ida = aCustomer(shop, 'ida@example.test')
    await ida.register()
    const save = (fields: Record<string, string>) =>
      ida.post('/my-account/edit-account/', {
        account_first_name: 'Ida',
        account_last_name: 'Vale',
        account_display_name: 'Ida V.',
        account_email: 'ida@example.test',
        action: 'save_account_details',
        'save-account-details-nonce': ida.nonce('save_account_details'),
        ...fields,
      })
    expect((await save({})).status).toBe(303)
    expect(await ida.page('/my-account/')).toContain('Account details changed successfully.')
    for (const [fields, words] of [
      [{ account_first_name: '' }, 'First name is a required field'],
      [{ account_display_name: 'ida@example.test' }, 'display name that is not an email'],
      [{ account_email: 'nonsense' }, 'valid email address'],
      [{ account_email: 'new@example.test' }, 'enter your current password'],
      [{ password_1: 'glacier-violin-93', password_2: 'glacier-violin-93' }, 'enter your current password'],
      [
        { password_1: 'glacier-violin-93', password_2: 'glacier-violin-93', password_current: 'x' },
        'password is incorrect',
      ],
      [{ password_1: 'glacier-violin-93', password_2: 'other', password_current: goodPassword }, 'do not match'],
      [{ password_1: 'password1', password_2: 'password1', password_current: goodPassword }, 'easy to guess'],
      [{ 'save-account-details-nonce': 'x' }, 'open for too long'],
    ] as const) {
      const answer = await save({ account_last_name: 'Changed', ...fields })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain(words)
    }
    const [row] = await shop.db.sql`select last_name, email from customers where username = 'ida'`
    expect(row).toEqual({ last_name: 'Vale', email: 'ida@example.test' })

    const phone = aCustomer(shop, 'ida@example.test')
    await phone.logIn()
    await save({ password_1: 'glacier-violin-93', password_2: 'glacier-violin-93', password_current: goodPassword })
    expect(await ida.page('/my-account/')).toContain('Hello, <span translate="no">Ida V.')
    // T31: a new password ends the logins of other devices.
    expect(await phone.page('/my-account/')).toContain('id="customer_login"')
    const tablet = aCustomer(shop, 'ida@example.test')
    expect((await tablet.logIn()).status).toBe(200)
    expect((await tablet.logIn({ password: 'glacier-violin-93' })).status).toBe(303)
  })

  it('an address is kept by the rules of the checkout, and the checkout begins with it', async () => {
    await rateFree()
    const ida = aCustomer(shop, 'jo@example.test')
    await ida.register()
    const address = {
      billing_first_name: 'Jo',
      billing_last_name: 'March',
      billing_country: 'US',
      billing_address_1: '1 Quay Street',
      billing_city: 'Oakland',
      billing_state: 'CA',
      billing_postcode: '94607',
      billing_phone: '510 555 0100',
      billing_email: 'jo@example.test',
      'woocommerce-edit-address-nonce': ida.nonce('woocommerce-edit_address'),
      action: 'edit_address',
    }
    const wrong = await ida.post('/my-account/edit-address/billing/', {
      ...address,
      billing_postcode: 'ABC',
      billing_city: '',
    })
    const html = await wrong.text()
    expect(html).toContain('is not a valid postcode / ZIP.')
    expect(html).toContain('<strong>Billing Town / City</strong> is a required field.')
    expect(html).toContain('value="1 Quay Street"')
    // The list names each field; the text under the field tells what to do.
    for (const [field, said] of [
      ['billing_postcode', 'Enter a valid ZIP code'],
      ['billing_city', 'Enter your town or city'],
    ]) {
      expect(html).toMatch(
        new RegExp(`<input[^>]*id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}_description"`),
      )
      expect(html).toContain(`id="${field}_description" class="checkout-inline-error-message">${said}</span>`)
    }
    expect(html.match(/aria-invalid/g)).toHaveLength(2)
    expect((await ida.post('/my-account/edit-address/billing/', address)).headers.get('location')).toBe(
      '/my-account/edit-address/',
    )
    const page = await ida.page('/my-account/edit-address/')
    expect(page).toContain('Address changed successfully.')
    expect(page).toContain('1 Quay Street')
    await ida.add('MUG')
    const checkout = await ida.page('/checkout/')
    expect(checkout).toContain('value="1 Quay Street"')
    expect(checkout).toContain('value="94607"')
  })
})
