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
export async function aDatabase({ max = 4 }: { max?: number } = {}): Promise<TestDatabase> {
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${++made}`
  await administer(`create database ${name} template ${template} strategy wal_log`)
  const url = databaseUrl(name)
  const db = connect(url, { max, name: 'test' })
  const close = async () => {
    await db.close()
    await dropped(name)
  }
  return { ...db, url, close, [Symbol.asyncDispose]: close }
}

const patienceMs = 2_000

/**
 * Connections that were just closed take a moment to be gone, and a driver whose last one is cut meanwhile throws where
 * nobody listens; so they get that moment before whatever is left is cut.
 */
async function dropped(name: string): Promise<void> {
  const until = performance.now() + patienceMs
  const { sql, close } = connect(databaseUrl('postgres'), { max: 1 })
  try {
    while (performance.now() < until) {
      const [row] = await sql<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
      if (!row?.open) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await sql.unsafe(`drop database if exists ${name} with (force)`)
  } finally {
    await close()
  }
}

const databaseUrl = (name: string) => inject('postgresUrl').replace(`/${template}?`, `/${name}?`)

async function administer(statement: string): Promise<void> {
  const { sql, close } = connect(databaseUrl('postgres'), { max: 1 })
  try {
    await sql.unsafe(statement)
  } finally {
    await close()
  }
}
