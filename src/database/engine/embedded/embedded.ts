import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readFile, realpath, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import type { Environment } from '#contract/shared/environment.ts'
import { connect, sqlState } from '../connect.ts'
import { EmbeddedError, endedAtStart, type Place, placeIn, preparePlace } from './data-directory.ts'
import { commandOf, isRunning, lockHolder, releaseLock, takeLock } from './process-lock.ts'

export type EmbeddedPostgres = {
  /** For `connect`, and all other clients with libpq's addresses. Contains the password. */
  readonly url: string
  /** Fast shutdown: running transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>
}

export type EmbeddedOptions = Pick<Environment, 'clock' | 'chance' | 'log'> & {
  /** Created if missing; used by one process at a time. */
  readonly folder: string
  /** PostgreSQL settings that override ours. */
  readonly settings?: Readonly<Record<string, string>>
}

const defaults = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  random_page_cost: '1.1',
  synchronous_commit: 'on',
  wal_compression: 'pglz',
  wal_level: 'replica',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  // Within the cluster: containers have little /dev/shm, and files left by a killed server would never be cleaned up
  // there.
  dynamic_shared_memory_type: 'mmap',
  // Our statements are short: compiling one costs more than running it.
  jit: 'off',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/**
 * Starts the database of a folder on a Unix socket in it, and restarts it after a crash on the same address. It ends
 * with this process, however that ends. Remains of a killed run are cleaned up first.
 * @throws EmbeddedError naming the process if another one uses the folder, or any other cause.
 */
export async function startEmbedded({
  folder,
  settings = {},
  clock,
  chance,
  log,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const place = await preparePlace(folder, log)
  const holder = await takeLock(place.lockFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error
    throw new EmbeddedError(`No space is left on the disk of ${folder}: the database starts once there is some`)
  })
  if (holder) {
    throw new EmbeddedError(
      `The database in ${folder} is in use by process ${holder.pid}: stop that first, or set DATA_DIR to another folder`,
    )
  }
  try {
    await makeCluster(place, chance.hex(24))
    const url = await addressOf(place)
    const server = await superviseServer(place, url, { ...defaults, ...settings }, { clock, log })
    return {
      url,
      stop: async () => {
        await server.stop()
        await releaseLock(place.lockFile)
      },
    }
  } catch (error) {
    await releaseLock(place.lockFile)
    throw error
  }
}

/**
 * Returns the address of a database that another process runs in this folder, or null: for commands beside a running
 * shop.
 */
export async function runningEmbedded(folder: string): Promise<string | null> {
  const place = placeIn(await realpath(folder).catch(() => folder))
  return (await lockHolder(place.lockFile)) ? addressOf(place) : null
}

/** Checks whether a folder contains a database, as far as it can be read. */
export async function isEmbeddedMade(folder: string): Promise<boolean> {
  const { cluster } = placeIn(await realpath(folder).catch(() => folder))
  return existsSync(join(cluster, 'PG_VERSION'))
}

async function addressOf({
  passwordFile,
  socketFolder,
}: Pick<Place, 'passwordFile' | 'socketFolder'>): Promise<string> {
  const password = (await readFile(passwordFile, 'utf8')).trim()
  return `postgres://vitrine:${password}@localhost:5432/vitrine?host=${encodeURIComponent(socketFolder)}`
}

async function makeCluster(place: Place, password: string): Promise<void> {
  const { cluster, passwordFile, user, folder } = place
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version !== null) {
    if (version.trim() === place.major) return
    throw new EmbeddedError(
      `${folder} was made by PostgreSQL ${version.trim()} and this version brings ${place.major}: export with the older version, import here`,
    )
  }
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid)
  // Created aside and renamed: a killed run leaves no incomplete cluster.
  const half = `${cluster}.new`
  await rm(half, { recursive: true, force: true })
  const options = ['-D', half, '-U', 'vitrine', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8']
  // The password has 192 random bits: more hash iterations would only slow down every connection.
  const quick = ['--set', 'scram_iterations=1']
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const made = spawnSync(place.initdb, [...options, ...quick, ...locale], {
    ...user,
    cwd: '/',
    env: {},
    encoding: 'utf8',
  })
  if (made.status !== 0)
    throw new EmbeddedError(`initdb failed in ${folder}: ${made.error?.message ?? made.stderr.trim()}`)
  await rename(half, cluster)
}

type Server = { stop(): Promise<void> }

/**
 * Runs PostgreSQL under a shell that ends it when our end of the pipe closes. The kernel closes the pipe even after
 * kill -9; the process group of its own keeps Ctrl-C from reaching the database before the shop is done with it.
 */
const shell = `exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(read _ <&3; kill -INT $server) &
watch=$!
exec 3<&-
wait $server
code=$?
kill $watch 2>/dev/null
exit $code`

