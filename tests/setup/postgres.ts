import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { isRunning } from '#database/engine/embedded/process-lock.ts'
import { migrate } from '#database/engine/migrate.ts'
import { partition } from '#database/engine/partition/partitions.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { systemChance, systemClock, systemLog } from '#server/operations/startup/environment.ts'
import { scratchBase } from '#tests/support/database/scratch.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the template on the run's PostgreSQL. */
    postgresUrl: string
    /** Holds files that the workers of the run share; gone with the run. */
    runFolder: string
  }
}

/** The database that every test's own is a copy of: our first one, migrated. */
export const template = 'vitrine'

/** Nobody restarts this server, so nothing need reach a disk. */
const careless = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  wal_compression: 'off',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '400',
  shared_buffers: '64MB',
  max_wal_size: '4GB',
}

/** With partitions, the first two orders of a test lie in one and all others in the next. */
const secondPartition = 1003

/** One PostgreSQL for the whole run, in a folder of its own. A new run migrates anew, so edited migrations need no care. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  // What each commit should pass is quick because it needs no database.
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return async () => {}
  const base = scratchBase()
  for (const place of new Set([base, tmpdir()])) sweep(place)
  const folder = mkdtempSync(join(base, `vitrine-test-${process.pid}-`))
  const server = await startEmbedded({
    folder,
    settings: careless,
    clock: systemClock,
    chance: systemChance,
    log: systemLog('warn'),
  })
  const db = connect(server.url, { max: 1 })
  await migrate(db)
  await prepareJobQueue(db, server.url)
  if (process.env.VITRINE_TEST_PARTITIONED) await partition({ db, clock: systemClock }, secondPartition)
  await db.close()
  const runFolder = mkdtempSync(join(tmpdir(), `vitrine-test-${process.pid}-`))
  project.provide('postgresUrl', server.url)
  project.provide('runFolder', runFolder)
  return async () => {
    await server.stop()
    for (const made of [folder, runFolder]) rmSync(made, { recursive: true, force: true })
  }
}

/** What runs left that were killed. */
function sweep(base: string): void {
  for (const name of readdirSync(base)) {
    const owner = /^vitrine-test-(\d+)-/.exec(name)?.[1]
    if (owner && !isRunning(Number(owner))) rmSync(join(base, name), { recursive: true, force: true })
  }
}
