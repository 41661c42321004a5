import { afterAll, beforeAll, expect, it } from 'vitest'
import { sha256 } from '#shop/shared/digest.ts'
import { aGuest } from '#tests/security/support/guest.ts'
import { aCustomer, mailedLink } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
const logged: string[] = []
beforeAll(async () => {
  const note = (facts: Record<string, unknown>, message: string) => void logged.push(JSON.stringify([facts, message]))
  shop = await aShop({ wallet: false, environment: { log: { info: note, warn: note, error: note } } })
})
afterAll(() => shop?.close())

const secretOf = (link: string) => new URL(link, shop.url).searchParams.get('key') ?? ''

/** Every text that the database holds about accounts and what is to be done for them. */
async function stored(): Promise<string> {
  const { sql } = shop.db
  const tables = [
    await sql`select * from customers`,
    await sql`select * from sessions`,
    await sql`select * from rate_limits`,
    await sql`select * from access_log`,
    await sql`select payload from graphile_worker._private_jobs`,
  ]
  return JSON.stringify(tables)
}

it('T13 the key of a link for a new password, or a new address, is in its message alone, and counts once', async () => {
  const ada = aCustomer(shop, 'ada@example.test')
  await ada.register()
  const guest = aGuest(shop)
  const asked = await guest.post('/my-account/lost-password/', {
    user_login: ada.email,
    'woocommerce-lost-password-nonce': guest.nonce('lost_password'),
  })
  const answers = [[...asked.headers].join('\n'), await asked.text()]
  const reset = await mailedLink(shop, ada.email, /new password/)
  const confirm = await mailedLink(shop, ada.email, /confirm/i)
  const keys = [secretOf(reset), secretOf(confirm)]
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{20,}$/)
  expect(new Set(keys).size).toBe(2)
  answers.push(await ada.page('/my-account/'), await ada.page('/my-account/edit-account/'), await stored())
  for (const key of keys) for (const text of [...answers, ...logged]) expect(text).not.toContain(key)
  expect(await stored()).toContain(sha256(keys[0] ?? ''))

  // The page behind the link does not repeat it: it stands in a cookie of that page alone.
  const opened = await guest.send(reset)
  expect(opened.headers.get('location')).not.toContain(keys[0])
  const form = await (
    await guest.send(opened.headers.get('location') ?? '', { headers: { accept: 'text/html' } })
  ).text()
  expect(form).toContain('password_1')
  expect(form).not.toContain(keys[0])
  const choose = (password: string) =>
    guest.post('/my-account/lost-password/', {
      password_1: password,
      password_2: password,
      wc_reset_password: 'true',
      'woocommerce-reset-password-nonce': guest.nonce('reset_password'),
    })
  expect((await choose('violin-glacier-93')).headers.get('location')).toContain('password-reset=true')
  const again = await aGuest(shop).send(reset)
  expect(again.status).toBe(200)
  expect(await again.text()).toContain('This link has already been used')
  for (const text of logged) expect(text).not.toContain(keys[0])
})
