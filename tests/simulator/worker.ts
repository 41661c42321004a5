import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { migrate } from '#database/engine/migrate.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { readContentFiles } from '#server/content/content-files.ts'
import { readAssets } from '#server/http/assets.ts'
import { systemChance, systemClock, systemLog } from '#server/operations/startup/environment.ts'
import { scratchBase } from '#tests/support/database/scratch.ts'
import { emulatorCertificate } from '../../emulator/create-world.ts'
import { stockShelves } from './seed-shop.ts'
import { socketFolder } from './shop-process.ts'
import { type EpisodeResult, simulate } from './simulate.ts'
import { type FindBlocked, Wire } from './wire.ts'

export type Episode = { readonly number: number; readonly seed: number; readonly purchases: number }

/** Nobody restarts this server, so nothing need reach a disk. */
const careless = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  shared_buffers: '64MB',
  track_counts: 'off',
  // Processes come and go, and each would plan every statement five times for its parameters alone.
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
}

/**
 * Plays episodes one after the other, each on a fresh copy of the same shelves, on a database server of this process's own.
 * @param report called after each; false: no more are wanted
 */
export async function playEpisodes(
  episodes: Iterable<Episode>,
  untilStep: number | null,
  report: (episode: Episode, result: EpisodeResult) => boolean,
): Promise<void> {
  const folder = mkdtempSync(join(scratchBase(), 'vitrine-simulator-'))
  const log = systemLog('silent')
  const server = await startEmbedded({ folder, settings: careless, clock: systemClock, chance: systemChance, log })
  try {
    const template = connect(server.url, { max: 1 })
    await migrate(template)
    await prepareJobQueue(template, server.url)
    await template.close()
    await stockShelves(server.url, join(folder, 'media'))
    const clock = { now: () => new Date(Date.UTC(2026, 0, 1)) }
    const shared = {
      assets: await readAssets(join(import.meta.dirname, '../../dist/client')),
      content: await readContentFiles({ folder: null, reserved: () => false, clock, log, onChange: () => {} }),
      certificate: await emulatorCertificate(clock.now()),
    }
    const office = connect(databaseUrl(server.url, 'postgres'), { max: 1 })
    const findBlocked: FindBlocked = async (serverProcesses) => {
      const rows = await office.sql<{ pid: number }[]>`
        select distinct pid from pg_locks where not granted and pid = any(${[...serverProcesses]}::int[])`
      return new Set(rows.map(({ pid }) => pid))
    }
    for (const episode of episodes) {
      const name = `episode_${episode.number}`
      await office.sql.unsafe(`create database ${name} template vitrine strategy wal_log`)
      const url = databaseUrl(server.url, name)
      const wire = new Wire(socketFolder(url), findBlocked)
      const db = connect(url, { max: 1, name: 'witness', socket: wire.open })
      // Opened before anything depends on how long that takes.
      await db.sql`select 1`
      const result = await simulate({ ...shared, ...episode, untilStep, databaseUrl: url, findBlocked, db, wire })
      await db.close()
      await office.sql.unsafe(`drop database ${name} with (force)`)
      if (!report(episode, result)) break
    }
    await office.close()
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const databaseUrl = (url: string, name: string) => url.replace('/vitrine?', `/${name}?`)
