import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { aCountingShop, aPage, aSender, type CountingShop } from '#tests/support/statistics/statistics-fixtures.ts'
import { readStatistics } from './read-statistics.ts'
import { createStatisticsCounter } from './visit-counter.ts'

let db: TestDatabase
let shop: CountingShop
beforeEach(async () => {
  db = await aDatabase()
  shop = aCountingShop(db)
})
afterEach(() => db.close())

const report = () => readStatistics(shop.tools, { from: '2026-11-22', to: '2026-11-22' })

/** A process with the day's salts loaded. */
async function ready(options?: Parameters<CountingShop['process']>[0]) {
  const counter = shop.process(options)
  await counter.flush()
  return counter
}

describe('counting under load', () => {
  it('STAT-04 views beyond what may wait are given up, at once and counted', async () => {
    const counter = await ready({ mostViews: 20 })
    const results = Array.from({ length: 50 }, (_, place) => counter.view(aSender({}, `203.0.113.${place}`), aPage()))
    expect(results.filter((result) => result.counted)).toHaveLength(20)
    expect(results.at(-1)).toEqual({ counted: false, exclusion: 'shed' })
    await counter.flush()
    expect((await report()).totals.views).toBe(20)
    expect((await report()).exclusions).toEqual([{ reason: 'shed', count: 30 }])
    expect(counter.view(aSender(), aPage())).toEqual({ counted: true })
  })

  it('STAT-04 while the database does not answer views wait, then are given up, and then are written', async () => {
    const counter = await ready({ mostViews: 20, lateMs: 10 })
    const blocker = await db.sql.reserve()
    await blocker`begin`
    await blocker`lock table stat_visit in access exclusive mode`
    counter.view(aSender(), aPage('/before/'))
    const writing = counter.flush()
    // The write is not awaited.
    counter.view(aSender(), aPage('/meanwhile/'))
    shop.at('2026-11-22T12:00:30Z')
    expect(counter.view(aSender(), aPage('/late/'))).toEqual({ counted: false, exclusion: 'shed' })
    await blocker`commit`
    blocker.release()
    await writing
    await counter.flush()
    const { pages, exclusions } = await report()
    expect(pages.map(({ path }) => path).sort()).toEqual(['/before/', '/meanwhile/'])
    expect(exclusions).toEqual([{ reason: 'shed', count: 1 }])
  })

  it('STAT-04 a process that falls behind with everything gives views up first, and takes them in again when it has caught up', async () => {
    let behindMs = 5_000
    let now = Date.parse('2026-11-22T12:00:00Z')
    const sleep = async (ms: number) => {
      await shop.tools.clock.sleep(5)
      now += ms + behindMs
    }
    const tools = { ...shop.tools, clock: { now: () => new Date(now), sleep } }
    const counter = createStatisticsCounter(tools, { tickMs: 1_000, lateMs: 1_000 })
    const seen = () => JSON.stringify(counter.view(aSender({}, '203.0.113.50'), aPage()))
    await expect.poll(seen, { timeout: 10_000 }).toContain('shed')
    behindMs = 0
    await expect.poll(seen, { timeout: 10_000 }).toBe(JSON.stringify({ counted: true }))
    await counter.stop()
  })

  it('STAT-04 a write that fails is made again, once', async () => {
    const counter = await ready()
    counter.view(aSender(), aPage())
    await db.sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''not now'' using errcode = ''53300''; end'`
    await db.sql`create trigger fails before insert on stat_seen execute function fail()`
    await counter.flush()
    expect((await report()).totals.views).toBe(0)
    await db.sql`drop trigger fails on stat_seen`
    await counter.flush()
    await counter.flush()
    expect((await report()).totals).toEqual({ visitors: 1, visits: 1, views: 1 })
  })

  it('STAT-04 what the database can never take does not stand in the way of what it can', async () => {
    const counter = await ready()
    await db.sql`alter table stat_visit add constraint odd check (exit_path <> '/odd/')`
    counter.view(aSender({}, '203.0.113.1'), aPage('/odd/'))
    await counter.flush()
    counter.view(aSender({}, '203.0.113.2'), aPage('/even/'))
    await counter.flush()
    expect((await report()).pages.map(({ path }) => path)).toEqual(['/even/'])
  })

  it('STAT-04 several processes that count the same visitors lose none and count none twice', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => ready()))
    await Promise.all(
      processes.map(async (counter, one) => {
        for (let round = 0; round < 5; round += 1) {
          for (let who = 0; who < 10; who += 1) {
            counter.view(aSender({}, `203.0.113.${(who * 7 + one) % 10}`), aPage(`/${(who + round) % 3}/`))
          }
          await counter.flush()
        }
      }),
    )
    const { totals, pages } = await report()
    expect(totals).toEqual({ visitors: 10, visits: 10, views: 200 })
    expect(pages.map(({ visitors }) => visitors)).toEqual([10, 10, 10])
  })

  it('STAT-04 a process that runs writes by itself, and all of it when it is stopped', async () => {
    const counter = shop.process({ running: true, tickMs: 20, lateMs: 60_000 })
    await expect.poll(() => counter.view(aSender(), aPage()).counted, { timeout: 10_000 }).toBe(true)
    await expect.poll(async () => (await report()).totals.views, { timeout: 10_000 }).toBe(1)
    counter.view(aSender({}, '203.0.113.8'), aPage())
    await counter.stop()
    expect((await report()).totals.views).toBe(2)
    expect(counter.view(aSender(), aPage())).toEqual({ counted: false, exclusion: 'shed' })
  })
})
