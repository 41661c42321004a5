import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { aClassicShop, type ClassicShop, consumerKey, consumerSecret } from '#tests/support/import/classic-shop.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import type { CommandContext } from '../shared/command.ts'
import { migrateCommand } from './migrate.ts'

let db: TestDatabase
let shop: ClassicShop
let dataDir: string
beforeEach(async () => {
  db = await aDatabase()
  shop = await aClassicShop()
  dataDir = await mkdtemp(join(tmpdir(), 'migrate-'))
})
afterEach(async () => {
  await shop.close()
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

const { clock } = systemEnvironment(systemLog('silent'))
const key = ['--key', consumerKey, '--secret', consumerSecret]

/** Runs the command against the recorded shop as if over https. */
function migrate(args: readonly string[], more: Partial<CommandContext> = {}) {
  const change = { dataDir, network: shop.network, clock: { ...clock, sleep: async () => {} }, ...more }
  return runCommandWith(change, migrateCommand, db, 'https://old.example', ...args)
}

const productCount = async () =>
  (await db.sql<{ count: number }[]>`select count(*)::int as count from products`)[0]?.count

describe('npm run shop -- migrate', () => {
  it('shows the settings and figures first, and asks', async () => {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return false
    }
    const { code, err } = await migrate(key, { ask })
    expect(code).toBe(1)
    expect(questions).toEqual(['Bring the shop old.example here?'])
    expect(err).toContain('22 settings would change:')
    expect(err).toMatch(/currency +"USD" +→ +"EUR"/)
    expect(err).toMatch(/products +9/)
    expect(err).toContain('Nothing was changed.')
    expect(await db.sql`select key from settings where key = 'currency'`).toEqual([])
    expect((await migrate(key)).err).toContain('confirm with --yes: bring the shop old.example here.')
  })

  it('migrates, prints figures and differences, and ends with 1 at faulty records', async () => {
    const strict = await migrate([...key, '--yes'])
    expect(strict.code).toBe(1)
    expect(strict.err).toContain('Error: coupons 306: products 105 are not here: the coupon would apply to everything')
    expect(strict.err).toContain('the migration stopped at 1 faulty record. Correct them in the old shop')
    const { code, err } = await migrate([...key, '--skip-faulty'])
    expect(code).toBe(0)
    expect(err).toContain('The migration from old.example continues where it stopped.')
    expect(err).toMatch(/Migrated the shop old\.example in [\d.]+ s, 4 faulty records left out\./)
    expect(await productCount()).toBe(11)
    const again = await migrate([...key, '--yes', '--skip-faulty', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ ok: true, counts: { products: { found: 9, added: 0, known: 8 } } })
  })

  it('takes the key from the environment or the terminal, and never prints it', async () => {
    const printed: string[] = []
    const outputs = async (args: readonly string[], more: Partial<CommandContext> = {}) => {
      const { code, out, err } = await migrate(args, { progress: (line) => void printed.push(line), ...more })
      printed.push(out, err)
      return code
    }
    expect(await outputs(['--dry-run'], { migrationKey: { consumerKey, consumerSecret } })).toBe(0)
    const answers = [consumerKey, consumerSecret]
    expect(await outputs(['--dry-run', '--only', 'taxes'], { askSecret: async () => answers.shift() ?? null })).toBe(0)
    expect(await outputs(['--dry-run'])).toBe(2)
    const other = `cs_${'d4'.repeat(20)}`
    expect(await outputs(['--dry-run', '--key', consumerKey, '--secret', other])).toBe(1)
    expect(printed.join('\n')).toContain('the shop refuses the key')
    for (const secret of [consumerKey, consumerSecret, other]) expect(printed.join('\n')).not.toContain(secret)
    const rows =
      await db.sql`select row_to_json(t)::text as row from migration_progress t union all select row_to_json(s)::text from settings s`
    expect(JSON.stringify(rows)).not.toContain(consumerSecret)
  })

  it('rejects wrong words before it connects', async () => {
    const cases: [string[], string][] = [
      [['--only', 'product'], '--only "product" is unknown'],
      [['--since', 'yesterday'], '--since "yesterday" is not a day in the past'],
      [['--since', '2999-01-01'], 'is not a day in the past'],
      [['--key', 'abc', '--secret', consumerSecret], 'does not begin with ck_'],
    ]
    for (const [args, problem] of cases) {
      const { code, err } = await migrate(args.includes('--key') ? args : [...key, ...args])
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(problem) })
    }
    const { code, err } = await runCommandWith({}, migrateCommand, db, 'http://old.example', ...key, '--yes')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('--insecure-http') })
    // The address comes first: no key is asked for one that cannot be used.
    const keyless = await runCommandWith({}, migrateCommand, db, 'http://old.example', '--yes')
    expect(keyless).toMatchObject({ code: 1, err: expect.stringContaining('--insecure-http') })
    expect(shop.requests).toEqual([])
  })
})
