import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeSettings } from '#database/operations/configuration.ts'
import { isResetLink } from '#shop/customers/credentials/reset-password.ts'
import { emptyAddress } from '#shop/customers/sessions/session-state.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { customersCommand } from './customers.ts'

let db: TestDatabase
afterEach(() => db.close())
const address = {
  ...emptyAddress,
  first_name: 'Ida',
  last_name: 'Vale',
  address_1: '1 Quay Street',
  city: 'Oakland',
  state: 'CA',
  postcode: '94607',
  country: 'US',
  phone: '555 0100',
}
beforeEach(async () => {
  db = await aDatabase()
  await db.sql`insert into customers (email, username, first_name, last_name, display_name, password, billing, created_at, updated_at) values
    ('ida@example.test', 'ida', 'Ida', 'Vale', 'Ida', '$argon2id$secret', ${db.sql.json(address)}, '2026-05-01T10:00Z', now()),
    ('kim@example.test', 'kim', '', '', 'Kim', null, '{}', '2026-05-02T10:00Z', now())`
  const order = (id: number, total: number, paid: boolean) => db.sql`
    insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
      payment_method, payment_method_title, created_at, updated_at, paid_at, customer_id)
    values (${id}, ${`k${id}`}, ${paid ? 'completed' : 'pending'}, 's', ${`i${id}`}, '', 'USD', false, ${total}, '{}', '{}', 'cod', 'Cash',
      '2026-05-10T12:00Z', now(), ${paid ? '2026-05-10T12:00Z' : null}, 1)`
  await order(1001, 4108, true)
  await order(1002, 1000, true)
  await order(1003, 9900, false)
  await db.sql`insert into refunds (order_id, key, body_hash, state, made_by, by_provider, amount, currency, created_at) values
    (1002, 'a', '', 'done', 'shop', false, 400, 'USD', now()), (1002, 'b', '', 'refused', 'shop', false, 100, 'USD', now())`
})

const customers = (...args: string[]) => runCommand(customersCommand, db, ...args)
const looked = async () =>
  (await db.sql`select who, action, subject from access_log order by id`).map((row) => Object.values(row).join(' | '))
const jobs = async () => (await db.sql`select payload from graphile_worker._private_jobs`).map(({ payload }) => payload)

