import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '#database/engine/connect.ts'
import { type Place, preparePlace } from '#database/engine/embedded/data-directory.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { systemChance, systemClock, systemLog } from '#server/operations/startup/environment.ts'
import { freePort } from '#tests/support/shop.ts'

/** One of two PostgreSQL servers of the same data. */
export type Server = {
  readonly port: number
  /** Of its database, by TCP, with the password. */
  readonly url: string
  start(): Promise<void>
  /** As a power cut would. */
  kill(): Promise<void>
}

/** A primary that answers a commit when its replica has it on disk as well, and that replica. */
export type PostgresPair = AsyncDisposable & {
  readonly password: string
  /** Who runs programs that refuse to be root. */
  readonly user: { readonly uid?: number; readonly gid?: number }
  readonly primary: Server
  readonly replica: Server
  /** Makes the replica a primary of its own, which waits for nobody. */
  promote(): Promise<void>
}

/**
 * @param folder open to other users: PostgreSQL refuses to run as root
 * @param fill fills the database before there are two of it
 */
export async function aPostgresPair(folder: string, fill: (url: string) => Promise<void>): Promise<PostgresPair> {
  const log = systemLog('silent')
  const first = join(folder, 'first')
  const alone = await startEmbedded({ folder: first, clock: systemClock, chance: systemChance, log })
  await fill(alone.url)
  await alone.stop()

  const place = await preparePlace(first, log)
  const standby = await preparePlace(join(folder, 'second'), log)
  await cp(place.cluster, standby.cluster, { recursive: true, preserveTimestamps: true })
  await writeFile(join(standby.cluster, 'standby.signal'), '')
  await chmod(standby.cluster, 0o700)
  const { uid, gid } = place.user
  if (uid !== undefined) spawnSync('chown', ['-R', `${uid}:${gid}`, standby.folder])

  const password = (await readFile(place.passwordFile, 'utf8')).trim()
  const [ofPrimary, ofReplica] = [await freePort(), await freePort()]
  const primary = server(place, ofPrimary, password, { synchronous_standby_names: '*' })
  const replica = server(standby, ofReplica, password, {
    primary_conninfo: `host=127.0.0.1 port=${ofPrimary} user=vitrine password=${password}`,
  })
  await Promise.all([primary.start(), replica.start()])
  return {
    password,
    user: place.user,
    primary,
    replica,
    async promote() {
      await asked(replica.url, 'select pg_promote()')
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.kill(), replica.kill()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function server(place: Place, port: number, password: string, settings: Record<string, string>): Server {
  const url = `postgres://vitrine:${password}@127.0.0.1:${port}/vitrine`
  let child: ChildProcess | null = null
  const all = {
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    dynamic_shared_memory_type: 'mmap',
    io_method: 'sync',
    jit: 'off',
    wal_level: 'replica',
    hot_standby: 'on',
    log_timezone: 'UTC',
    timezone: 'UTC',
    wal_receiver_status_interval: '1s',
    wal_retrieve_retry_interval: '200ms',
  }
  return {
    port,
    url,
    async start() {
      const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const running = spawn(place.postgres, ['-D', place.cluster, ...options], {
        ...place.user,
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child = running
      let said = ''
      running.stderr?.on('data', (chunk) => {
        said = (said + String(chunk)).slice(-4000)
      })
      for (let tries = 0; !(await asked(url, 'select 1').catch(() => null)); tries += 1) {
        if (running.exitCode !== null || tries > 600) throw new Error(`PostgreSQL does not start:\n${said}`)
        await systemClock.sleep(50)
      }
    },
    async kill() {
      const running = child
      child = null
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      // SIGQUIT ends its children as well, which must not hold the data folder when it is started again; nothing is written.
      running.kill('SIGQUIT')
      await ended
    },
  }
}

async function asked(url: string, statement: string): Promise<unknown> {
  const db = connect(url, { max: 1, name: 'rehearsal' })
  try {
    return await db.sql.unsafe(statement)
  } finally {
    await db.close()
  }
}
