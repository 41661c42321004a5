import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Network } from '#contract/shared/environment.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { announceChanges } from '#database/engine/change-counts.ts'
import { deletePurgeMarks, readPurgeState } from '#database/operations/page-purges.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { aCachingProxy } from '#tests/support/process/caching-proxy.ts'
import { countPendingPromises } from '#tests/support/process/promise-count.ts'
import { systemNetwork } from '../operations/startup/environment.ts'
import { createPagePurges, type PagePurges } from './page-purges.ts'
import type { PurgeSettings } from './purge-requests.ts'

let db: TestDatabase
/** Current time in milliseconds. */
let now: number
let calls: { at: number; host: string; tags: string[] }[]
/** Hosts that reject purges. */
let down: Set<string>
const processes: PagePurges[] = []

const network: Network = {
  async fetch(url, init) {
    const { host } = new URL(String(url))
    const tags = new Headers(init?.headers).get('surrogate-key')?.split(' ') ?? []
    calls.push({ at: now, host, tags })
    return new Response('', { status: down.has(host) ? 503 : 200 })
  },
}

beforeEach(async () => {
  db = await aDatabase()
  now = Date.parse('2026-05-04T10:00:00Z')
  calls = []
  down = new Set()
})
afterEach(async () => {
  for (const one of processes.splice(0)) await one.stop()
  await db.close()
})

/** Creates a process whose clock advances at once. Waits beyond the limit never end: the test calls `work` itself. */
function aProcess(addresses: readonly string[] = ['http://one.test']): PagePurges {
  return aProcessWith({ way: 'varnish', addresses, token: null }, network)
}

function aProcessWith(settings: PurgeSettings, outgoing: Network): PagePurges {
  const clock = {
    now: () => new Date(now),
    async sleep(ms: number, signal?: AbortSignal) {
      if (ms > 1_000) return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
      // Lets other callbacks run, as real time would.
      await new Promise((resolve) => setTimeout(resolve, 1))
      now += ms
    },
  }
  const log = { info() {}, warn() {}, error() {} }
  const made = createPagePurges({ db, clock, network: outgoing, log }, settings, { build: '', instance: 1 })
  processes.push(made)
  return made
}

const translated = () => db.kysely.transaction().execute((tx) => announceChanges(tx, ['translation:de-DE']))
const reconfigured = () => db.kysely.transaction().execute((tx) => announceChanges(tx, ['configuration']))
const tags = () => calls.map((call) => call.tags.join(' '))

describe('what a cache is told', () => {
  it('everything, when nobody knows what it was told before, and nothing when it knows all', async () => {
    const purges = aProcess()
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    await purges.work()
    expect(tags()).toEqual(['page'])
    await deletePurgeMarks(db)
    await purges.work()
    expect(tags()).toEqual(['page', 'page'])
  })

  it('once, however many processes hear of it, a second after it', async () => {
    const [one, two] = [aProcess(), aProcess()]
    for (const purges of [one, two]) purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await Promise.all([one.work(), two.work()])
    calls = []
    await translated()
    const changed = now
    await Promise.all([one.work(), two.work()])
    await Promise.all([one.work(), two.work()])
    expect(calls).toEqual([{ at: changed + 1_000, host: 'one.test', tags: ['language-de-DE'] }])
  })

  it('of the catalogue what has changed since, as far as this process has seen it, else everything', async () => {
    const purges = aProcess()
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    calls = []
    await catalogChanged(db.kysely, [])
    await catalogChanged(db.kysely, [])
    purges.shown({ since: 0, version: 1, tags: ['catalog', 'product-7'], tookMs: 0 })
    purges.shown({ since: 1, version: 2, tags: ['product-8'], tookMs: 0 })
    await purges.work()
    await catalogChanged(db.kysely, [])
    purges.shown({ since: 2, version: 3, tags: null, tookMs: 0 })
    await purges.work()
    const late = aProcess()
    await catalogChanged(db.kysely, [])
    late.shown({ since: null, version: 4, tags: [], tookMs: 0 })
    await late.work()
    expect(tags()).toEqual(['catalog product-7 product-8', 'page', 'page'])
  })

  it('nothing before its own pages show the catalogue, and later where that took them long', async () => {
    const purges = aProcess()
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    calls = []
    await catalogChanged(db.kysely, [])
    const work = purges.work()
    const shown = now + 500
    while (now < shown) await new Promise((resolve) => setImmediate(resolve))
    expect(calls).toEqual([])
    const at = now
    purges.shown({ since: 0, version: 1, tags: ['product-7'], tookMs: 900 })
    await work
    expect(calls[0]?.tags).toEqual(['product-7'])
    expect(calls[0]?.at).toBeGreaterThanOrEqual(at + 1_000)
  })
})