describe('npm run shop -- customers', () => {
  it('lists customers with what they paid and kept', async () => {
    const { code, out } = await customers()
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['Number', 'Name', 'Email', 'Role', 'Orders', 'Spent (USD)', 'Last order (UTC)', 'Since (UTC)'],
      ['2', 'Kim', 'kim@example.test', 'customer', '0', '0.00', '2026-05-02 10:00'],
      // 41.08 and 10.00, of which 4.00 went back; the third is not paid.
      ['1', 'Ida Vale', 'ida@example.test', 'customer', '3', '47.08', '2026-05-10 12:00', '2026-05-01 10:00'],
    ])
    const numbers = async (...args: string[]) =>
      JSON.parse((await customers('list', '--json', ...args)).out).map(({ id }: { id: number }) => id)
    expect(await numbers('--sort', 'spent')).toEqual([1, 2])
    expect(await numbers('a val')).toEqual([1])
    expect(await numbers('--role', 'administrator')).toEqual([])
    expect(await numbers('k_m')).toEqual([])
    expect((await customers('--csv', '--limit', '1')).out.split('\n')[1]).toBe(
      '2,Kim,kim@example.test,customer,0,0.00,,2026-05-02 10:00',
    )
  })

  it('shows one by address, user name or number, and nothing that opens the account', async () => {
    for (const name of ['IDA@example.test', 'ida', '1']) {
      const { out } = await customers('show', name)
      for (const line of [
        /^Ida Vale$/m,
        /^Email +ida@example\.test$/m,
        /^Bought +3 orders, 47\.08 USD/m,
        /^ {2}Oakland, CA 94607$/m,
        /^ {2}555 0100$/m,
        /^ {2}1001 {2}2026-05-10 12:00 {2}completed {2,}41\.08 USD$/m,
      ])
        expect(out).toMatch(line)
    }
    const { out } = await customers('show', '1', '--json')
    expect(JSON.parse(out)).toMatchObject({ id: 1, spent: '47.08', billing: { city: 'Oakland' }, orders: [{}, {}, {}] })
    expect(out).not.toMatch(/argon2|password|digest/)
  })

  it('P15 every look at personal data is put down with who looked', async () => {
    await customers('list', '--search', 'ida', '--page', '1')
    await customers('show', 'ida')
    await customers('reset-link', 'ida')
    await customers('role', 'ida', 'shop_manager')
    await runCommandWith({ who: 'root' }, customersCommand, db, 'show', 'kim')
    await customers('show', 'nobody')
    expect(await looked()).toEqual([
      'tester | customers list | list search=ida page=1',
      'tester | customers show | customer:1',
      'tester | customers reset-link | customer:1',
      'tester | customers role shop_manager | customer:1',
      'root | customers show | customer:2',
    ])
  })

  it('opens an account whose owner chooses the password by a mailed link', async () => {
    const { code, out } = await customers(
      'create',
      ' Sol@Example.test',
      '--first-name',
      'Sol',
      '--role',
      'shop_manager',
    )
    expect([code, out]).toEqual([0, 'Created customer 3: sol@example.test, user name sol, role shop_manager.'])
    const [row] = await db.sql`select * from customers where id = 3`
    expect(row).toMatchObject({ password: null, first_name: 'Sol', display_name: 'Sol', role: 'shop_manager' })
    expect(await jobs()).toEqual([{ kind: 'open-account', email: 'sol@example.test' }])
    await customers('create', 'quiet@example.test', '--no-mail')
    expect(await jobs()).toHaveLength(1)
  })

  it('changes roles, which ends every login', async () => {
    await db.sql`insert into sessions (id, customer_id, state, expires_at) values ('x', 1, '{}', now() + interval '1 day')`
    expect((await customers('show', 'ida')).out).toMatch(/^Logged in +on 1 device$/m)
    expect((await customers('role', 'ida', 'translator')).err).toMatch(
      /has the role translator, and all logins were ended/,
    )
    expect((await customers('role', 'ida', 'administrator')).err).toMatch(
      /has the role administrator, and all logins were ended/,
    )
    expect((await customers('show', 'ida')).out).toMatch(/^Logged in +on 0 devices$/m)
    expect((await customers('role', 'ida', 'administrator')).err).toMatch(/already/)
  })

  it('frees somebody from tax, and takes it back', async () => {
    await customers('exempt', 'ida', 'yes')
    expect((await customers('show', 'ida')).out).toMatch(/^Tax +pays none$/m)
    await customers('exempt', 'ida', 'no')
    expect((await customers('show', 'ida')).out).not.toMatch(/^Tax/m)
  })

  it('makes a link that opens the form once', async () => {
    const { out } = await customers('reset-link', 'kim')
    const url = new URL(out)
    expect(url.pathname).toBe('/my-account/lost-password/')
    const link = { customerId: Number(url.searchParams.get('id')), key: url.searchParams.get('key') ?? '' }
    const tools = { db, clock: { now: () => new Date() } } as never
    expect(await isResetLink(tools, link)).toBe(true)
    await customers('reset-link', 'kim')
    expect(await isResetLink(tools, link)).toBe(false)
  })

  it('gives out all that is held about somebody, and puts that down', async () => {
    const { out } = await customers('export', 'ida')
    expect(JSON.parse(out)).toMatchObject({
      account: { email: 'ida@example.test' },
      addresses: { billing: { city: 'Oakland' } },
    })
    expect(out).not.toContain('argon2')
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    const file = join(folder, 'ida.json')
    expect((await customers('export', 'ida', '--out', file)).code).toBe(0)
    expect([JSON.parse(await readFile(file, 'utf8')).account.number, (await stat(file)).mode & 0o777]).toEqual([
      1, 0o600,
    ])
    expect(await customers('export', 'ida', '--out', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exist/),
    })
    await rm(folder, { recursive: true })
    expect(await looked()).toEqual(Array.from({ length: 3 }, () => 'tester | customers export | customer:1'))
  })

  it('closes an account for good only when it is meant', async () => {
    const there = async () => (await db.sql`select id from customers order by id`).map(({ id }) => id)
    expect((await customers('erase', 'kim')).err).toBe(
      'Error: confirm with --yes: erase the account of kim@example.test for good.',
    )
    expect(await there()).toEqual([1, 2])
    expect((await customers('erase', 'kim', '--yes')).code).toBe(0)
    expect(await there()).toEqual([1])
    expect(await looked()).toEqual(['tester | erased | customer:2'])
    await customers('role', 'ida', 'administrator')
    expect((await customers('erase', 'ida', '--yes')).err).toMatch(/is staff\. Change the role first: customers role/)
    expect(await there()).toEqual([1])
  })

  describe('of somebody who ordered as a guest', () => {
    const asGuest = (id: number, email: string, status: string) => db.sql`
      insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing, shipping,
        payment_method, payment_method_title, customer_ip, created_at, updated_at)
      values (${id}, ${`k${id}`}, ${status}, 's', ${`i${id}`}, '', 'USD', false, 1000, ${db.sql.json({ ...address, email })}, '{}',
        'cod', 'Cash', '203.0.113.7', '2026-05-11T12:00Z', now())`
    const holders = async () =>
      (await db.sql`select id from orders where billing ->> 'last_name' = 'Vale' order by id`).map(({ id }) => id)
    const exported = async (name: string) =>
      JSON.parse((await customers('export', name)).out).orders.map(({ number }: { number: number }) => number)

    it('gives out and erases by the address of the orders, those under way later, and puts both down', async () => {
      await asGuest(2001, 'Gus@example.test', 'completed')
      await asGuest(2002, 'gus@example.test', 'processing')
      await asGuest(2003, 'other@example.test', 'completed')
      expect(await exported('gus@example.test')).toEqual([2001, 2002])
      const erase = () => customers('erase', 'gus@example.test', '--yes')
      expect(await erase()).toMatchObject({
        code: 1,
        err: expect.stringMatching(/settings privacy\.keepOrderData false/),
      })
      expect(await holders()).toEqual([2001, 2002, 2003])

      await writeSettings(db, { privacy: { keepOrderData: false } })
      expect((await customers('erase', 'gus@example.test')).err).toMatch(
        /^Error: confirm with --yes: erase all personal data from 2 orders of gus@example\.test/,
      )
      expect(await erase()).toMatchObject({
        code: 0,
        err: expect.stringMatching(/from 1 order\.\n1 order in progress/),
      })
      expect(await holders()).toEqual([2002, 2003])
      await db.sql`update orders set status = 'completed' where id = 2002`
      expect(await erase()).toMatchObject({ code: 0, err: 'Erased personal data from 1 order.' })
      expect(await holders()).toEqual([2003])
      expect(await erase()).toMatchObject({ code: 1, err: expect.stringMatching(/does not exist/) })
      expect(await looked()).toEqual([
        'tester | customers export | order:2001',
        'tester | customers export | order:2002',
        'tester | erased | order:2001',
        'tester | erased | order:2002',
        'tester | erased | order:2002',
      ])
    })

    it('counts what was ordered without logging in as the account’s whose address it is', async () => {
      await writeSettings(db, { privacy: { keepOrderData: false } })
      await asGuest(2001, 'kim@example.test', 'completed')
      expect(await exported('kim')).toEqual([2001])
      expect((await customers('export', 'kim')).err).toMatch(
        /^Warning: kim@example\.test is not a verified email.*1 guest order/,
      )
      await db.sql`update customers set email_verified_at = now() where email = 'kim@example.test'`
      expect((await customers('export', 'kim')).err).toBe('')
      await customers('erase', 'kim', '--yes')
      expect(await holders()).toEqual([])
    })
  })

  it.each([
    [['show', 'nobody'], 1, /customer "nobody" does not exist/],
    [['role', 'ida', 'admin'], 2, /^Error: unknown role "admin"\. .*\nDid you mean "administrator"/],
    [['exempt', 'ida', 'maybe'], 2, /"maybe" is neither yes nor no/],
    [['create', 'ida@example.test'], 1, /"ida@example\.test" has an account already/],
    [['create', 'ida'], 1, /"ida" is not an email address/],
    [['create', 'x@example.test', '--username', 'IDA'], 1, /"IDA" is the user name of another account/],
    [['create', 'x@example.test', '--username', '<b>'], 1, /"<b>" is not a user name: letters/],
    [['create', 'x@example.test', '--role', 'boss'], 2, /unknown role "boss"/],
    [['--sort', 'age'], 2, /unknown sort order "age"/],
    [['lst'], 2, /Did you mean "customers list"/],
  ])('%j ends with %i and says why', async (args, code, words) => {
    expect(await customers(...args)).toMatchObject({ code, err: expect.stringMatching(words), out: '' })
  })
})
