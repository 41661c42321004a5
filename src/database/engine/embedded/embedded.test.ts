import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { systemChance as chance, systemClock as clock, systemLog } from '#server/operations/startup/environment.ts'
import { scratchBase } from '#tests/support/database/scratch.ts'
import { connect } from '../connect.ts'
import { EmbeddedError } from './data-directory.ts'
import { runningEmbedded, startEmbedded } from './embedded.ts'
import { isRunning } from './process-lock.ts'

const log = systemLog('silent')
const asRoot = userInfo().uid === 0
const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

/** A folder that every user may enter, like a project below /srv. */
function aFolder(): string {
  const parent = mkdtempSync(join(scratchBase(), 'vitrine-embedded-'))
  chmodSync(parent, 0o755)
  cleanUp.push(() => rmSync(parent, { recursive: true, force: true }))
  return join(parent, 'postgres')
}

async function start(folder: string) {
  const server = await startEmbedded({ folder, clock, chance, log, settings: { shared_buffers: '16MB' } })
  cleanUp.push(server.stop)
  return server
}

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const db = connect(url, { max: 1 })
  try {
    return [...(await db.sql.unsafe(statement))]
  } finally {
    await db.close()
  }
}

/** Starts the database in a process of its own, which prints its address. */
async function aShop(folder: string): Promise<{ process: ChildProcess; url: string }> {
  const script = `
    import { startEmbedded } from '${import.meta.dirname}/embedded.ts'
    import { systemChance as chance, systemClock as clock, systemLog } from '${import.meta.dirname}/../../../server/operations/startup/environment.ts'
    const { url } = await startEmbedded({ folder: ${JSON.stringify(folder)}, clock, chance, log: systemLog('silent') })
    console.log(url)
    setInterval(() => {}, 1000)`
  const process = spawn('node', ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  cleanUp.push(() => process.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    process.stdout?.once('data', (data) => resolve(String(data).trim()))
    process.once('exit', (code) => reject(new Error(`the shop ended with ${code}`)))
  })
  return { process, url }
}

/** `kill` only sends the signal: the process exists until the system has handled it. */
async function killed(process: ChildProcess): Promise<void> {
  const gone = once(process, 'exit')
  process.kill('SIGKILL')
  await gone
}

