import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { commands } from '../commands.ts'
import { completionCommand } from './completion.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'completion-'))
  await db.sql`insert into products (type, sku, name, slug) values
    ('simple', 'MUG', 'Mug', 'mug'), ('simple', 'MUG-SEA', 'Mug', 'mug-2'), ('simple', 'mug', 'Mug', 'mug-3'),
    ('simple', ${'MUG $(touch hacked)'}, 'Trap', 'trap'), ('simple', ${'MUG\nX'}, 'Lines', 'lines'), ('simple', 'A%', 'A', 'a')`
  await db.sql`insert into settings (key, value) values ('currencies', '[{"code": "GBP"}, {"code": "EUR"}]')`
  await db.sql`insert into coupons (code, type, amount_ppm) values ('spring', 'percent', 1), ('summer', 'percent', 1)`
  await db.sql`insert into categories (name, slug) values ('Glass', 'glass')`
  await db.sql`insert into customers (email, username, created_at, updated_at) values ('ida@example.test', 'ida', now(), now())`
  for (const id of [1001, 1002, 2001]) {
    await db.sql`insert into orders (id, key, status, session_id, intention, cart_hash, currency, prices_include_tax, total, billing,
      shipping, payment_method, payment_method_title, created_at, updated_at)
      values (${id}, ${`k${id}`}, 'pending', 's', ${`i${id}`}, '', 'USD', false, 1, '{}', '{}', 'cod', 'Cash', now(), now())`
  }
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const command = completionCommand(() => commands)
/** What fits at the end of a line; a blank at its end begins a new word. */
async function fits(line: string): Promise<string[]> {
  const { out } = await runCommand(command, db, 'words', ...line.split(' '))
  return out === '' ? [] : out.split('\n')
}

describe('npm run shop -- completion', () => {
  it('completes commands and the commands of commands', async () => {
    expect(await fits('')).toEqual(expect.arrayContaining(['orders', 'products', 'coupons', 'customers', 'settings']))
    expect(await fits('co')).toEqual(['completion', 'config', 'coupons'])
    expect(await fits('orders ')).toEqual([
      'list',
      'show',
      'terms',
      'note',
      'move',
      'capture',
      'release',
      'refund',
      'shipment',
      'cancel',
      'pay-link',
    ])
    expect(await fits('products pu')).toEqual(['publish'])
    expect(await fits('nonsense ')).toEqual([])
  })

  it('completes options, each once unless it may be given again', async () => {
    expect(await fits('orders refund 1001 --re')).toEqual(['--restock', '--reason'])
    expect(await fits('orders refund 1001 --restock --re')).toEqual(['--reason'])
    expect(await fits('orders refund 1001 --lines MUG --l')).toEqual(['--lines'])
    expect(await fits('orders --st')).toEqual(['--status'])
    expect(await fits('import products.csv --dr')).toEqual(['--dry-run'])
  })

  it('completes values of options and places', async () => {
    expect(await fits('orders list --status comp')).toEqual(['completed'])
    expect(await fits('orders list --status=pr')).toEqual(['--status=processing'])
    expect(await fits('orders move 1001 can')).toEqual(['cancelled'])
    expect(await fits('orders show 10')).toEqual(['1002', '1001'])
    expect(await fits('orders note 1001 ')).toEqual([])
    expect(await fits('products list --category g')).toEqual(['glass'])
    expect(await fits('coupons edit s')).toEqual(['spring', 'summer'])
    expect(await fits('currencies set ')).toEqual(['EUR', 'GBP'])
    expect(await fits('currencies set EUR a')).toEqual(['auto'])
    expect(await fits('settings taxes.pricesI')).toEqual(['taxes.pricesIncludeTax'])
    expect(await fits('completion b')).toEqual(['bash'])
    expect(await fits('products edit BOWL --keeps-method y')).toEqual(['yes'])
  })

  it('completes SKUs as they are written, in lists too, and none that breaks its line', async () => {
    expect(await fits('products edit MUG')).toEqual(['MUG', 'MUG $(touch hacked)', 'MUG-SEA'])
    expect(await fits('products edit MUG-SEA,MUG-')).toEqual(['MUG-SEA,MUG-SEA'])
    expect(await fits('products edit A --price 1 m')).toEqual(['mug'])
    expect(await fits('products show %')).toEqual([])
    expect(await fits('coupons add x --products MUG-')).toEqual(['MUG-SEA'])
  })

  it('P15 shows no customer by the way', async () => {
    for (const line of ['customers show ', 'customers role i', 'orders list --customer i'])
      expect(await fits(line)).toEqual([])
  })

  it.each([[[]], [['tcsh']], [['bash', 'more']]])('%j is refused', async (args) => {
    expect(await runCommand(command, db, ...args)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^Error: (?:name the shell|unknown shell)/),
    })
  })

  it('works in bash, quotes what a stranger named, and keeps what stands before a colon', async () => {
    const { out: script } = await runCommand(command, db, 'bash')
    const file = join(folder, 'shop.bash')
    await writeFile(file, script)
    const press = async (line: string) => {
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-c', `source "$0"; COMP_LINE="$1"; COMP_POINT=\${#1}; _shop; printf '%s\n' "\${COMPREPLY[@]}"`, file, line],
        { env: { ...process.env, DATABASE_URL: db.url } },
      )
      return stdout.trim() === '' ? [] : stdout.trim().split('\n')
    }
    expect(await press('shop orders sho')).toEqual(['show'])
    expect(await press('shop orders show 2')).toEqual(['2001'])
    expect(await press('shop orders list --status=ca')).toEqual(['cancelled'])
    expect(await press('shop products edit MUG')).toEqual(['MUG', 'MUG\\ \\$\\(touch\\ hacked\\)', 'MUG-SEA'])
    expect(await press('shop orders ')).toContain('refund')
  }, 60_000)

  it('ends quietly where nobody reads on', async () => {
    const child = spawn(process.execPath, ['src/cli/main.ts', 'completion', 'bash'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect([err, code]).toEqual(['', 0])
  }, 30_000)

  it('bash completes commands where no shop runs, and starts none', async () => {
    const place = { ...process.env, DATA_DIR: join(folder, 'none'), DATABASE_URL: '' }
    const words = (...line: string[]) =>
      promisify(execFile)(process.execPath, ['src/cli/main.ts', 'completion', 'words', ...line], { env: place })
    expect((await words('orders', 'can')).stdout).toBe('cancel\n')
    expect((await words('products', 'show', '')).stdout).toBe('')
  }, 30_000)
})
