import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { systemClock } from '#server/operations/startup/environment.ts'
import { aDatabase } from '#tests/support/database/database.ts'
import { announceChanges } from './change-counts.ts'
import { connect } from './connect.ts'
import { listenForChanges } from './listen-for-changes.ts'

/** A database whose listeners connect through a network that can silently drop data. */
async function aDatabaseBehindANetwork() {
  const database = await aDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-network-'))
  const direct = new URL(database.url)
  const at = socketOf(direct)
  direct.searchParams.set('host', folder)
  const lines = new Set<{ near: Socket; far: Socket }>()
  let isShut = false
  const server = createServer((near): void => {
    if (isShut) {
      near.destroy()
      return
    }
    const far = connectSocket(at)
    const line = { near, far }
    lines.add(line)
    near.on('data', (data) => lines.has(line) && far.write(data))
    far.on('data', (data) => lines.has(line) && near.write(data))
    near.on('error', () => {}).on('close', () => lines.delete(line) && far.destroy())
    far.on('error', () => {}).on('close', () => lines.delete(line) && near.destroy())
  }).listen(socketOf(direct))
  await once(server, 'listening')
  const db = connect(database.url, { max: 2, directUrl: direct.href })
  const swallowed: { near: Socket; far: Socket }[] = []
  return {
    db,
    lines,
    /** Drops all data of the current connections; new ones work. */
    swallow() {
      swallowed.push(...lines)
      lines.clear()
    },
    /** True if new connections are refused. */
    shut(shut: boolean) {
      isShut = shut
    },
    async [Symbol.asyncDispose]() {
      await db.close()
      for (const { near, far } of [...swallowed, ...lines]) {
        near.destroy()
        far.destroy()
      }
      server.close()
      await database.close()
      await rm(folder, { recursive: true })
    },
  }
}

const socketOf = ({ searchParams, port }: URL) => join(searchParams.get('host') ?? '', `.s.PGSQL.${port || 5432}`)

const aListener = () => {
  const heard: string[] = []
  const said: string[] = []
  return {
    heard,
    said,
    hears: { heard: (what: string) => void heard.push(what), begun: () => void heard.push('begun') },
    tools: {
      clock: systemClock,
      chance: { hex: () => String(Math.random()) },
      log: { info() {}, error() {}, warn: (_: object, text: string) => void said.push(text) },
    },
  }
}

it('hears what is announced, and nothing of what processes tell themselves', async () => {
  await using network = await aDatabaseBehindANetwork()
  const [one, other] = [aListener(), aListener()]
  const proof = { everyMs: 20, waitMs: 2_000 }
  const first = await listenForChanges(network.db, one.tools, one.hears, proof)
  const second = await listenForChanges(network.db, other.tools, other.hears, proof)
  await announceChanges(network.db.kysely, ['catalog'])
  await expect.poll(() => one.heard).toEqual(['begun', 'catalog'])
  await setTimeout(300)
  expect([one.heard, other.heard]).toEqual([
    ['begun', 'catalog'],
    ['begun', 'catalog'],
  ])
  expect([...one.said, ...other.said]).toEqual([])
  await first.stop()
  await second.stop()
})

it('listens anew where a connection was lost without a word, and says that something may have been missed', async () => {
  await using network = await aDatabaseBehindANetwork()
  const { heard, said, hears, tools } = aListener()
  const hearing = await listenForChanges(network.db, tools, hears, { everyMs: 50, waitMs: 300 })
  network.swallow()
  await announceChanges(network.db.kysely, ['catalog'])
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['begun', 'begun'])
  expect(said).toHaveLength(1)
  await announceChanges(network.db.kysely, ['words'])
  await expect.poll(() => heard).toEqual(['begun', 'begun', 'words'])
  // The broken connection is closed: only the working one remains.
  expect(network.lines.size).toBe(1)
  await setTimeout(500)
  expect(said).toHaveLength(1)
  await hearing.stop()
})

it('tries again where it cannot listen anew at once', async () => {
  await using network = await aDatabaseBehindANetwork()
  const { heard, said, hears, tools } = aListener()
  const hearing = await listenForChanges(network.db, tools, hears, { everyMs: 30, waitMs: 60 })
  network.shut(true)
  network.swallow()
  await expect.poll(() => said.length, { timeout: 5_000 }).toBeGreaterThan(1)
  expect(heard).toEqual(['begun'])
  network.shut(false)
  await expect.poll(() => heard.at(-1), { timeout: 5_000 }).toBe('begun')
  await expect.poll(() => heard.length, { timeout: 5_000 }).toBeGreaterThan(1)
  await announceChanges(network.db.kysely, ['words'])
  await expect.poll(() => heard.at(-1)).toBe('words')
  await expect.poll(() => network.lines.size, { timeout: 3_000 }).toBe(1)
  await hearing.stop()
  await expect.poll(() => network.lines.size).toBe(0)
})

it('is quiet while the database is away, and hears again once it is back', async () => {
  await using network = await aDatabaseBehindANetwork()
  const { heard, said, hears, tools } = aListener()
  const hearing = await listenForChanges(network.db, tools, hears, { everyMs: 50, waitMs: 1_000 })
  for (const { far } of network.lines) far.destroy()
  await expect.poll(() => heard, { timeout: 5_000 }).toEqual(['begun', 'begun'])
  await announceChanges(network.db.kysely, ['words'])
  await expect.poll(() => heard).toEqual(['begun', 'begun', 'words'])
  expect(said.length).toBeLessThanOrEqual(1)
  await hearing.stop()
})

it('proves nothing any more once it is stopped', async () => {
  await using network = await aDatabaseBehindANetwork()
  const { heard, said, hears, tools } = aListener()
  let waits = 0
  const sleep: typeof systemClock.sleep = async (ms, signal) => {
    waits += 1
    await systemClock.sleep(ms, signal)
    waits -= 1
  }
  const waiting = { ...tools, clock: { ...systemClock, sleep } }
  const hearing = await listenForChanges(network.db, waiting, hears, { everyMs: 20, waitMs: 60_000 })
  network.swallow()
  // During a probe that is not answered.
  await setTimeout(200)
  await hearing.stop()
  // No timer keeps the process alive.
  await expect.poll(() => waits).toBe(0)
  await announceChanges(network.db.kysely, ['words'])
  await setTimeout(300)
  expect([heard, said]).toEqual([['begun'], []])
})