describe('a cache that does not answer', () => {
  it('is asked again ever less often, each two minutes in the end, and told to let go of everything after that', async () => {
    const purges = aProcess()
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    calls = []
    down.add('one.test')
    await translated()
    const tried: number[] = []
    for (let tries = 1; tries <= 9; tries += 1) {
      await purges.work()
      const { marks } = await readPurgeState(db)
      const mark = marks.get('http://one.test')
      expect(mark?.tries).toBe(tries)
      tried.push(((mark?.nextAt?.getTime() ?? 0) - now) / 1000)
      await purges.work()
      expect(calls).toHaveLength(tries)
      now = mark?.nextAt?.getTime() ?? 0
    }
    expect(tried).toEqual([2, 4, 8, 16, 32, 64, 120, 120, 120])
    expect(tags().slice(0, 2)).toEqual(['language-de-DE', 'language-de-DE'])
    down.clear()
    calls = []
    await purges.work()
    await purges.work()
    expect(tags()).toEqual(['page'])
  })

  it('keeps no other one waiting', async () => {
    const purges = aProcess(['http://one.test', 'http://two.test'])
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    down.add('one.test')
    await reconfigured()
    await purges.work()
    calls = []
    await translated()
    await purges.work()
    expect(calls.map(({ host, tags: told }) => [host, told.join()])).toEqual([['two.test', 'language-de-DE']])
  })

  it('is told by another process, or the next one, what the first has died over', async () => {
    const first = aProcess()
    first.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await first.work()
    calls = []
    down.add('one.test')
    await translated()
    await first.work()
    await first.stop()
    down.clear()
    calls = []
    now += 2_000
    const next = aProcess()
    next.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await next.work()
    expect(tags()).toEqual(['language-de-DE'])
  })
})

describe('over the network', () => {
  it.each(['fastly', 'cloudflare', 'varnish'] as const)('%s is told with its token, in its own way', async (way) => {
    await using cache = await aCachingProxy(way)
    const purges = aProcessWith(cache.purge, systemNetwork())
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    await translated()
    await purges.work()
    expect(cache.purges.map(({ tags: told }) => told)).toEqual([['page'], ['language-de-DE']])
    expect(cache.asked.map(({ token }) => token)).toEqual([cache.purge.token, cache.purge.token])
  })

  it('an answer that says no is one, whatever its status', async () => {
    const refusing = { fetch: async () => Response.json({ success: false, errors: [{ code: 10000 }] }) }
    const address = 'https://api.cloudflare.com/client/v4/zones/1'
    const purges = aProcessWith({ way: 'cloudflare', addresses: [address], token: 'secret' }, refusing)
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    expect((await readPurgeState(db)).marks.get(address)).toMatchObject({ tries: 1 })
  })

  it('a cache that says when it may be asked again is left alone until then', async () => {
    const busy = { fetch: async () => new Response('', { status: 429, headers: { 'retry-after': '60' } }) }
    const purges = aProcessWith({ way: 'varnish', addresses: ['http://one.test'], token: null }, busy)
    purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
    await purges.work()
    const { marks } = await readPurgeState(db)
    expect((marks.get('http://one.test')?.nextAt?.getTime() ?? 0) - now).toBe(60_000)
  })
})

it('M17 keeps nothing of the calls that were answered', async () => {
  const purges = aProcess()
  purges.shown({ since: null, version: 0, tags: [], tookMs: 0 })
  const call = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await translated()
      await purges.work()
    }
    calls = []
  }
  await call(5)
  const before = countPendingPromises()
  await call(60)
  expect(countPendingPromises() - before).toBeLessThan(30)
})
