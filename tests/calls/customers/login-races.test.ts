import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let offsetMs = 0
const ids: Record<string, number> = {}
beforeAll(async () => {
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  shop = await aShop({ wallet: false, environment: { clock } })
  for (const sku of ['MUG', 'BOWL', 'CARD']) ids[sku] = await shop.idOf(sku)
})
afterAll(() => shop?.close())
beforeEach(async () => {
  offsetMs = 0
  await shop.db.sql`delete from rate_limits`
})

const sid = (visitor: Customer) => `${shop.shop.application.sessionCookie}=${token(visitor)}`
const token = (visitor: Customer) => visitor.cookies.get(shop.shop.application.sessionCookie)

/** A press under the cookie of before, as a browser sends it that has not yet heard of the login. */
function lateAdd(cookie: string, sku: string): Promise<Response> {
  const body = new URLSearchParams({ product_id: String(ids[sku]) })
  return fetch(`${shop.url}/?wc-ajax=add_to_cart`, { method: 'POST', headers: { cookie }, body })
}

const sessionCookies = (answer: Response) =>
  answer.headers.getSetCookie().filter((line) => line.startsWith(`${shop.shop.application.sessionCookie}=`))

let count = 0
async function aGuestWithAccount(): Promise<Customer> {
  count += 1
  const home = aCustomer(shop, `racer${count}@example.test`)
  await home.register()
  await home.add('CARD')
  await home.logOut()
  const guest = aCustomer(shop, home.email)
  await guest.add('MUG')
  return guest
}

describe('what a guest presses while logging in', () => {
  it('F23 counts for the customer, however login and presses overtake each other', async () => {
    for (let round = 0; round < 12; round += 1) {
      const guest = await aGuestWithAccount()
      const before = sid(guest)
      const answers = await Promise.all([
        lateAdd(before, 'BOWL'),
        lateAdd(before, 'BOWL'),
        guest.logIn(),
        lateAdd(before, 'BOWL'),
        lateAdd(before, 'MUG'),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 303, 200, 200])
      expect((await guest.cart()).sort()).toEqual(['1 Gift card', '2 Plain mug', '3 Soup bowl'])
      // Nothing that came back may put the browser under another token than the login's.
      for (const answer of answers.filter((_, index) => index !== 2)) expect(sessionCookies(answer)).toEqual([])
    }
    const [left] = await shop.db.sql`
      select count(*)::int as guests from sessions where customer_id is null and became is null`
    expect(left?.guests).toBe(0)
  })

  it('T31 the token of before sees nothing of the customer, and is dead half a minute later', async () => {
    const guest = await aGuestWithAccount()
    const before = sid(guest)
    await guest.logIn()

    const late = await lateAdd(before, 'BOWL')
    const html = JSON.stringify(await late.json())
    expect(html).toContain('Soup bowl')
    expect(html).not.toContain('Gift card')
    expect(sessionCookies(late)).toEqual([])
    expect((await guest.cart()).sort()).toEqual(['1 Gift card', '1 Plain mug', '1 Soup bowl'])
    const account = await (await fetch(`${shop.url}/my-account/`, { headers: { cookie: before } })).text()
    expect(account).toContain('id="customer_login"')

    offsetMs = 31_000
    const dead = await lateAdd(before, 'BOWL')
    const [fresh = ''] = sessionCookies(dead)
    expect(fresh).not.toBe('')
    expect(fresh).not.toContain(before)
    expect((await guest.cart()).sort()).toEqual(['1 Gift card', '1 Plain mug', '1 Soup bowl'])
  })

  it('T31 a session that ended while it was written to begins anew under another token', async () => {
    const guest = await aGuestWithAccount()
    const before = sid(guest)
    const answers = await Promise.all([
      lateAdd(before, 'BOWL'),
      shop.db.sql`delete from sessions where id = ${guest.sessionId}`,
      lateAdd(before, 'BOWL'),
    ])
    for (const answer of [answers[0], answers[2]]) expect(answer.status).toBe(200)
    const [row] = await shop.db.sql`select count(*)::int as n from sessions where id = ${guest.sessionId}`
    expect(row?.n).toBe(0)
  })

  it('F23 pressing "log in" twice logs in, and gives no stale form', async () => {
    const guest = await aGuestWithAccount()
    const before = sid(guest)
    const fields = new URLSearchParams({
      username: guest.email,
      password: 'tangerine-otter-41',
      login: '1',
      'woocommerce-login-nonce': guest.nonce('woocommerce-login'),
    })
    await guest.logIn()
    const answer = await fetch(`${shop.url}/my-account/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: before },
      body: fields,
    })
    expect(answer.status).toBe(303)
    expect((await guest.cart()).sort()).toEqual(['1 Gift card', '1 Plain mug'])
  })
})