const serverId = (folder: string) =>
  Number(readFileSync(join(realpathSync(folder), 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

async function until(met: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !met(); tries += 1) await sleep(20)
  expect(met()).toBe(true)
}

describe('the embedded database', () => {
  it('starts in a new folder, keeps what was committed, and starts again in under a second', async () => {
    const folder = aFolder()
    const first = await start(folder)
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    // Load only makes it slower: the fastest run counts.
    let second = await start(folder)
    let quickest = Number.POSITIVE_INFINITY
    for (let time = 0; time < 10 && quickest >= 1000; time += 1) {
      await second.stop()
      const began = performance.now()
      second = await start(folder)
      quickest = Math.min(quickest, performance.now() - began)
    }
    expect(quickest).toBeLessThan(1000)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(second.url).toBe(first.url)
  })

  it('asks for its password and listens on no network address', async () => {
    const folder = aFolder()
    const { url } = await start(folder)
    await expect(query(url.replace(/vitrine:[0-9a-f]+@/, 'vitrine:guess@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    )
    expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(lstatSync(join(folder, 'password')).mode & 0o777).toBe(0o600)
    expect(lstatSync(folder).mode & 0o777).toBe(0o700)
  })

  it('refuses a second start on one folder in one line that names the process and the folder', async () => {
    const folder = aFolder()
    const shop = await aShop(folder)
    await expect(start(folder)).rejects.toThrow(
      `The database in ${folder} is in use by process ${shop.process.pid}: stop that first, or set DATA_DIR to another folder`,
    )
    expect(await query(shop.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.skipIf(!existsSync('/dev/full'))(
    'F5 names the folder whose disk is full, and leaves nothing behind at each try',
    async () => {
      const folder = aFolder()
      mkdirSync(folder)
      // A file of this name reports a full disk.
      const lock = `lock.${process.pid}`
      symlinkSync('/dev/full', join(folder, lock))
      await expect(start(folder)).rejects.toThrow(
        new EmbeddedError(`No space is left on the disk of ${folder}: the database starts once there is some`),
      )
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('is found by a command beside the running shop, and by none after it', async () => {
    const folder = aFolder()
    expect(await runningEmbedded(folder)).toBe(null)
    const shop = await start(folder)
    expect(await runningEmbedded(folder)).toBe(shop.url)
    await shop.stop()
    expect(await runningEmbedded(folder)).toBe(null)
  })

  it('P10 ends by itself when its process is killed, and starts again on the same folder with every commit', async () => {
    const folder = aFolder()
    const shop = await aShop(folder)
    await query(shop.url, 'create table kept as select 42 as answer')
    const server = serverId(folder)
    await killed(shop.process)
    const next = await start(folder)
    expect(isRunning(server)).toBe(false)
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('P10 takes over from a server whose process and guard were both killed', async () => {
    const folder = aFolder()
    const shop = await aShop(folder)
    await query(shop.url, 'create table kept as select 42 as answer')
    const server = serverId(folder)
    // The guard has its own process group: the shell, its watcher, and the server.
    const group = spawnSync('ps', ['-o', 'pgid=', '-p', String(server)], { encoding: 'utf8' }).stdout.trim()
    const guards = spawnSync('pgrep', ['-g', group, '-x', 'sh'], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
      .map(Number)
    for (const guard of guards) process.kill(guard, 'SIGKILL')
    await killed(shop.process)
    expect(isRunning(server)).toBe(true)
    const next = await start(folder)
    expect(isRunning(server)).toBe(false)
    expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  it('P10 comes back on the same address when PostgreSQL itself is killed', async () => {
    const folder = aFolder()
    const { url } = await start(folder)
    await query(url, 'create table kept as select 42 as answer')
    const server = serverId(folder)
    process.kill(server, 'SIGKILL')
    await until(() => !isRunning(server))
    await until(() => existsSync(join(folder, 'cluster/postmaster.pid')) && serverId(folder) !== server)
    for (let tries = 0; ; tries += 1) {
      const rows = await query(url, 'select answer from kept').catch(() => null)
      if (rows || tries > 200) {
        expect(rows).toEqual([{ answer: 42 }])
        break
      }
      await sleep(20)
    }
  })

  it('starts although the id of a dead server belongs to another program by now', async () => {
    const folder = aFolder()
    await (await start(folder)).stop()
    const other = spawn('sleep', ['60'], { stdio: 'ignore', ...(asRoot && idsOfOwner(join(folder, 'cluster'))) })
    cleanUp.push(() => other.kill())
    writeFileSync(join(folder, 'cluster/postmaster.pid'), `${other.pid}\n${folder}/cluster\n0\n5432\n\n\n0 0\nready\n`)
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: other.pid, started: 'long ago' }))
    expect(await query((await start(folder)).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts after a run that was killed while it made the cluster', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'cluster.new'), { recursive: true })
    writeFileSync(join(folder, 'cluster.new/PG_VERSION'), '18\n')
    writeFileSync(join(folder, 'lock'), '{"pid":')
    expect(await query((await start(folder)).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('starts in a folder that does not exist yet, whose path is longer than that of a socket may be', async () => {
    const folder = join(aFolder(), 'a-rather-long-name-of-a-folder'.repeat(4), 'postgres')
    const { url } = await start(folder)
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(realpathSync(folder)).toBe(folder)
    expect(new URL(url).searchParams.get('host')).toMatch(/^\/tmp\/vitrine-/)
  })

  it('names the version when another PostgreSQL made the folder', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'cluster'), { recursive: true })
    writeFileSync(join(folder, 'cluster/PG_VERSION'), '15\n')
    await expect(start(folder)).rejects.toThrow(/was made by PostgreSQL 15 and this version brings 18/)
  })

  it.runIf(asRoot)('as root, leaves a database to the user who runs it, and says whose it is', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'cluster'), { recursive: true })
    chownSync(folder, 65_533, 65_533)
    await expect(start(folder)).rejects.toThrow(
      /belongs to 65533, .*: do this as 65533, or give it away with "chown -R /,
    )
    expect(idsOfOwner(folder)).toEqual({ uid: 65_533, gid: 65_533 })
  })

  it.runIf(asRoot)('as another user, says whose a folder is that may not be entered', async () => {
    const folder = aFolder()
    mkdirSync(folder, { mode: 0o700 })
    const script = `
      import { preparePlace } from '${import.meta.dirname}/data-directory.ts'
      await preparePlace('${folder}', {}).catch(({ name, message }) => console.log(name, message))`
    const { stdout, stderr } = spawnSync(execPath, ['--input-type=module', '-e', script], {
      uid: 65_533,
      gid: 65_533,
      encoding: 'utf8',
    })
    expect(stdout || stderr).toMatch(
      /^EmbeddedError 65533, who runs this, may not write to .*, which belongs to root: "chown -R 65533 /,
    )
  })

  it.runIf(asRoot)(
    'as root, in a folder that other users cannot enter, puts the database where they can and links to it',
    async () => {
      const folder = aFolder()
      chmodSync(join(folder, '..'), 0o700)
      const first = await start(folder)
      cleanUp.push(() => rmSync(realpathSync(folder), { recursive: true, force: true }))
      expect(realpathSync(folder)).toMatch(/^\/var\/lib\/vitrine\/database-/)
      await query(first.url, 'create table kept as select 42 as answer')
      await first.stop()
      expect(await query((await start(folder)).url, 'select answer from kept')).toEqual([{ answer: 42 }])
      expect(await runningEmbedded(folder)).toBe(first.url)
    },
  )
})

function idsOfOwner(path: string): { uid: number; gid: number } {
  const { uid, gid } = lstatSync(path)
  return { uid, gid }
}