async function superviseServer(
  place: Place,
  url: string,
  settings: Readonly<Record<string, string>>,
  { clock, log }: Pick<Environment, 'clock' | 'log'>,
): Promise<Server> {
  let stopping = false
  let process: ChildProcess
  let exited: Promise<unknown>

  async function start(): Promise<void> {
    await stopLeftoverServer(place, clock)
    const output = await openLog(place.logFile)
    const options = Object.entries({ ...settings, unix_socket_directories: place.socketFolder }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    )
    process = spawn('/bin/sh', ['-c', shell, 'sh', place.postgres, '-D', place.cluster, '-p', '5432', ...options], {
      ...place.user,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', output.fd, output.fd],
      detached: true,
    })
    await output.close()
    // The reader of the pipe may exit before we close it.
    process.stdin?.on('error', () => {})
    const gone = new Promise<'gone'>((resolve) => {
      process.once('exit', () => resolve('gone'))
      process.once('error', () => resolve('gone'))
    })
    exited = gone
    await answering(place, url, gone, { clock, log })
    void gone.then(() => restart(1))
  }

  async function restart(attempt: number): Promise<void> {
    if (stopping) return
    log.error({ attempt, folder: place.folder }, 'PostgreSQL stopped unexpectedly: restarting it')
    await clock.sleep(Math.min(100 * 2 ** attempt, 5000))
    if (stopping) return
    await start().catch((error: unknown) => {
      log.error({ error: String(error) }, 'PostgreSQL could not be started')
      return restart(attempt + 1)
    })
  }

  if (place.socketFolder !== place.folder) await makeSocketFolder(place)
  await start()
  return {
    async stop() {
      stopping = true
      process.stdin?.end()
      await exited
    },
  }
}

async function makeSocketFolder({ socketFolder, user }: Place): Promise<void> {
  await mkdir(socketFolder, { recursive: true, mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) await chown(socketFolder, user.uid, user.gid)
}

/** Waits until the server answers, and is the one that we started: another may use the same socket. */
async function answering(
  place: Place,
  url: string,
  gone: Promise<'gone'>,
  { clock, log }: Pick<Environment, 'clock' | 'log'>,
): Promise<void> {
  let ended = false
  void gone.then(() => {
    ended = true
  })
  for (let waitedMs = 0; !ended; waitedMs += 10) {
    if (waitedMs === 5000) log.info({ folder: place.folder }, 'PostgreSQL is recovering from an interrupted run')
    if (await isReady(place.cluster)) {
      const folder = await dataFolder(url)
      if (folder === place.cluster) return
      if (folder !== null)
        throw new EmbeddedError(
          `Another PostgreSQL, on ${folder}, answers at ${place.socketFolder}: stop it, or set DATA_DIR`,
        )
    }
    await clock.sleep(10)
  }
  const { bavail, bsize } = await statfs(place.folder)
  throw new EmbeddedError(endedAtStart(place.folder, await lastFault(place.logFile), bavail * bsize))
}

/** The eighth line of the server's pid file contains its state, which saves failing connections. */
async function isReady(cluster: string): Promise<boolean> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return lines[7]?.trim() === 'ready'
}

const noSuchDatabase = '3D000'

/** Returns the data folder of the answering server, after creating our database; null without an answer. */
async function dataFolder(url: string): Promise<string | null> {
  const db = connect(url, { max: 1 })
  try {
    const [row] = await db.sql<{ data_directory: string }[]>`show data_directory`
    return row?.data_directory ?? null
  } catch (error) {
    if (sqlState(error) === noSuchDatabase) {
      await makeDatabase(url)
      return dataFolder(url)
    }
    if (sqlState(error)?.startsWith('28'))
      throw new EmbeddedError('The password file of the database does not fit: restore it from a backup', {
        cause: error,
      })
    return null
  } finally {
    await db.close()
  }
}

async function makeDatabase(url: string): Promise<void> {
  const db = connect(url.replace('/vitrine?', '/postgres?'), { max: 1 })
  try {
    await db.sql.unsafe('create database vitrine')
  } finally {
    await db.close()
  }
}

/**
 * Stops a PostgreSQL that a killed run left on the cluster (its shell does the same, unless it was killed too). If the
 * id in the pid file belongs to another program, deletes the file, which PostgreSQL would take for a running server.
 */
async function stopLeftoverServer({ cluster }: Place, clock: Environment['clock']): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const id = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (!(id > 0) || !isRunning(id)) return
  if (!(await commandOf(id)).includes(cluster)) return rm(file, { force: true })
  for (const [signal, patienceMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5000],
  ] as const) {
    signalTo(id, signal)
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
      if (!isRunning(id)) return
      await clock.sleep(20)
    }
  }
  throw new EmbeddedError(
    `PostgreSQL process ${id} of an earlier run does not end: run "kill -9 ${id}" and start again`,
  )
}

function signalTo(id: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    kill(id, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

const largestLogBytes = 10 * 2 ** 20

async function openLog(file: string) {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > largestLogBytes) await rename(file, `${file}.1`)
  return open(file, 'a', 0o600)
}

async function lastFault(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).trimEnd().split('\n').slice(-20)
  return (
    lines.findLast((line) => /(FATAL|PANIC|ERROR|not found|denied)/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
  )
}
