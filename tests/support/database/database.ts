import { createHash } from 'node:crypto'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { connect, type Database } from '#database/engine/connect.ts'
import { template } from '#tests/setup/postgres.ts'

export type TestDatabase = Database & AsyncDisposable & { readonly url: string }

/** Whether the tables of this run's databases are partitioned already: then some tests have nothing to tell. */
export const partitioned = Boolean(process.env.VITRINE_TEST_PARTITIONED)

let made = 0

/**
 * A migrated, empty database of the caller's own, gone after `close()` or at the end of `await using`.
 * @param max connections of the pool; concurrency tests want more
 */
export function aDatabase({ max = 4 }: { max?: number } = {}): Promise<TestDatabase> {
  return aCopyOf(template, max)
}

/** What a database is filled with once in a run, to be copied from then on. */
export type Filling = {
  /** Of two that differ in what they put in, each needs its own. */
  readonly key: string
  /** Fills an empty database and puts the files that belong to its rows into the folder. */
  fill(databaseUrl: string, folder: string): Promise<void>
}

/**
 * Like `aDatabase`, with what the filling puts in, and its files in `folder`.
 * @param max connections of the pool
 */
export async function aFilledDatabase(filling: Filling, folder: string, max = 4): Promise<TestDatabase> {
  const { name, files } = await filled(filling)
  const [database] = await Promise.all([aCopyOf(name, max), cp(files, folder, { recursive: true })])
  return database
}

const fillings = new Map<string, Promise<{ name: string; files: string }>>()

function filled(filling: Filling): Promise<{ name: string; files: string }> {
  const known = fillings.get(filling.key) ?? fillOnce(filling)
  fillings.set(filling.key, known)
  return known
}

/** Whichever worker comes first fills; the others wait for its lock. */
async function fillOnce({ key, fill }: Filling): Promise<{ name: string; files: string }> {
  const name = `filled_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const files = join(inject('runFolder'), name)
  const { sql, close } = connect(databaseUrl('postgres'), { max: 1 })
  try {
    await sql`select pg_advisory_lock(hashtext(${name}))`
    const [there] = await sql`select from pg_database where datname = ${name}`
    if (there) return { name, files }
    // Another name until it is full: a worker that dies meanwhile leaves nothing that passes for a template.
    const unfinished = `un${name}`
    await sql.unsafe(`drop database if exists ${unfinished} with (force)`)
    await sql.unsafe(createdFrom(template, unfinished))
    await mkdir(files, { recursive: true })
    await fill(databaseUrl(unfinished), files)
    await unused(sql, unfinished)
    await sql.unsafe(`alter database ${unfinished} rename to ${name}`)
    return { name, files }
  } finally {
    await close()
  }
}

async function aCopyOf(source: string, max: number): Promise<TestDatabase> {
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${++made}`
  await administer(createdFrom(source, name))
  const url = databaseUrl(name)
  const db = connect(url, { max, name: 'test' })
  const close = async () => {
    await db.close()
    await dropped(name)
  }
  return { ...db, url, close, [Symbol.asyncDispose]: close }
}

/** By files: half the processor time of the usual way, which writes every page into the log. */
const createdFrom = (source: string, name: string) => `create database ${name} template ${source} strategy file_copy`

const patienceMs = 2_000

/**
 * Connections that were just closed take a moment to be gone, and a driver whose last one is cut meanwhile throws where
 * nobody listens; so they get that moment before whatever is left is cut.
 */
async function unused(sql: Database['sql'], name: string): Promise<void> {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
    if (!row?.open) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function dropped(name: string): Promise<void> {
  await unused(administration().sql, name)
  await administer(`drop database if exists ${name} with (force)`)
}

const databaseUrl = (name: string) => inject('postgresUrl').replace(`/${template}?`, `/${name}?`)

/** Kept by the worker until it ends: a connection costs as much as a third of a copy. */
let kept: Database | undefined
const administration = () => {
  kept ??= connect(databaseUrl('postgres'), { max: 2, name: 'test administration' })
  return kept
}

async function administer(statement: string): Promise<void> {
  await administration().sql.unsafe(statement)
}
