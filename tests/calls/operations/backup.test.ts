import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backupCommand } from '#cli/operations/backup.ts'
import { restoreCommand } from '#cli/operations/restore.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { readPurgeState, writePurgeMarks } from '#database/operations/page-purges.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { eraseCustomer, eraseGuest } from '#shop/customers/erase-customer.ts'
import { readArchive, writeArchive } from '#shop/operations/backup/backup-archive.ts'
import { takeBackup } from '#shop/operations/backup/take-backup.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const environment = systemEnvironment(systemLog('silent'), ['127.0.0.1'])

let shop: TestShop
let folder: string
/** A backup of the shop with three paid orders in it, and a fourth that came while it was taken. */
let file: string
let duringBackup: number
/** What it was restored into. Nobody stays connected to it: a restore refuses a database in use. */
let target: TestDatabase
let first: Restored

beforeAll(async () => {
  shop = await aShop()
  folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-'))
  await mkdir(join(shop.dataDir, 'downloads'), { recursive: true })
  const longName = `${'Ein sehr langer Name, '.repeat(6)}für ein Buch.pdf`
  await writeFile(join(shop.dataDir, 'downloads', longName), 'a book')
  await writeFile(join(shop.dataDir, 'downloads', 'empty.txt'), '')
  for (const name of ['ada', 'grace', 'edsger']) await buy(name)
  file = join(folder, 'shop.tar.zst')
  duringBackup = 0
  const told = { catalog: 1, counts: {}, since: null, tries: 0, nextAt: null }
  await shop.shop.application.statistics.flush()
  await writePurgeMarks(shop.db.kysely, new Map([['http://cache.test', told]]))
  const options = {
    file,
    dataDir: shop.dataDir,
    program: '1.2.3',
    // The ledger comes before orders and stock: half of this order would be in what is read afterwards.
    onProgress: async ({ what }: { what: string }) => {
      if (what === 'ledger' && duringBackup === 0) duringBackup = await buy('barbara')
    },
  }
  await takeBackup({ ...environment, db: shop.db }, options)
  target = await aDatabase()
  first = await restore(target, file)
}, 120_000)
afterAll(async () => {
  await target?.close()
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

/** @returns the number of an order that was paid by wallet */
async function buy(name: string): Promise<number> {
  const shopper = new Shopper(shop, name)
  const { orderId, walletOrderId } = await shopper.startToPay()
  await shopper.approve(walletOrderId)
  await shopper.returnFromWallet(walletOrderId)
  return orderId
}

type Restored = { code: number; said: string; printed: string; dataDir: string }

async function restore(db: TestDatabase, ...args: string[]): Promise<Restored> {
  const own = connect(db.url, { max: 2 })
  const dataDir = await mkdtemp(join(folder, 'data-'))
  // Of a restore that was killed.
  await mkdir(join(dataDir, 'restoring-0123456789ab', 'downloads'), { recursive: true })
  const [said, printed]: [string[], string[]] = [[], []]
  try {
    const code = await restoreCommand.runBare?.(args, {
      ...environment,
      db: own,
      databaseUrl: db.url,
      dataDir,
      paypal: null,
      say: (line) => said.push(line),
      print: (line) => printed.push(line),
      progress: () => {},
    })
    return { code: code ?? -1, said: said.join('\n'), printed: printed.join('\n'), dataDir }
  } finally {
    await own.close()
  }
}

async function inTarget<Result>(read: (db: Database) => Promise<Result>): Promise<Result> {
  const db = connect(target.url, { max: 1 })
  try {
    return await read(db)
  } finally {
    await db.close()
  }
}

/** A backup of what was restored. */
async function takenAgain(): Promise<string> {
  const to = join(folder, 'again.tar.zst')
  await inTarget((db) => takeBackup({ ...environment, db }, { file: to, dataDir: shop.dataDir, program: '1.2.3' }))
  return to
}

/** Another archive with what `change` makes of each entry, and a checksum that fits. */
async function altered(name: string, change: (entry: string, content: Buffer) => Buffer): Promise<string> {
  const to = join(folder, name)
  const archive = await writeArchive(to)
  for await (const entry of readArchive(file, () => {})) {
    const pieces: Buffer[] = []
    for await (const piece of entry.content) pieces.push(piece)
    const content = change(entry.name, Buffer.concat(pieces))
    if (entry.name !== 'summary.json') await archive.add(entry.name, content)
    else await archive.finish((sha256) => ({ ...JSON.parse(content.toString()), sha256 }))
  }
  return to
}

describe('a backup', () => {
  it('STAT-04 holds no secret by which somebody could tell later on whose visits are in it', async () => {
    await shop.shop.application.statistics.flush()
    expect((await shop.db.sql`select day from stat_salt`).length).toBeGreaterThan(0)
    expect(await inTarget(({ sql }) => sql`select day from stat_salt`)).toHaveLength(0)
    const entries: string[] = []
    for await (const { name } of readArchive(file, () => {})) entries.push(name)
    expect(entries.filter((name) => name.includes('stat_salt'))).toEqual([])
  })

  it('knows of no cache in front what it was told: all of it is to be let go of', async () => {
    expect((await readPurgeState(shop.db)).marks.size).toBe(1)
    expect((await inTarget(readPurgeState)).marks.size).toBe(0)
  })

  it('M16 P11: taken while orders come in, is of one moment and comes back table by table', async () => {
    const { code, said, printed, dataDir } = first
    expect({ code, printed }, said).toEqual({ code: 0, printed: '' })
    expect(said).toContain('each compared with the backup')
    expect(said).toContain('All checks passed')

    expect(duringBackup).toBeGreaterThan(0)
    const orders = await inTarget(({ kysely }) =>
      kysely.selectFrom('orders').select(['id', 'payment_state']).orderBy('id').execute(),
    )
    expect(orders.map(({ payment_state }) => payment_state)).toEqual(['paid', 'paid', 'paid'])
    expect(orders.map(({ id }) => id)).not.toContain(duringBackup)
    // The shop itself sold on.
    const sold = shop.db.kysely.selectFrom('orders').select('id').where('id', '=', duringBackup)
    expect(await sold.execute()).toHaveLength(1)

    for (const kept of ['media', 'downloads']) {
      const names = (await readdir(join(shop.dataDir, kept))).filter((name) => !name.endsWith('.lock')).sort()
      expect((await readdir(join(dataDir, kept))).sort()).toEqual(names)
      expect(names.length).toBeGreaterThan(1)
      for (const name of names) {
        const [was, is] = await Promise.all([shop.dataDir, dataDir].map((place) => readFile(join(place, kept, name))))
        expect(was?.equals(is ?? Buffer.alloc(1)), name).toBe(true)
      }
    }
    expect((await readdir(dataDir)).filter((name) => name.startsWith('restoring'))).toEqual([])
  })

  it('P11: of a shop restored stands where the first stood, rule for rule', async () => {
    const rulesOf = async ({ sql }: Pick<Database, 'sql'>) => ({
      indexes: await sql`select indexdef from pg_indexes where schemaname = 'public' order by 1`,
      keys: await sql`select conrelid::regclass::text as owner, conname, pg_get_constraintdef(oid) as is, convalidated
        from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
      triggers: await sql`select tgrelid::regclass::text as owner, tgname, tgenabled from pg_trigger
        where not tgisinternal order by 1, 2`,
    })
    expect(await inTarget(rulesOf)).toEqual(await rulesOf(shop.db))
  })

  it('P11: is refused where a shop stands already, or where somebody is at work', async () => {
    expect(await restore(target, join(folder, 'none.tar.zst'))).toMatchObject({ code: 1 })
    const again = await restore(target, file)
    expect(again).toMatchObject({ code: 1 })
    expect(again.said).toContain('holds a shop already')
    const working = connect(target.url, { max: 1, name: 'vitrine' })
    await working.sql`select 1`
    const busy = await restore(target, file, '--force')
    await working.close()
    expect(busy).toMatchObject({ code: 1 })
    expect(busy.said).toContain('in use by')
  })

  it('P11: that is damaged, cut off or none at all changes nothing', async () => {
    const whole = await readFile(file)
    const flipped = Buffer.from(whole)
    flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0x10
    const bad: Record<string, Buffer> = {
      'flipped.zst': flipped,
      'cut.zst': whole.subarray(0, whole.length - 200),
      'short.zst': whole.subarray(0, 40),
      'empty.zst': Buffer.alloc(0),
      'text.zst': Buffer.from('id,name\n1,mug\n'),
    }
    for (const [name, content] of Object.entries(bad)) {
      await writeFile(join(folder, name), content)
      const { code, said } = await restore(target, join(folder, name), '--force')
      expect({ name, code }, said).toEqual({ name, code: 1 })
      expect(said, name).toContain('Error: nothing was restored')
    }
    expect(await inTarget(({ sql }) => sql`select id from orders`)).toHaveLength(3)
  })

  it('P11: whose rows are not those that were read is given up, and what was there stays', async () => {
    const other = await altered('altered.tar.zst', (name, content) =>
      name.startsWith('tables/public.products/') ? Buffer.from(content.toString().replace(/mug/i, 'jug')) : content,
    )
    const names = () => inTarget(({ sql }) => sql`select id, name, description from products order by id`)
    const before = await names()
    const { code, said } = await restore(target, other, '--force')
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('products has') })
    expect(before.length).toBeGreaterThan(5)
    expect(await names()).toEqual(before)
  })

  it('P11: of a newer version is refused with the version that can', async () => {
    const newer = await altered('newer.tar.zst', (name, content) => {
      if (name !== 'manifest.json') return content
      const manifest = JSON.parse(content.toString())
      manifest.migrations.push({ number: 9999, name: '9999_later.sql', checksum: 'x' })
      manifest.program = '99.0.0'
      return Buffer.from(JSON.stringify(manifest))
    })
    expect(await restore(target, newer, '--force')).toMatchObject({ code: 1, said: expect.stringContaining('99.0.0') })
  })

  it('P11: as a command writes one file for its owner alone, and never over another', async () => {
    const to = join(folder, 'by-command.tar.zst')
    const change = { dataDir: shop.dataDir }
    const done = await runCommandWith(change, backupCommand, shop.db, to)
    expect(done.code, done.err).toBe(0)
    expect(done.err).toMatch(/\d+ rows of \d+ tables and \d+ files/)
    expect((await stat(to)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).not.toContain('by-command.tar.zst.partial')
    expect((await runCommandWith(change, backupCommand, shop.db, to)).code).toBe(1)
    const broken = join(folder, 'broken-off.tar.zst')
    await writeFile(`${broken}.partial`, 'half')
    expect(await runCommandWith(change, backupCommand, shop.db, broken)).toMatchObject({
      code: 1,
      err: `Error: ${broken}.partial exists: a backup is running or was interrupted. Name another file, or remove it if none runs.`,
    })
    const nowhere = join(to, '..', 'none', 'shop.tar.zst')
    expect(await runCommandWith(change, backupCommand, shop.db, nowhere)).toMatchObject({
      code: 1,
      err: `Error: folder ${dirname(nowhere)} does not exist. Create it first.`,
    })
    expect((await runCommandWith(change, backupCommand, shop.db)).code).toBe(2)
  })

  it('that is a folder, or nothing, is no file to restore', async () => {
    for (const none of [folder, join(folder, 'none.tar.zst')])
      expect(await restore(target, none)).toMatchObject({
        code: 1,
        said: `Error: file ${none} does not exist. Check the path.`,
      })
  })

  it('without the pictures, as with another DATA_DIR than the shop has, ends with 1 and says so', async () => {
    const elsewhere = await mkdtemp(join(folder, 'elsewhere-'))
    const to = join(folder, 'without-pictures.tar.zst')
    const said = await runCommandWith({ dataDir: elsewhere }, backupCommand, shop.db, to)
    expect(said.code, said.err).toBe(1)
    const all =
      /(\d+) of \1 images are missing in the backup: they are not in (.*)\. Set DATA_DIR as the shop has it\.$/
    expect(all.exec(said.err)?.[2]).toBe(join(elsewhere, 'media'))
    expect((await stat(to)).size).toBeGreaterThan(1_000)
  })

  it('F36: restored gives no number again that an order may have had since', async () => {
    const next = () =>
      inTarget(async ({ sql }) => (await sql<{ id: number }[]>`select nextval('orders_id_seq') as id`)[0]?.id)
    expect(await next()).toBeGreaterThan(duringBackup + 9_000)
    expect(await restore(target, file, '--force', '--keep-numbers')).toMatchObject({ code: 0 })
    expect(await next()).toBeLessThan(duringBackup + 100)
  })

  it("P11: restored brings nobody back whom the same shop has erased since, and touches no other shop's", async () => {
    const emails = () =>
      inTarget(
        ({ sql }) => sql<{ id: number; email: string | null; hash: string | null }[]>`
        select o.id, o.billing ->> 'email' as email, max(a.body_hash) as hash from orders o
        join payment_attempts a on a.order_id = o.id where o.payment_state = 'paid' group by o.id order by o.id`,
      )
    const { tools } = shop.shop.application
    const settings = { ...tools.settings, privacy: { ...tools.settings.privacy, keepOrderData: false } }
    const erase = (email = '') => inTarget((db) => eraseGuest({ ...tools, db, settings }, email, 'carla'))
    const [ada, grace, ...others] = await emails()
    expect(ada?.hash).not.toBe('')
    await inTarget(({ sql }) => sql`update orders set status = 'completed' where id = ${ada?.id ?? 0}`)
    const linus = () => inTarget(({ sql }) => sql<{ id: number }[]>`select id from customers where username = 'linus'`)
    await inTarget(
      ({ sql }) => sql`insert into customers (email, username, created_at, updated_at)
        values ('linus@example.test', 'linus', now(), now())`,
    )
    const [account] = await linus()
    const finished = await takenAgain()
    expect(await erase(ada?.email ?? '')).toEqual({ ok: true, erased: 1, waiting: 0 })
    // Paid, and still to be sent: until then its address is needed.
    expect(await erase(grace?.email ?? '')).toEqual({ ok: true, erased: 0, waiting: 1 })
    const closed = await inTarget((db) => eraseCustomer({ ...tools, db, settings }, account?.id ?? 0, 'carla', true))
    expect(closed).toEqual({ ok: true })
    const again = await restore(target, finished, '--force')
    expect(await linus()).toEqual([])
    expect(again.said).toContain('Erased 3 accounts and orders again, as since the backup.')
    expect(await emails()).toEqual([{ id: ada?.id, email: null, hash: '' }, grace, ...others])
    expect(
      await inTarget(({ sql }) => sql`select personal_data as data, count(*)::int from orders group by 1 order by 1`),
    ).toMatchObject([{ data: 'due', count: 1 }, { data: 'erased', count: 1 }, { data: 'kept' }])

    // Numbers of another shop's customers mean nobody here.
    await inTarget(({ sql }) => sql`update orders set key = 'wc_order_other' || id`)
    const elsewhere = await restore(target, file, '--force')
    expect(elsewhere.said).not.toContain('Erased')
    expect((await emails()).map(({ email }) => email)).toContain(ada?.email)
  })
})
