import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { addressOfLink, requestEmailLink } from '#shop/customers/confirm-email.ts'
import { hashPassword } from '#shop/customers/credentials/password.ts'
import { isResetLink } from '#shop/customers/credentials/reset-password.ts'
import { accountMailDue } from '#shop/mail/account-mail.ts'
import { aCustomer, type Customer, goodPassword } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({ wallet: false })
})
afterAll(() => shop?.close())
beforeEach(() => shop.db.sql`delete from rate_limits`)

const tools = () => shop.shop.application.tools

let count = 0
async function anAccount(): Promise<Customer & { id: number }> {
  count += 1
  const customer = aCustomer(shop, `mailed${count}@example.test`)
  await customer.register()
  // The shop's own job has made the link of the welcome: it does not wait beside what is tested.
  const welcomed = () =>
    shop.db.sql`select id from customers where email = ${customer.email} and email_digest is not null`
  await expect.poll(welcomed, { timeout: 20_000 }).toHaveLength(1)
  const [row] = await welcomed()
  return Object.assign(customer, { id: Number(row?.id) })
}

/**
 * Forces the order of a race: `late` reads the customer, then waits for the row, which is changed first.
 * @returns what `late` gives
 */
async function changedMeanwhile<Result>(
  id: number,
  change: Record<string, unknown>,
  late: () => Promise<Result>,
): Promise<Result> {
  const { sql } = shop.db
  const running: Promise<Result>[] = []
  await sql.begin(async (tx) => {
    await tx`update customers set ${tx(change)} where id = ${id}`
    running.push(late())
    await vi.waitFor(
      async () => {
        const waiting = await sql`select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database() and query like '%customers%'`
        expect(waiting).toHaveLength(1)
      },
      { timeout: 10_000 },
    )
  })
  const [result] = running
  if (!result) throw new Error('nothing was begun')
  return result
}

describe('T13 a mailed link', () => {
  it('for an address that is wanted no more is not made: no mailbox confirms the address of another', async () => {
    const ada = await anAccount()
    await shop.db.sql`update customers set email_wanted = 'first@example.test' where id = ${ada.id}`
    const change = { email_wanted: 'second@example.test', email_digest: null, email_expires_at: null }
    const due = await changedMeanwhile(ada.id, change, () =>
      accountMailDue(tools(), { kind: 'confirm-email', customerId: ada.id }),
    )
    expect(due).toBeNull()
    const [row] = await shop.db.sql`select email_wanted, email_digest from customers where id = ${ada.id}`
    expect(row).toEqual({ email_wanted: 'second@example.test', email_digest: null })
  })

  it('to welcome a customer confirms the address that it is sent to, and no other', async () => {
    const ada = await anAccount()
    await shop.db
      .sql`update customers set email_wanted = 'elsewhere@example.test', email_digest = null where id = ${ada.id}`
    const due = await accountMailDue(tools(), { kind: 'welcome', customerId: ada.id })
    const confirmed = due?.link ? await addressOfLink(tools(), due.link) : null
    expect(confirmed ?? ada.email).toBe(ada.email)
    const [row] = await shop.db.sql`select email_digest from customers where id = ${ada.id}`
    expect(row?.email_digest).toBeNull()
  })

  it('for a new password goes to the address that the account has when the link is made', async () => {
    const ada = await anAccount()
    const email = `moved${ada.id}@example.test`
    const change = { email, reset_digest: null, reset_expires_at: null }
    const due = await changedMeanwhile(ada.id, change, () =>
      accountMailDue(tools(), { kind: 'reset-password', login: ada.email.split('@')[0] ?? '' }),
    )
    expect(due?.email).toBe(email)
    expect(due?.kind === 'reset-password' && (await isResetLink(tools(), due.link))).toBe(true)
  })

  it('asked for once more does not put the old address in the place of one that was wanted meanwhile', async () => {
    const ada = await anAccount()
    await shop.db.sql`update customers set email_wanted = null where id = ${ada.id}`
    await changedMeanwhile(ada.id, { email_wanted: 'third@example.test' }, () =>
      requestEmailLink(tools(), ada.id, '127.0.0.1'),
    )
    const [row] = await shop.db.sql`select email_wanted from customers where id = ${ada.id}`
    expect(row?.email_wanted).toBe('third@example.test')
  })
})

it('T13 a login that renews an outdated digest does not bring a replaced password back', async () => {
  const ada = await anAccount()
  const { settings, chance } = tools()
  const cheap = { ...settings.accounts.argon2, passes: settings.accounts.argon2.passes + 1 }
  const before = { chance, settings: { ...settings, accounts: { ...settings.accounts, argon2: cheap } } }
  const outdated = await hashPassword(before, goodPassword)
  const replaced = await hashPassword(tools(), 'violin-glacier-93')
  await shop.db.sql`update customers set password = ${outdated} where id = ${ada.id}`
  const device = aCustomer(shop, ada.email)
  await changedMeanwhile(ada.id, { password: replaced }, () => device.logIn())
  const [row] = await shop.db.sql`select password from customers where id = ${ada.id}`
  expect(row?.password).toBe(replaced)
  expect(await device.page('/my-account/')).toContain('id="customer_login"')
})
