import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aDatabase } from '#tests/support/database/database.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { connect } from './connect.ts'
import { migrate, migrationsFolder, readMigrations } from './migrate.ts'

const real = migrationsFolder

async function aFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** A database without our tables. */
async function anEmptyDatabase() {
  const db = await aDatabase()
  await db.sql`drop schema public cascade`.simple()
  await db.sql`create schema public`.simple()
  return db
}

describe('migrations', () => {
  it('are applied once, in order, and a second run finds nothing to do', async () => {
    await using db = await anEmptyDatabase()
    expect((await migrate(db, real)).map(({ number }) => number)).toEqual(
      (await readMigrations(real)).map(({ number }) => number),
    )
    expect(await migrate(db, real)).toEqual([])
    expect(await db.kysely.selectFrom('products').selectAll().execute()).toEqual([])
  })

  it('are applied once when four processes start at the same time', async () => {
    await using db = await anEmptyDatabase()
    const folder = await aFolder({ '0001_slow.sql': 'create table once (id integer); select pg_sleep(0.05);' })
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(db, folder)))
    expect(runs.map((applied) => applied.length).sort()).toEqual([0, 0, 0, 1])
  })

  it('F35 P8: hold up no visitor behind a backup that they wait for themselves', async () => {
    await using db = await anEmptyDatabase()
    await db.sql`create table busy (id integer)`
    const folder = await aFolder({ '0001_busy.sql': 'alter table busy add column more integer' })
    const backup = await db.sql.reserve()
    await backup`begin`
    await backup`select * from busy`
    const waits: string[] = []
    const run = migrate(db, folder, (migration) => waits.push(migration))
    // Until after the first attempt and its report.
    for (let visit = 0; visit < 8; visit += 1) {
      await sleep(200)
      await db.sql.begin(async (sql) => {
        await sql`set local lock_timeout = '2s'`
        await sql`select * from busy`
      })
    }
    expect(waits).toEqual(['0001_busy.sql'])
    await backup`commit`
    backup.release()
    expect(await run).toHaveLength(1)
    expect(await db.sql`select more from busy`).toEqual([])
  })

  it('F35: wait for another process that migrates, however soon else somebody gives up', async () => {
    await using db = await anEmptyDatabase()
    const folder = await aFolder({ '0001_first.sql': 'create table one (id integer)' })
    const hasty = connect(db.url, { max: 2, lockTimeoutMs: 50 })
    onTestFinished(() => hasty.close())
    const other = await db.sql.reserve()
    await other`select pg_advisory_lock(${advisoryLocks.migrations})`
    const run = migrate(hasty, folder)
    await sleep(300)
    await other`select pg_advisory_unlock(${advisoryLocks.migrations})`
    other.release()
    expect(await run).toHaveLength(1)
    // The next user of the connection has the usual timeout.
    const [left] = await hasty.sql`show lock_timeout`
    expect(left?.lock_timeout).toBe('50ms')
  })

  it('F35: take as long as they take where the role gives up each statement soon, as databases for rent have it', async () => {
    await using db = await anEmptyDatabase()
    const folder = await aFolder({ '0001_long.sql': 'create table one (id integer); select pg_sleep(0.4)' })
    const hasty = connect(`${db.url}&statement_timeout=100`, { max: 1 })
    onTestFinished(() => hasty.close())
    expect(await migrate(hasty, folder)).toHaveLength(1)
    const [left] = await hasty.sql`show statement_timeout`
    expect(left?.statement_timeout).toBe('100ms')
  })

  it('refuse a file that was edited after it was applied, by its name', async () => {
    await using db = await anEmptyDatabase()
    const folder = await aFolder({ '0001_first.sql': 'create table one (id integer)' })
    await migrate(db, folder)
    await writeFile(join(folder, '0001_first.sql'), 'create table one (id bigint)')
    await expect(migrate(db, folder)).rejects.toThrow(/0001_first\.sql was edited after it was applied/)
  })

  it('refuse a database that is newer than the folder', async () => {
    await using db = await anEmptyDatabase()
    await migrate(db, await aFolder({ '0001_first.sql': 'select 1', '0002_second.sql': 'select 2' }))
    await expect(migrate(db, await aFolder({ '0001_first.sql': 'select 1' }))).rejects.toThrow(
      /0002_second\.sql, which is unknown to this version/,
    )
  })

  it('leave nothing of a file that fails half way, and keep those before it', async () => {
    await using db = await anEmptyDatabase()
    const folder = await aFolder({
      '0001_good.sql': 'create table good (id integer)',
      '0002_bad.sql': 'create table half (id integer); select 1 / 0',
    })
    await expect(migrate(db, folder)).rejects.toThrow(/0002_bad\.sql failed: division by zero/)
    const tables = await db.sql<
      { name: string }[]
    >`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`
    expect(tables.map(({ name }) => name)).toEqual(['good', 'schema_migrations'])
    await writeFile(join(folder, '0002_bad.sql'), 'create table half (id integer)')
    expect((await migrate(db, folder)).map(({ name }) => name)).toEqual(['0002_bad.sql'])
  })

  it('refuse gaps in the numbers and names without a number', async () => {
    await expect(readMigrations(await aFolder({ '0001_a.sql': '', '0003_c.sql': '' }))).rejects.toThrow(
      /0003_c\.sql is at position 2/,
    )
    await expect(readMigrations(await aFolder({ 'first.sql': '' }))).rejects.toThrow(/first\.sql must be named like/)
  })
})
