import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { countPendingPromises } from '#tests/support/process/promise-count.ts'
import {
  aCountingShop,
  aPage,
  aSender,
  type CountingShop,
  chrome,
} from '#tests/support/statistics/statistics-fixtures.ts'
import { onlineNow, readStatistics, visitsBy } from './read-statistics.ts'
import { createStatisticsCounter } from './visit-counter.ts'

let db: TestDatabase
let shop: CountingShop
beforeEach(async () => {
  db = await aDatabase()
  shop = aCountingShop(db)
})
afterEach(() => db.close())

const today = { from: '2026-11-22', to: '2026-11-22' }
const report = (period = today) => readStatistics(shop.tools, period)

/** A process with the day's salts loaded. */
async function ready(options?: Parameters<CountingShop['process']>[0]) {
  const counter = shop.process(options)
  await counter.flush()
  return counter
}

describe('counting visits', () => {
  it('STAT-04 a visitor of several pages is one visitor, one visit and several views', async () => {
    const counter = await ready()
    for (const path of ['/', '/shop/', '/', '/product/hat/']) {
      expect(counter.view(aSender(), aPage(path))).toEqual({ counted: true })
    }
    await counter.flush()
    // Later, in another batch.
    counter.view(aSender(), aPage('/shop/'))
    counter.view(aSender({}, '203.0.113.8'), aPage('/shop/'))
    await counter.flush()
    const { totals, pages, days } = await report()
    expect(totals).toEqual({ visitors: 2, visits: 2, views: 6 })
    expect(days).toEqual([{ day: '2026-11-22', visitors: 2, visits: 2, views: 6 }])
    expect(pages.map(({ path, views, visitors }) => [path, views, visitors])).toEqual([
      ['/shop/', 3, 2],
      ['/', 2, 1],
      ['/product/hat/', 1, 1],
    ])
  })

  it('STAT-04 after half an hour it is another visit, in between it is the same, and open pages keep it going', async () => {
    const counter = await ready()
    const look = async (time: string) => {
      shop.at(time)
      counter.view(aSender(), aPage())
      await counter.flush()
      return (await report()).totals.visits
    }
    expect(await look('2026-11-22T12:00:00Z')).toBe(1)
    expect(await look('2026-11-22T12:29:00Z')).toBe(1)
    expect(await look('2026-11-22T13:00:00Z')).toBe(2)
    shop.at('2026-11-22T13:20:00Z')
    counter.online(aSender())
    await counter.flush()
    expect(await look('2026-11-22T13:45:00Z')).toBe(2)
    expect((await report()).totals.visitors).toBe(1)
  })

  it('STAT-04 a campaign or a search engine begins a visit, coming back from another site does not', async () => {
    const counter = await ready()
    const look = async (query: string, referred: string) => {
      counter.view(aSender(), aPage('/', { query, referred }))
      await counter.flush()
    }
    await look('', 'https://blog.example.org/post')
    await look('', 'https://shop.test/shop/')
    await look('', 'https://pay.example/')
    await look('utm_source=news&utm_medium=email&utm_campaign=spring', '')
    await look('', 'https://www.google.com/')
    await look('', 'https://www.google.com/')
    const { totals, sources, channels, campaigns } = await report()
    expect(totals).toEqual({ visitors: 1, visits: 3, views: 6 })
    expect(sources).toEqual([
      { source: 'blog.example.org', channel: 'referral', visitors: 1, visits: 1 },
      { source: 'google', channel: 'search', visitors: 0, visits: 1 },
      { source: 'news', channel: 'email', visitors: 0, visits: 1 },
    ])
    expect(channels.map(({ channel, visits }) => `${channel} ${visits}`).sort()).toEqual([
      'email 1',
      'referral 1',
      'search 1',
    ])
    expect(campaigns).toEqual([{ campaign: 'spring', source: 'news', medium: 'email', visitors: 0, visits: 1 }])
    expect((await visitsBy(shop.tools, today, 'source')).get('news')).toEqual({ visitors: 0, visits: 1 })
  })

  it('STAT-04 a visit over midnight is one visit, and a visitor of both days', async () => {
    shop.at('2026-11-22T22:50:00Z')
    const counter = await ready()
    counter.view(aSender(), aPage('/', { referred: 'https://blog.example.org/' }))
    await counter.flush()
    // Ten minutes before, and two: by then the new day's salt is loaded.
    shop.at('2026-11-22T22:58:00Z')
    await counter.flush()
    shop.at('2026-11-22T23:05:00Z')
    expect(counter.view(aSender(), aPage('/shop/'))).toEqual({ counted: true })
    await counter.flush()
    const { days, sources } = await report({ from: '2026-11-22', to: '2026-11-23' })
    expect(days).toEqual([
      { day: '2026-11-22', visitors: 1, visits: 1, views: 1 },
      { day: '2026-11-23', visitors: 1, visits: 0, views: 1 },
    ])
    expect(sources).toEqual([{ source: 'blog.example.org', channel: 'referral', visitors: 2, visits: 1 }])
  })

  it('STAT-04 tells country, language, device, browser, system, currency, hour and searches apart', async () => {
    const counter = await ready()
    const phone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1'
    counter.view(aSender(), aPage())
    counter.view(
      aSender({ 'user-agent': phone, 'cf-ipcountry': 'FR', 'accept-language': 'fr' }),
      aPage('/', { current_currency: 'USD' }),
    )
    for (const ip of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      counter.view(aSender({}, ip), aPage('/?s=', { search: ' Wool HAT' }))
    counter.view(aSender(), aPage('/?s=', { search: 'my name is rare' }))
    await counter.flush()
    const found = await report()
    expect(found.countries).toEqual([
      { country: 'AT', visitors: 4, visits: 4, guessed: 4 },
      { country: 'FR', visitors: 1, visits: 1, guessed: 0 },
    ])
    expect(found.languages.map(({ language, visitors }) => `${language} ${visitors}`)).toEqual(['de 4', 'fr 1'])
    expect(found.devices.map(({ device, visitors }) => `${device} ${visitors}`)).toEqual(['Desktop 4', 'Mobile 1'])
    expect(found.browsers[0]).toEqual({
      browser: 'Chrome',
      visitors: 4,
      visits: 4,
      versions: [{ version: '142', visitors: 4, visits: 4 }],
    })
    expect(found.systems.map(({ system }) => system)).toEqual(['Windows', 'iOS'])
    expect(found.currencies.map(({ currency, visitors }) => `${currency} ${visitors}`)).toEqual(['EUR 4', 'USD 1'])
    // Vienna is an hour ahead.
    expect(found.hours[13]).toEqual({ hour: 13, visitors: 5, visits: 5, views: 6 })
    expect(found.hours[12]?.views).toBe(0)
    // Searches of fewer than three visitors are hidden.
    expect(found.searches).toEqual([{ term: 'wool hat', visitors: 3, visits: 3 }])
  })

  it.each([
    ['robot', { 'user-agent': '' }],
    ['robot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    ['robot', { 'user-agent': 'GPTBot/1.2' }],
    ['robot', { 'user-agent': 'curl/8.5.0' }],
    ['robot', { 'accept-language': '' }],
    ['do-not-track', { dnt: '1' }],
    ['global-privacy-control', { 'sec-gpc': '1' }],
    ['prefetch', { 'sec-purpose': 'prefetch;prerender' }],
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
  ] as const)('STAT-03 STAT-04 %s is left out and counted as such: %j', async (reason, headers) => {
    const counter = await ready()
    expect(counter.view(aSender(headers), aPage())).toEqual({ counted: false, exclusion: reason })
    await counter.flush()
    const { totals, exclusions } = await report()
    expect(totals.views).toBe(0)
    expect(exclusions).toEqual([{ reason, count: 1 }])
    expect(await db.sql`select 1 from stat_visit`).toHaveLength(0)
  })

  it('STAT-04 pages that are not there, that the merchant leaves out, and those of the staff are left out in that order', async () => {
    shop = aCountingShop(db, { settings: { excludedPaths: ['/secret/*'] } })
    const counter = await ready()
    const why = (page: ReturnType<typeof aPage>) => counter.view(aSender(), page)
    expect(why(aPage('/secret/a', { current_page_type: '404', staff: true }))).toMatchObject({ exclusion: '404' })
    expect(why(aPage('/secret/a', { staff: true }))).toMatchObject({ exclusion: 'path' })
    expect(why(aPage('/', { staff: true }))).toMatchObject({ exclusion: 'staff' })
    expect(why(aPage('/'))).toEqual({ counted: true })
  })

  it('STAT-03 do-not-track counts only where the shop honours it, and other values never', async () => {
    shop = aCountingShop(db, { settings: { honourDoNotTrack: false } })
    const counter = await ready()
    expect(counter.view(aSender({ dnt: '1' }), aPage())).toEqual({ counted: true })
    const honouring = aCountingShop(db).process()
    await honouring.flush()
    for (const dnt of ['0', 'null', 'unspecified', ''])
      expect(honouring.view(aSender({ dnt }), aPage())).toEqual({ counted: true })
  })

  it('STAT-04 nobody looks at more than sixty pages in a minute, nor at more than a thousand in a day', async () => {
    const counter = await ready()
    for (let place = 0; place < 60; place += 1) expect(counter.view(aSender(), aPage()).counted).toBe(true)
    expect(counter.view(aSender(), aPage())).toEqual({ counted: false, exclusion: 'too-many' })
    expect(counter.view(aSender({}, '203.0.113.99'), aPage()).counted).toBe(true)
    await counter.flush()
    await db.sql`update stat_visit set hits = 1000 where hits = 60`
    shop.at('2026-11-22T12:05:00Z')
    counter.view(aSender(), aPage())
    await counter.flush()
    const { totals, exclusions } = await report()
    expect(totals).toEqual({ visitors: 2, visits: 2, views: 61 })
    expect(exclusions).toEqual([{ reason: 'too-many', count: 2 }])
  })
})

describe('who is here now', () => {
  it('STAT-02 is everybody who was seen within two minutes, by whichever process, once', async () => {
    const [one, other] = [await ready(), await ready()]
    one.view(aSender(), aPage('/shop/'))
    other.view(aSender({}, '203.0.113.8'), aPage('/shop/'))
    other.view(aSender({}, '203.0.113.9'), aPage('/'))
    await Promise.all([one.flush(), other.flush()])
    expect(await onlineNow(shop.tools)).toEqual({
      visitors: 3,
      pages: [
        { path: '/shop/', visitors: 2 },
        { path: '/', visitors: 1 },
      ],
    })
    shop.at('2026-11-22T12:01:30Z')
    // The same visitor, served by the other process.
    other.online(aSender())
    other.online(aSender())
    await other.flush()
    shop.at('2026-11-22T12:02:10Z')
    expect((await onlineNow(shop.tools)).visitors).toBe(1)
    shop.at('2026-11-22T12:03:40Z')
    expect((await onlineNow(shop.tools)).visitors).toBe(0)
  })

  it('STAT-03 a robot, or somebody who does not want to be counted, is not here', async () => {
    const counter = await ready()
    counter.view(aSender(), aPage())
    await counter.flush()
    shop.at('2026-11-22T12:10:00Z')
    for (const headers of [
      { dnt: '1' },
      { 'sec-gpc': '1' },
      { 'user-agent': 'curl/8' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      counter.online(aSender(headers as unknown as Record<string, string>))
    }
    await counter.flush()
    expect((await onlineNow(shop.tools)).visitors).toBe(0)
  })
})

describe('what is kept', () => {
  it('STAT-04 is neither the network nor the agent, and nothing that tells who it was once the salt is gone', async () => {
    const counter = await ready()
    counter.view(
      aSender({ 'user-agent': `${chrome} Custom/7.7.7` }),
      aPage('/', { referred: 'https://blog.example/me?token=abc' }),
    )
    await counter.flush()
    const tables = await db.sql<
      { name: string }[]
    >`select table_name as name from information_schema.tables where table_name like 'stat_%'`
    expect(tables.length).toBeGreaterThan(4)
    let everything = ''
    for (const { name } of tables) everything += JSON.stringify(await db.sql`select * from ${db.sql(name)}`)
    for (const secret of ['203.0.113', 'Custom', '7.7.7', 'Mozilla', 'token', 'abc'])
      expect(everything).not.toContain(secret)
    expect(everything).toContain('blog.example')
  })

  it('STAT-04 has another id for the same visitor every day, and the same in every process', async () => {
    const [one, other] = [await ready(), await ready()]
    one.view(aSender(), aPage())
    other.view(aSender(), aPage())
    await Promise.all([one.flush(), other.flush()])
    shop.at('2026-11-23T12:00:00Z')
    await one.flush()
    one.view(aSender(), aPage())
    await one.flush()
    const rows = await db.sql<
      { day: string; vid: string; hits: number }[]
    >`select day::text, vid, hits from stat_visit order by day`
    expect(rows.map(({ day, hits }) => [day, hits])).toEqual([
      ['2026-11-22', 2],
      ['2026-11-23', 1],
    ])
    expect(rows[0]?.vid).not.toBe(rows[1]?.vid)
    expect(rows[0]?.vid).toMatch(/^[\w-]{22}$/)
  })

  it('STAT-04 is short and one line, whatever is forged', async () => {
    const counter = await ready()
    const evil = `\u202e<script>'";--\ud800\u0007${'é'.repeat(8_000)}`
    for (let place = 0; place < 30; place += 1) {
      const headers = {
        'accept-language': `${evil},de`,
        'cf-ipcountry': evil,
        'user-agent': `Mozilla/5.0 Firefox/1${place} ${evil}`,
      }
      const query = `utm_source=${place}${evil}&utm_campaign=${evil}`
      const page = aPage(`/${place}${evil}`, { query, referred: evil, search: `${place}${evil}` })
      expect(counter.view(aSender(headers, `198.51.100.${place}`), page)).toEqual({ counted: true })
    }
    await counter.flush()
    expect((await report()).totals).toEqual({ visitors: 30, visits: 30, views: 30 })
    const wrong = await db.sql`
      select 1 from stat_count where length(value) > 512 or length(detail) > 200 or value ~ '[\u0001-\u001f\u202e]'`
    expect(wrong).toHaveLength(0)
  })

  it('STAT-04 tells no more than some thousand pages and sources of a day apart', async () => {
    const counter = await ready({ mostViews: 10_000 })
    for (let place = 0; place < 5_500; place += 1) {
      counter.view(
        aSender({}, `198.51.${place >> 8}.${place & 255}`),
        aPage(`/${place}`, { query: `utm_source=s${place}` }),
      )
    }
    await counter.flush()
    const rows = await db.sql<{ dimension: string; n: number; visitors: number }[]>`
      select dimension, count(*)::int as n, sum(visitors)::int as visitors from stat_count
      where dimension in ('page', 'source') group by dimension order by dimension`
    expect(rows).toEqual([
      { dimension: 'page', n: 5_001, visitors: 5_500 },
      { dimension: 'source', n: 5_001, visitors: 5_500 },
    ])
    const { pages } = await report()
    expect(pages[0]).toEqual({ path: '(other)', type: '', id: 0, views: 500, visitors: 500 })
  }, 60_000)
})

it('M17 keeps nothing of the seconds that pass', async () => {
  const { tools } = shop
  let seconds = 0
  const clock = {
    now: tools.clock.now,
    sleep(_ms: number, signal?: AbortSignal) {
      seconds += 1
      return tools.clock.sleep(0, signal)
    },
  }
  const counter = createStatisticsCounter({ ...tools, clock })
  const pass = async (count: number) => {
    for (const end = seconds + count; seconds < end; ) await tools.clock.sleep(5)
  }
  await pass(10)
  const before = countPendingPromises()
  await pass(500)
  expect(countPendingPromises() - before).toBeLessThan(50)
  await counter.stop()
})
