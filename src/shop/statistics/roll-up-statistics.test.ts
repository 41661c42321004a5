import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { aCountingShop, aPage, aSender, type CountingShop } from '#tests/support/statistics/statistics-fixtures.ts'
import { readStatistics } from './read-statistics.ts'
import { rollUpStatistics } from './roll-up-statistics.ts'

let db: TestDatabase
let shop: CountingShop
beforeEach(async () => {
  db = await aDatabase()
  shop = aCountingShop(db, { settings: { keepMonths: 2 } })
})
afterEach(() => db.close())

const report = (from: string, to: string) => readStatistics(shop.tools, { from, to })
const rowsOf = async (table: string) =>
  (await db.sql<{ n: number }[]>`select count(*)::int as n from ${db.sql(table)}`)[0]?.n

/** Creates views and a search of one visitor at noon of each day; every tenth day four more visitors. */
async function visited(first: string, days: number): Promise<void> {
  const counter = shop.process()
  for (let place = 0; place < days; place += 1) {
    const at = new Date(`${first}T11:00:00Z`)
    at.setUTCDate(at.getUTCDate() + place)
    shop.at(at.toISOString())
    await counter.flush()
    for (let who = 0; who < (place % 10 === 0 ? 5 : 1); who += 1) {
      counter.view(aSender({}, `203.0.113.${who}`), aPage('/', { query: 'utm_source=news' }))
      counter.view(
        aSender({}, `203.0.113.${who}`),
        aPage('/?s=', { search: place % 10 === 0 ? 'hat' : `rare ${place}` }),
      )
    }
    await counter.flush()
  }
}

describe('summing up', () => {
  it('STAT-04 forgets single visitors and salts when the day after theirs is over, and no count', async () => {
    await visited('2026-11-20', 3)
    const before = await report('2026-11-20', '2026-11-22')
    shop.at('2026-11-22T11:30:00Z')
    expect(await rollUpStatistics(shop.tools)).toBe(true)
    const days = await db.sql<{ day: string }[]>`
      select day::text from stat_visit union select day::text from stat_seen union select day::text from stat_salt order by day`
    expect(days.map(({ day }) => day)).toEqual(['2026-11-21', '2026-11-22'])
    expect(await report('2026-11-20', '2026-11-22')).toEqual(before)
    // Nothing is left to do, until the next midnight.
    expect(await rollUpStatistics(shop.tools)).toBe(false)
    shop.at('2026-11-22T22:59:00Z')
    expect(await rollUpStatistics(shop.tools)).toBe(false)
    shop.at('2026-11-22T23:01:00Z')
    expect(await rollUpStatistics(shop.tools)).toBe(true)
  })

  it('STAT-04 a month that is over reads the same summed up, whichever days are asked for', async () => {
    await visited('2026-09-25', 50)
    shop.at('2026-11-14T12:00:00Z')
    const periods = [
      ['2026-09-25', '2026-11-13'],
      ['2026-10-01', '2026-10-31'],
      ['2026-10-02', '2026-11-03'],
      ['2026-09-30', '2026-10-31'],
      ['2026-10-01', '2026-10-30'],
      ['2026-09-01', '2026-12-31'],
    ] as const
    const before = await Promise.all(periods.map(([from, to]) => report(from, to)))
    expect(await rollUpStatistics(shop.tools)).toBe(true)
    const months = await db.sql<{ day: string }[]>`
      select day::text from stat_count where grain = 'month' and dimension = 'total' order by day`
    expect(months.map(({ day }) => day)).toEqual(['2026-09-01', '2026-10-01'])
    expect(await Promise.all(periods.map(([from, to]) => report(from, to)))).toEqual(before)
    // A search by a single visitor is kept for its month only.
    const terms = await db.sql<{ value: string }[]>`
      select distinct value from stat_count where dimension = 'search' and day < '2026-11-01'`
    expect(terms).toEqual([{ value: 'hat' }])
    // Proves that the months are read: without the days of October the result is the same.
    await db.sql`delete from stat_count where grain = 'day' and dimension = 'source' and day between '2026-10-01' and '2026-10-31'`
    expect((await report('2026-09-25', '2026-11-13')).sources).toEqual(before[0]?.sources)
  })

  it('STAT-04 done by two processes at once, or twice, it is done once', async () => {
    await visited('2026-10-25', 12)
    shop.at('2026-11-09T12:00:00Z')
    const before = await report('2026-10-25', '2026-11-05')
    const done = await Promise.all([
      rollUpStatistics(shop.tools),
      rollUpStatistics(shop.tools),
      rollUpStatistics(shop.tools),
    ])
    expect(done).toContain(true)
    expect(await rollUpStatistics(shop.tools)).toBe(false)
    expect(await report('2026-10-25', '2026-11-05')).toEqual(before)
    const nameless = ['stat_visit', 'stat_seen', 'stat_salt', 'stat_online']
    expect(await Promise.all(nameless.map(rowsOf))).toEqual([0, 0, 0, 0])
  })

  it('STAT-04 what is older than the merchant wants is deleted, also where it is summed up', async () => {
    await visited('2026-08-28', 10)
    shop.at('2026-10-20T12:00:00Z')
    await rollUpStatistics(shop.tools)
    expect((await report('2026-08-01', '2026-10-20')).totals.views).toBeGreaterThan(0)
    shop.at('2026-11-02T12:00:00Z')
    expect(await rollUpStatistics(shop.tools)).toBe(true)
    const [left] = await db.sql<{ first: string }[]>`select min(day)::text as first from stat_count`
    expect(left?.first).toBe('2026-09-01')
  })

  it('STAT-04 a day keeps its most frequent values, and the sum of the others', async () => {
    const counter = shop.process()
    await counter.flush()
    for (let place = 0; place < 1_500; place += 1) {
      const times = place < 3 ? 3 : 1
      const visitor = aSender({}, `198.51.${place >> 8}.${place & 255}`)
      for (let time = 0; time < times; time += 1) {
        counter.view(visitor, aPage(`/${place}/`, { query: `utm_source=s${place}&utm_medium=email` }))
      }
    }
    await counter.flush()
    const before = await report('2026-11-22', '2026-11-22')
    shop.at('2026-11-25T12:00:00Z')
    await rollUpStatistics(shop.tools)
    const after = await report('2026-11-22', '2026-11-22')
    expect(after.totals).toEqual(before.totals)
    const kept = await db.sql<{ dimension: string; n: number; visitors: number; views: number }[]>`
      select dimension, count(*)::int as n, sum(visitors)::int as visitors, sum(views)::int as views from stat_count
      where dimension in ('page', 'source') group by dimension order by dimension`
    expect(kept).toEqual([
      { dimension: 'page', n: 1_001, visitors: 1_500, views: 1_506 },
      { dimension: 'source', n: 1_001, visitors: 1_500, views: 0 },
    ])
    expect(after.sources[0]).toEqual({ source: '(other)', channel: 'email', visitors: 500, visits: 500 })
    expect(after.pages.slice(1, 4).map(({ path }) => path)).toEqual(['/0/', '/1/', '/2/'])
  }, 60_000)
})
