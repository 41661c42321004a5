import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import { pageRoutes } from '#server/pages/shared/page-routes.ts'
import { resetSecondFactor } from '#shop/customers/credentials/second-factor.ts'
import { exportCustomer } from '#shop/customers/export-customer.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, type Customer, goodPassword, mailedLink } from '#tests/support/customers/customer.ts'
import { beginEnrolment, codeOf, enrol, factorPath, postFactor } from '#tests/support/customers/second-factor.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { routeAddress } from '#tests/support/shared/route-address.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
const minuteMs = 60_000
const logged: string[] = []
beforeAll(async () => {
  const clock = {
    // Stands in the middle of a half minute, so that no code grows old while a test runs.
    now: () => new Date(1_900_000_005_000 + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  const note = (facts: Record<string, unknown>, message: string) => void logged.push(JSON.stringify([facts, message]))
  const log = { info: note, warn: note, error: note }
  shop = await aShop({ wallet: false, settings: { staff: { secondFactor: 'required' } }, environment: { clock, log } })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

const now = () => shop.shop.application.tools.clock.now()
/** Past the codes that were used so far. */
const later = () => {
  offsetMs += 2 * minuteMs
}

let count = 0
function manager(role: Parameters<typeof staffMember>[2] = 'shop_manager'): Promise<Staff> {
  count += 1
  return staffMember(shop, `staff${count}@example.test`, role)
}

const html = { headers: { accept: 'text/html' } }
const token = (who: Customer) => who.cookies.get(shop.shop.application.sessionCookie) ?? ''

/** The same person on another device, with the password given. */
async function another(member: Staff): Promise<Customer> {
  const device = aCustomer(shop, member.email)
  await device.logIn()
  return device
}

describe('T14 without a second factor', () => {
  const isStaffs = (identity: string) => identity === 'translator' || identity === 'shop-manager'
  const pages = pageRoutes.filter(({ identity }) => isStaffs(identity))
  const staffCalls = calls.filter(({ identity }) => isStaffs(identity))

  it('there is something to look at', () => {
    expect(pages.length).toBeGreaterThan(3)
    expect(staffCalls.length).toBeGreaterThan(8)
  })

  it('an administrator is led to set one up by every page of the staff, and every call refuses', async () => {
    const admin = await manager('administrator')
    for (const { method, path } of pages) {
      const address = routeAddress(path)
      const answer = await (method === 'GET' ? admin.send(address, html) : admin.post(address))
      expect([address, answer.status]).toEqual([address, 303])
      expect(answer.headers.get('location')).toContain(`${factorPath}?redirect=`)
    }
    const statuses: [string, number][] = []
    for (const call of staffCalls) {
      const fields = { security: admin.nonce('nonce' in call.forgery ? call.forgery.nonce : '') }
      const address =
        call.door === 'rest' ? routeAddress(restPath(call)) : `/wp-admin/admin-ajax.php?action=${call.name}`
      const answer = await admin.send(address, {
        method: call.method,
        headers: { 'x-wp-nonce': admin.nonce('wp_rest') },
        ...(call.method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
      })
      statuses.push([call.name, answer.status])
    }
    // 400 and 422: input is checked before, and gives nothing away.
    expect(statuses.filter(([, status]) => ![400, 403, 422].includes(status))).toEqual([])
    expect(statuses.filter(([, status]) => status === 403).length).toBeGreaterThan(6)
    const orders = await admin.send('/wp-json/wc/v3/orders', { headers: { 'x-wp-nonce': admin.nonce('wp_rest') } })
    expect(orders.status).toBe(403)
    const own = await admin.send(`/wp-json/wp/v2/users/${admin.id}`, {
      headers: { 'x-wp-nonce': admin.nonce('wp_rest') },
    })
    expect(own.status).toBe(403)
    // What any customer may do goes on.
    expect(await admin.page('/my-account/')).toContain('Hello, ')
  })

  it('a login leads there, and on to where it was going', async () => {
    const member = await manager()
    const device = aCustomer(shop, member.email)
    const answer = await device.logIn({ redirect: '/statistics/' })
    expect(answer.headers.get('location')).toBe(`${factorPath}?redirect=${encodeURIComponent('/statistics/')}`)
    const page = await device.page(answer.headers.get('location') ?? '')
    expect(page).toContain('name="redirect" value="/statistics/"')
    for (const elsewhere of ['https://evil.example/', '//evil.example/', '/\\evil.example', factorPath]) {
      expect(await device.page(`${factorPath}?redirect=${encodeURIComponent(elsewhere)}`)).not.toContain(
        'name="redirect"',
      )
    }
  })

  it('customers and strangers find no such page', async () => {
    const ada = aCustomer(shop, 'ada@example.test')
    await ada.register()
    expect((await ada.send(factorPath, html)).status).toBe(404)
    expect((await postFactor(ada, 'begin', { password_current: goodPassword })).status).toBe(404)
    expect(await aCustomer(shop).page(factorPath)).toContain('id="customer_login"')
  })
})

describe('T14 setting one up', () => {
  it('takes the password, then the first code; the login goes on under another token and every other one ends', async () => {
    const member = await manager()
    const elsewhere = await another(member)
    const wrong = await postFactor(member, 'begin', { password_current: 'wrong' })
    expect(await wrong.text()).toMatch(/aria-invalid="true"[^>]*aria-describedby="[^"]*"/)
    expect(await shop.db.sql`select 1 from second_factors where customer_id = ${member.id}`).toHaveLength(0)

    const secret = await beginEnrolment(member)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const notYet = await postFactor(member, 'confirm', { code: '000000' })
    expect(await notYet.text()).toMatch(/id="factor_code"[^>]*aria-invalid="true"/)
    // Nothing is open before it is confirmed.
    expect((await member.send('/statistics/', html)).status).toBe(303)

    const before = token(member)
    const confirmed = await postFactor(member, 'confirm', { code: codeOf(secret, now()) })
    expect(confirmed.headers.get('cache-control')).toMatch(/no-store/)
    const codes = [...(await confirmed.text()).matchAll(/<code>([A-Z2-7-]+)<\/code>/g)].map(([, code]) => code)
    expect(new Set(codes).size).toBe(10)
    // T31
    expect(token(member)).not.toBe(before)
    expect(await elsewhere.page('/my-account/')).toContain('id="customer_login"')
    const sessions = await shop.db.sql`select second_factor from sessions where customer_id = ${member.id}`
    expect(sessions.map(({ second_factor }) => second_factor)).toEqual([true])
    expect((await member.send('/statistics/', html)).status).toBe(200)
    const page = await member.page(factorPath)
    expect(page).toContain('10 codes are left.')
    for (const told of [secret, ...codes]) expect(page).not.toContain(told)
  })

  it('begins again as often as one likes, and not once it is confirmed', async () => {
    const member = await manager()
    const first = await beginEnrolment(member)
    expect(await beginEnrolment(member)).not.toBe(first)
    const { secret } = await enrol(member, now())
    expect(await beginEnrolment(member)).toBe('')
    later()
    const device = await another(member)
    await postFactor(device, 'show', { code: codeOf(secret, now()) })
    expect((await device.send('/statistics/', html)).status).toBe(200)
  })

  it('T37 neither secret nor codes stand in the database, in what a customer may take away, or in the log', async () => {
    const member = await manager()
    const { secret, recoveryCodes } = await enrol(member, now())
    const kept = await shop.db.sql`select f.*, r.digest from second_factors f join recovery_codes r using (customer_id)
      where customer_id = ${member.id}`
    expect(kept).toHaveLength(10)
    const data = await exportCustomer(shop.shop.application.tools, member.id)
    for (const told of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(told).not.toBe('')
      for (const text of [JSON.stringify(kept), JSON.stringify(data), logged.join('\n')])
        expect(text).not.toContain(told)
    }
  })
})

describe('T14 a login of who has one', () => {
  it('opens nothing before the code, neither of the staff nor of the account', async () => {
    const member = await manager()
    const { secret } = await enrol(member, now())
    later()
    const device = aCustomer(shop, member.email)
    const answer = await device.logIn({ redirect: '/statistics/' })
    expect(answer.headers.get('location')).toContain(factorPath)
    for (const path of [
      '/my-account/',
      '/my-account/edit-account/',
      '/my-account/orders/',
      '/statistics/',
      '/translate/',
    ]) {
      expect((await device.send(path, html)).headers.get('location')).toContain(factorPath)
    }
    for (const action of ['begin', 'confirm', 'renew', 'drop']) {
      // Asked for the code of the login, and for nothing else.
      const page = await (await postFactor(device, action, { password_current: goodPassword, code: '' })).text()
      expect(page).toContain('name="action" value="show"')
      expect(page).not.toContain('value="drop"')
    }
    const before = token(device)
    const shown = await postFactor(device, 'show', { code: codeOf(secret, now()), redirect: '/statistics/' })
    expect(shown.headers.get('location')).toBe('/statistics/')
    expect((await device.send('/statistics/', html)).status).toBe(200)
    // T31
    expect(token(device)).not.toBe(before)
    const old = await fetch(`${shop.url}/my-account/`, {
      headers: { cookie: `${shop.shop.application.sessionCookie}=${before}` },
    })
    expect(await old.text()).toContain('id="customer_login"')
  })

  it('T14 a new password by a mailed link goes around no code: it is asked for at the next login', async () => {
    const member = await manager()
    const { secret } = await enrol(member, now())
    later()
    const guest = aGuest(shop)
    await guest.post('/my-account/lost-password/', {
      user_login: member.email,
      wc_reset_password: 'true',
      'woocommerce-lost-password-nonce': guest.nonce('lost_password'),
    })
    await guest.send(await mailedLink(shop, member.email, /new password/))
    const password = 'violin-glacier-93'
    const done = await guest.post('/my-account/lost-password/', {
      password_1: password,
      password_2: password,
      wc_reset_password: 'true',
      'woocommerce-reset-password-nonce': guest.nonce('reset_password'),
    })
    expect(done.headers.get('location')).toBe('/my-account/?password-reset=true')
    // Whoever has chosen the password is not logged in by that, and what was open before is closed.
    for (const who of [guest, member]) {
      expect(await (await who.send('/my-account/', html)).text()).toContain('id="customer_login"')
    }
    const device = aCustomer(shop, member.email)
    const answer = await device.logIn({ password })
    expect(answer.headers.get('location')).toContain(factorPath)
    for (const path of ['/my-account/', '/statistics/', '/translate/']) {
      expect((await device.send(path, html)).headers.get('location')).toContain(factorPath)
    }
    await postFactor(device, 'show', { code: codeOf(secret, now()) })
    expect((await device.send('/statistics/', html)).status).toBe(200)
  })

  it('a code counts once, half a minute early or late, and never later', async () => {
    const member = await manager()
    const { secret } = await enrol(member, now())
    later()
    const at = now().getTime()
    const tries = async (offset: number) => {
      const device = await another(member)
      return (await postFactor(device, 'show', { code: codeOf(secret, new Date(at + offset)) })).status
    }
    for (const offset of [-60_000, 60_000]) expect(await tries(offset)).toBe(200)
    for (const offset of [-30_000, 0, 30_000]) {
      expect(await tries(offset)).toBe(303)
      expect(await tries(offset)).toBe(200)
    }
  })

  it('of one code sent twice at the same time, one counts', async () => {
    const member = await manager()
    const { secret, recoveryCodes } = await enrol(member, now())
    later()
    for (const code of [codeOf(secret, now()), recoveryCodes[0] ?? '']) {
      const devices = await Promise.all([another(member), another(member), another(member)])
      const answers = await Promise.all(devices.map((device) => postFactor(device, 'show', { code })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 303])
    }
  })

  it('a code for an emergency will do, once, however it is written', async () => {
    const member = await manager()
    const { secret, recoveryCodes } = await enrol(member, now())
    later()
    const [first = '', second = ''] = recoveryCodes
    const typed = first.toLowerCase().replaceAll('-', ' ')
    const device = await another(member)
    expect((await postFactor(device, 'show', { code: typed })).status).toBe(303)
    expect(await device.page(factorPath)).toContain('9 codes are left.')
    expect((await postFactor(await another(member), 'show', { code: first })).status).toBe(200)
    // New ones take the place of those before.
    await postFactor(device, 'renew', { code: codeOf(secret, now()) })
    expect((await postFactor(await another(member), 'show', { code: second })).status).toBe(200)
    expect(await device.page(factorPath)).toContain('10 codes are left.')
  })

  it('T32 after five wrong codes the right one has to wait too, with the time said, on every device', async () => {
    const member = await manager()
    const { secret } = await enrol(member, now())
    later()
    const device = await another(member)
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await postFactor(device, 'show', { code: '12345x' })).status).toBe(200)
    }
    const code = () => codeOf(secret, now())
    for (const who of [device, await another(member)]) {
      const refused = await postFactor(who, 'show', { code: code() })
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    // No lock for good.
    offsetMs += 4 * minuteMs
    expect((await postFactor(device, 'show', { code: code() })).status).toBe(303)
    const said = logged.filter((line) => line.includes(`{"customerId":${member.id},"by":"second factor"`))
    expect(said.map((line) => /"([^"]*)"\]$/.exec(line)?.[1])).toEqual([
      'second factor accepted',
      ...Array.from({ length: 5 }, () => 'second factor rejected'),
      'second factor rate limited',
      'second factor rate limited',
      'second factor accepted',
    ])
  })

  it('can be taken away with a code, and by who looks after the shop; then nothing is open until there is another', async () => {
    const member = await manager()
    const { secret } = await enrol(member, now())
    later()
    expect((await postFactor(member, 'drop', { code: '000000' })).status).toBe(200)
    expect((await postFactor(member, 'drop', { code: codeOf(secret, now()) })).status).toBe(303)
    expect((await member.send('/statistics/', html)).status).toBe(303)
    await enrol(member, now())
    expect((await member.send('/statistics/', html)).status).toBe(200)

    const { tools } = shop.shop.application
    expect(await resetSecondFactor(tools, member.id, 'the desk')).toBe(true)
    expect(await resetSecondFactor(tools, member.id, 'the desk')).toBe(false)
    expect(await member.page('/my-account/')).toContain('id="customer_login"')
    const device = await another(member)
    expect((await device.send('/statistics/', html)).status).toBe(303)
    const log = await shop.db
      .sql`select who, action from access_log where subject = ${`customer:${member.id}`} order by id`
    expect(log.map(({ who, action }) => `${action} by ${who === 'the desk' ? who : 'themselves'}`)).toEqual([
      'second factor set up by themselves',
      'second factor taken away by themselves',
      'second factor set up by themselves',
      'second factor reset by the desk',
      'second factor reset by the desk',
    ])
  })

  it('T31 half an hour without a request ends the login, also before the code', async () => {
    const member = await manager()
    await enrol(member, now())
    later()
    const device = aCustomer(shop, member.email)
    await device.logIn({ rememberme: 'forever' })
    offsetMs += 31 * minuteMs
    for (const who of [device, member]) expect(await who.page('/my-account/')).toContain('id="customer_login"')
  })
})

describe('T14 tries that were refused', () => {
  it('are written down with who and what, pages and calls alike, as a list that nobody can fill', async () => {
    const ada = aCustomer(shop, 'eve@example.test')
    await ada.register()
    const [row] = await shop.db.sql`select id from customers where email = ${ada.email}`
    const who = `customer:${row?.id}`
    const rest = { headers: { 'x-wp-nonce': ada.nonce('wp_rest') } }
    await ada.send('/statistics/', html)
    await ada.send('/wp-json/wp/v2/media', rest)
    await ada.send('/wp-json/wc/v3/orders', rest)
    await ada.send('/wp-json/wp/v2/users/1', rest)
    const denied = () =>
      shop.db.sql`select subject from access_log where action = 'denied' and who = ${who} order by id`
    expect((await denied()).map(({ subject }) => subject)).toEqual([
      'page:/statistics/',
      'call:media',
      'call:orders',
      'call:users/:id',
    ])
    for (let tries = 0; tries < 40; tries += 1) await ada.send('/statistics/', html)
    expect((await denied()).length).toBeLessThanOrEqual(31)
  })
})

it('T14 a shop that was just filled has no account of staff, and no password that comes with it', async () => {
  await using fresh = await aShop({ wallet: false })
  expect(await fresh.db.sql`select email from customers`).toEqual([])
})

it('T14 where the shop asks for none, who has one is asked all the same', async () => {
  await using open = await aShop({
    wallet: false,
    environment: { clock: shop.shop.application.tools.clock },
  })
  const member = await staffMember(open, 'manager@example.test', 'shop_manager')
  expect((await member.send('/statistics/', html)).status).toBe(200)
  await enrol(member, now())
  const device = aCustomer(open, member.email)
  await device.logIn()
  expect((await device.send('/statistics/', html)).headers.get('location')).toContain(factorPath)
})
