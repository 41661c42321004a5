import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { customersCommand } from './customers.ts'

let db: TestDatabase
afterEach(() => db.close())
beforeEach(async () => {
  db = await aDatabase()
  await db.sql`insert into customers (id, email, username, role, created_at, updated_at) values
    (1, 'ida@example.test', 'ida', 'customer', now(), now()),
    (2, 'sol@example.test', 'sol', 'shop_manager', now(), now()),
    (3, 'kim@example.test', 'kim', 'translator', now(), now())`
  await db.sql`insert into second_factors (customer_id, secret, confirmed_at, created_at)
    values (2, 'sealed', '2026-05-10T12:00Z', now())`
  await db.sql`insert into sessions (id, customer_id, state, expires_at) values ('x', 2, '{}', now() + interval '1 hour')`
})

const customers = (...args: string[]) =>
  runCommandWith({ publicUrl: 'https://shop.example' }, customersCommand, db, ...args)
const rows = (out: string) => out.split('\n').map((line) => line.trim().split(/ {2,}/))

describe('npm run shop -- customers', () => {
  it('T14 second-factor lists the staff, and who still has none', async () => {
    const { code, out } = await customers('second-factor')
    expect(code).toBe(0)
    expect(rows(out)).toEqual([
      ['Number', 'Email', 'Role', 'Second factor'],
      ['2', 'sol@example.test', 'shop_manager', 'since 2026-05-10 12:00 UTC'],
      ['3', 'kim@example.test', 'translator', 'none: required at the next login'],
    ])
    expect((await customers('second-factor', '--json')).out).not.toContain('sealed')
    const local = await runCommandWith({ publicUrl: 'http://localhost:3000' }, customersCommand, db, 'second-factor')
    expect(rows(local.out)[2]).toEqual(['3', 'kim@example.test', 'translator', 'none'])
  })

  it('T14 second-factor --reset asks, takes it away, ends the logins and is written down', async () => {
    expect((await customers('second-factor', 'sol')).code).toBe(2)
    expect((await customers('second-factor', '--reset')).code).toBe(2)
    expect((await customers('second-factor', 'nobody', '--reset', '--yes')).code).toBe(1)
    expect((await customers('second-factor', 'sol', '--reset')).code).toBe(1)
    expect(await db.sql`select 1 from second_factors`).toHaveLength(1)
    const { code, err } = await customers('second-factor', 'sol', '--reset', '--yes')
    expect([code, err]).toEqual([0, 'Reset the second factor of sol@example.test and ended all logins.'])
    expect(await db.sql`select 1 from second_factors`).toHaveLength(0)
    expect(await db.sql`select 1 from sessions`).toHaveLength(0)
    const log = await db.sql`select who, action, subject from access_log`
    expect(log.map((row) => Object.values(row).join(' | '))).toEqual(['tester | second factor reset | customer:2'])
    expect((await customers('second-factor', 'sol', '--reset', '--yes')).code).toBe(1)
  })

  it('T31 log-out ends the logins of one account, or of all, and no cart of anybody’s', async () => {
    const hour = "now() + interval '1 hour'"
    await db.sql`insert into sessions (id, customer_id, state, expires_at) values
      ('y', 2, '{}', ${db.sql.unsafe(hour)}), ('z', 1, '{}', ${db.sql.unsafe(hour)}),
      ('guest', null, '{"cart":[]}', ${db.sql.unsafe(hour)})`
    const left = async () => (await db.sql`select id from sessions order by id`).map(({ id }) => id)
    expect((await customers('log-out')).code).toBe(2)
    expect((await customers('log-out', 'sol', '--all')).code).toBe(2)
    expect((await customers('log-out', 'nobody')).code).toBe(1)
    // Nobody sits at the terminal who could mean it.
    expect((await customers('log-out', '--all')).code).toBe(1)
    expect(await left()).toEqual(['guest', 'x', 'y', 'z'])

    const sol = await customers('log-out', 'sol@example.test')
    expect([sol.code, sol.err]).toEqual([0, 'Ended 2 logins of sol@example.test.'])
    expect(await left()).toEqual(['guest', 'z'])
    expect((await customers('log-out', 'sol')).err).toBe('Ended 0 logins of sol@example.test.')
    expect((await customers('log-out', '--all', '--yes')).err).toBe('Ended 1 login of all accounts.')
    expect(await left()).toEqual(['guest'])
    const log = await db.sql`select who, action, subject from access_log order by id`
    expect(log.map((row) => Object.values(row).join(' | '))).toEqual([
      'tester | customers log-out | customer:2',
      'tester | customers log-out | customer:2',
      'tester | customers log-out | all',
    ])
  })

  it('T14 denied lists who wanted what is the staff’s, the last first', async () => {
    expect((await customers('denied')).err).toBe('No request was denied.')
    await db.sql`insert into access_log (at, who, action, subject) values
      ('2026-05-10T12:00Z', 'customer:1', 'denied', 'page:/statistics/'),
      ('2026-05-10T12:01Z', 'tester', 'customers show', 'customer:1'),
      ('2026-05-10T12:02Z', 'customer:99', 'denied', 'call:media')`
    expect(rows((await customers('denied')).out)).toEqual([
      ['When (UTC)', 'Who', 'Wanted'],
      ['2026-05-10 12:02', 'customer:99', 'call:media'],
      ['2026-05-10 12:00', 'ida@example.test', 'page:/statistics/'],
    ])
    expect(JSON.parse((await customers('denied', '--json', '--limit', '1')).out)).toEqual([
      { at: '2026-05-10T12:02:00.000Z', who: 'customer:99', email: null, wanted: 'call:media' },
    ])
  })
})
