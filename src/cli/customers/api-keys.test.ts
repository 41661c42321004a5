import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { apiKeysCommand } from './api-keys.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const keys = (...args: string[]) => runCommand(apiKeysCommand, db, ...args)

describe('npm run shop -- api-keys', () => {
  it('makes a key, shows it once, lists it by its end, and ends it when that is meant', async () => {
    expect((await keys()).err).toContain('There are no API keys yet.')
    const made = await keys('create', 'Bookkeeping \u001b[31m')
    expect(made.code).toBe(0)
    const [, key = ''] = /^Consumer key {5}(ck_[0-9a-f]{40})$/m.exec(made.out) ?? []
    const [, secret = ''] = /^Consumer secret {2}(cs_[0-9a-f]{40})$/m.exec(made.out) ?? []
    expect([key, secret]).not.toContain('')
    const listed = await keys('list')
    expect(listed.out).toMatch(/^ {5}1 {2}Bookkeeping +\[31m +read +…[0-9a-f]{7} .* by tester +never$/m)
    expect(listed.out).toContain(`…${key.slice(-7)}`)
    expect(listed.out + (await keys('--json')).out).not.toContain(key)
    expect(JSON.parse((await keys('--json')).out)).toMatchObject([{ id: 1, permission: 'read', endsIn: key.slice(-7) }])

    expect(await keys('revoke', '1')).toMatchObject({ code: 1, err: expect.stringContaining('confirm with --yes') })
    expect((await keys('list')).out).toContain(key.slice(-7))
    expect(await runCommandWith({ ask: async () => true }, apiKeysCommand, db, 'revoke', '1')).toMatchObject({
      code: 0,
      err: 'Revoked API key 1.',
    })
    expect(await keys('revoke', '1', '--yes')).toMatchObject({
      code: 1,
      err: 'Error: API key 1 does not exist. List them: api-keys list',
    })
    const log = await db.sql`select who, action, subject from access_log order by id`
    expect(log.map((row) => Object.values(row).join(' | '))).toEqual([
      'tester | api-keys create | api-key:1',
      'tester | api-keys revoke | api-key:1',
    ])
  })

  it('makes a key that writes where that is wanted', async () => {
    expect((await keys('create', 'Warehouse', '--permission', 'read_write')).err).toContain('(read and write)')
    expect((await keys('list')).out).toMatch(/Warehouse +read_write/)
  })

  it('says what it cannot read', async () => {
    expect((await keys('create', ' ')).code).toBe(2)
    expect((await keys('create', 'x'.repeat(101))).code).toBe(2)
    expect((await keys('create', 'ERP', '--permission', 'admin')).err).toContain('"admin" is not one of read, write')
    expect((await keys('revoke', 'all', '--yes')).err).toContain('"all" is not the number')
  })
})
