import { once } from 'node:events'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doctorCommand } from '#cli/operations/doctor.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { checkMachine, checkNeighbours, checkPictures, type DiskSpace } from './check-machine.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await aDatabase()
})
afterAll(() => db.close())

const environment = systemEnvironment(systemLog('silent'), ['127.0.0.1'])
const tools = (change: object = {}) => ({
  ...environment,
  db,
  publicUrl: 'http://127.0.0.1:9',
  paypal: null,
  dataDir: 'data',
  ...change,
})
const space =
  (free: number): DiskSpace =>
  async (folder) =>
    folder.endsWith('media') ? null : { free, total: 50 * 1024 ** 3 }
const wrong = (found: Awaited<ReturnType<typeof checkMachine>>) =>
  found.filter(({ state }) => state !== 'ok').map(({ state, what }) => `${state}: ${what}`)

describe('the doctor, of the machine', () => {
  it('finds nothing where all is well, and names the versions', async () => {
    const found = await checkMachine(tools(), space(20 * 1024 ** 3))
    expect(wrong(found)).toEqual([])
    const said = found.map(({ what }) => what).join('\n')
    expect(said).toContain('20.0 GB of 50.0 GB left for data')
    expect(said).toContain(`Node ${process.versions.node}`)
    expect(said).toMatch(/PostgreSQL 1\d.*\nthe database is at migration \d+\n/)
  })

  it.each([
    [500, 'look: 0.5 GB of 50.0 GB left for data'],
    [100, 'missing: 0.1 GB of 50.0 GB left for data'],
  ])('tells of a disk with %d MB left', async (megabytes, told) => {
    expect(wrong(await checkMachine(tools(), space(megabytes * 1024 ** 2)))).toContain(told)
  })

  it('tells of pictures that are not where DATA_DIR leads', async () => {
    await using other = await aDatabase()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vitrine-pictures-'))
    const found = async () => wrong(await checkPictures({ db: other, dataDir: folder.path }))
    expect(await found()).toEqual([])
    const [there, lost] = ['a', 'b'].map((letter) => letter.repeat(64))
    for (const hash of [there, lost])
      await other.sql`insert into images (hash, source, width, height, widths) values (${hash ?? ''}, '', 800, 800, '{160}')`
    const media = join(folder.path, 'media')
    expect(await found()).toEqual([`missing: 2 of 2 pictures are not in ${media}`])
    await mkdir(media)
    await writeFile(join(media, `${there}-160.avif`), '')
    expect(await found()).toEqual([`missing: 1 of 2 pictures are not in ${media}`])
  })

  it("F29 tells of a clock that is not the database's", async () => {
    const clock = (aheadMs: number) => ({ ...environment.clock, now: () => new Date(Date.now() + aheadMs) })
    const said = async (aheadMs: number) => wrong(await checkMachine(tools({ clock: clock(aheadMs) }), space(1e12)))
    expect(await said(1_000)).toEqual([])
    for (const aheadMs of [-600_000, 600_000])
      expect(await said(aheadMs)).toEqual([
        expect.stringMatching(/^missing: the clocks .* 600\.\d s apart$|599\.\d s apart$/),
      ])
  })

  it('F30 tells of jobs that nobody begins, and of a database that another version has changed', async () => {
    await using other = await aDatabase()
    const { prepareJobQueue } = await import('#database/operations/job-queue.ts')
    await prepareJobQueue(other, other.url)
    await other.sql`select graphile_worker.add_job('order-mail', '{}'::json, run_at := now() - interval '1 hour')`
    await other.sql`insert into schema_migrations (number, name, checksum) values (9999, '9999_of_tomorrow.sql', '')`
    expect(wrong(await checkMachine(tools({ db: other }), space(1e12)))).toEqual([
      expect.stringMatching(/^look: the database is at migration 9999, this version knows \d+$/),
      'missing: 1 jobs of the kind order-mail wait, the oldest for 60 minutes',
    ])
  })

  it('F31 F6 says who does not answer, and what that means', async () => {
    const silent = { reach: async () => ({ to: 'mail.test:25', fault: 'connect ECONNREFUSED' }) }
    const paypal = { listWebhooks: async () => ({ ok: false, kind: 'unknown', reason: 'no answer' }) }
    const found = await checkNeighbours(tools({ paypal }), silent)
    expect(wrong(found)).toEqual([
      'missing: the mail server mail.test:25 does not accept emails',
      'missing: PayPal cannot be reached',
      'missing: nothing answers at http://127.0.0.1:9',
    ])
    expect(found.every(({ advice }) => advice !== '')).toBe(true)
  })

  it('F31 hears what a shop answers whose words come after its head', async () => {
    const asked = async (word: string) => {
      const shop = createServer((_, response) => {
        response.flushHeaders()
        setTimeout(() => response.end(word), 50)
      })
      await once(shop.listen(0, '127.0.0.1'), 'listening')
      const publicUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
      try {
        return (await checkNeighbours(tools({ publicUrl }), { reach: async () => ({ to: null, fault: null }) })).at(-1)
      } finally {
        shop.close()
      }
    }
    expect(await asked('ok')).toMatchObject({ state: 'ok', what: expect.stringMatching(/^the shop answers at /) })
    expect(await asked('Welcome')).toMatchObject({ state: 'missing', what: expect.stringMatching(/^something else/) })
  })

  it('answers as a command: 0 where nothing is missing, 1 where something is', async () => {
    const mailDesk = { reach: async () => ({ to: null, fault: null }) }
    const run = (change: object, ...args: string[]) =>
      runCommandWith({ mailDesk: async () => mailDesk, ...change } as never, doctorCommand, db, ...args)
    const healthy = { fetch: async () => new Response('ok') }
    const well = await run({ network: healthy }, '--machine', '--json')
    expect(JSON.parse(well.out).filter(({ what }: { what: string }) => !what.includes('GB')).length).toBeGreaterThan(5)
    const clock = { ...environment.clock, now: () => new Date(Date.now() + 60_000) }
    const unwell = await run({ network: healthy, clock }, '--machine')
    expect(unwell.code).toBe(1)
    expect(unwell.out).toContain('MISSING  the clocks of the shop')
    expect(unwell.err).toMatch(/^Error: 1 of \d+ checks failed\. See the lines marked MISSING\.$/)
    expect((await run({ clock })).err).toContain('the clocks of the shop')
    expect((await run({}, '--machine', '--live')).code).toBe(2)
  })
})
