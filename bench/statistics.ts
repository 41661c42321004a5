import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shopSettings } from '#contract/shared/settings.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { startEmbedded } from '#database/engine/embedded/embedded.ts'
import { migrate } from '#database/engine/migrate.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import { systemEnvironment, systemLog } from '#server/operations/startup/environment.ts'
import { readStatistics } from '#shop/statistics/read-statistics.ts'
import { rollUpStatistics } from '#shop/statistics/roll-up-statistics.ts'
import { createStatisticsCounter } from '#shop/statistics/visit-counter.ts'
import { median, report } from './support/report.ts'

/**
 * How large do the statistics grow with ten million views in 400 days, how fast are they read then, and what does counting cost?
 * The views are drawn in the database, from a seed: pages, sources, searches and so on with few frequent and many rare ones, and
 * counted day by day as the shop counts them. Then the shop's own nightly work sums them up.
 */
const views = Number(process.env.STATISTICS_VIEWS ?? 10_000_000)
const days = 400
const perDay = Math.round(views / days)
const last = '2026-11-22'
const rounds = 15

const folder = await mkdtemp(join(tmpdir(), 'vitrine-statistics-'))
const environment = systemEnvironment(systemLog('error'))
const postgres = await startEmbedded({ ...environment, folder, settings: {} })
const db = connect(postgres.url, { max: 4 })
try {
  await migrate(db)
  const filled = await timed(async () => {
    for (let place = days - 1; place >= 0; place -= 1) await countDay(db, addDays(last, -place), place < 2)
  })
  // As PostgreSQL does by itself while they come day by day.
  await db.sql`analyze`
  const clock = { now: () => new Date(`${last}T20:00:00Z`), sleep: environment.clock.sleep }
  const tools = {
    ...environment,
    clock,
    db,
    settings: shopSettings.parse({}),
    publicUrl: 'https://shop.example',
  }
  const summedUp = await timed(() => rollUpStatistics(tools))
  const nothingToDo = await times(() => rollUpStatistics(tools))
  await db.sql`vacuum analyze`
  const [size] = await db.sql<{ all: number; counts: number; rows: number }[]>`
    select sum(pg_total_relation_size(oid))::bigint as all, pg_total_relation_size('stat_count') as counts,
      (select count(*) from stat_count) as rows
    from pg_class where relname like 'stat\\_%' and relkind = 'r'`
  const [total] = await db.sql<{ views: number }[]>`
    select sum(views)::bigint as views from stat_count where dimension = 'total' and grain = 'day'`
  if (Math.abs((total?.views ?? 0) - views) > days) throw new Error(`there are ${total?.views} views`)

  const reads: { what: string; ms: number }[] = []
  for (const length of [1, 7, 30, 90, 365, days]) {
    const period = { from: addDays(last, 1 - length), to: last, compare: true }
    reads.push({
      what: `the dashboard's figures of ${length} days`,
      ms: await times(() => readStatistics(tools, period)),
    })
  }

  const counting = await countingCosts(tools)
  const mb = (bytes: number) => bytes / 1024 / 1024
  report('statistics', [
    { what: `all tables with ${views} views`, value: mb(size?.all ?? 0), unit: 'MB', budget: { atMost: 1024 } },
    { what: 'of which counts', value: mb(size?.counts ?? 0), unit: 'MB' },
    { what: 'rows of counts', value: size?.rows ?? 0, unit: '' },
    ...reads.map(({ what, ms }) => ({ what, value: ms, unit: 'ms', budget: { atMost: 200 } })),
    { what: 'taking in a view', value: counting.viewUs, unit: 'µs' },
    { what: 'writing 500 visitors with 1,500 views', value: counting.batchMs, unit: 'ms' },
    { what: 'the minute job with nothing to do', value: nothingToDo, unit: 'ms' },
    { what: 'summing up 13 months at once', value: summedUp / 1000, unit: 's' },
    { what: 'filled', value: filled / 1000, unit: 's' },
  ])
} finally {
  await db.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A day's views: their visitors come about three times each, and what they are stays the same over the day. */
async function countDay({ sql }: Database, day: string, inDetail: boolean): Promise<void> {
  const visitors = Math.ceil(perDay / 3)
  await sql.begin(async (tx) => {
    await tx`select setseed(${(Number(day.replaceAll('-', '')) % 1000) / 1000})`
    await tx`create temporary table visit on commit drop as
      select n as visitor, lpad((n % 24)::text, 2, '0') as hour,
        'source-' || floor(300 * power(random(), 4)) || '.example' as source,
        (array['direct', 'search', 'social', 'email', 'referral', 'paid', 'campaign'])[1 + floor(7 * power(random(), 2))] as channel,
        (array['organic', 'cpc', 'email', 'referral', '(none)'])[1 + floor(5 * random())] as medium,
        case when random() < 0.2 then 'campaign ' || floor(60 * power(random(), 2)) else '' end as campaign,
        (array['US','DE','GB','FR','CA','AT','CH','NL','ES','IT','SE','PL','JP','BR','AU'])[1 + floor(15 * power(random(), 3))] as country,
        case when random() < 0.5 then 'header' else 'language' end as country_by,
        (array['en','de','fr','es','it','nl','pl','ja','pt','sv'])[1 + floor(10 * power(random(), 3))] as language,
        (array['Mobile','Desktop','Tablet'])[1 + floor(3 * power(random(), 2))] as device,
        (array['Chrome','Safari','Firefox','Edge','Samsung Internet','Opera'])[1 + floor(6 * power(random(), 3))] as browser,
        (120 + floor(25 * power(random(), 3)))::text as version,
        (array['Windows','iOS','Android','macOS','Linux'])[1 + floor(5 * power(random(), 2))] as os,
        (array['USD','EUR','GBP'])[1 + floor(3 * power(random(), 3))] as currency
      from generate_series(1, ${visitors}) as n`
    await tx`create temporary table view on commit drop as
      select 1 + floor(${visitors} * random())::int as visitor, 'product:' || place as shows,
        '/product/a-name-of-usual-length-' || place || '/' as path,
        case when random() < 0.08 then 'what is searched for ' || floor(2000 * power(random(), 3)) end as search
      from (select floor(2000 * power(random(), 4))::int as place from generate_series(1, ${perDay})) as drawn`
    await tx`insert into stat_count (dimension, grain, day, value, detail, visitors, visits, views)
      select dimension, 'day', ${day}::date, value, detail, count(*), count(*), 0 from visit cross join lateral (values
        ('source', source, channel), ('channel', channel, ''), ('medium', medium, ''),
        ('campaign', campaign, source || ' / ' || medium), ('country', country, country_by), ('language', language, ''),
        ('device', device, ''), ('browser', browser, version), ('os', os, ''), ('currency', currency, '')
      ) as of(dimension, value, detail) where value <> '' group by dimension, value, detail
      union all select 'total', 'day', ${day}::date, '', '', ${visitors}, ${visitors}, ${perDay}
      union all select 'hour', 'day', ${day}::date, hour, '', count(distinct visitor), count(distinct visitor), count(*)
        from view join visit using (visitor) group by hour
      union all select 'page', 'day', ${day}::date, path, shows, count(distinct visitor), 0, count(*) from view group by path, shows
      union all select 'search', 'day', ${day}::date, search, '', count(distinct visitor), count(*), 0
        from view where search is not null group by search`
    await tx`insert into stat_excluded select ${day}::date, reason, n from (values ('robot', 4000), ('404', 90), ('do-not-track', 300)) as x(reason, n)`
    // Of each day somebody is left to be forgotten, so that the nightly work folds it; of the last two everybody.
    await tx`insert into stat_visit (day, vid, first_at, last_at, visits, hits, entry_path, exit_path, source, medium, campaign, channel)
      select ${day}::date, lpad(visitor::text, 22, 'v'), ${`${day}T12:00:00Z`}, ${`${day}T12:00:00Z`}, 1, 3, '/', '/', source, medium, campaign, channel
      from visit where ${inDetail} or visitor = 1`
    await tx`insert into stat_seen select distinct ${day}::date, lpad(visitor::text, 22, 'v'), 'page ' || path from view
      where ${inDetail} or visitor = 1`
  })
}

/** What one view costs the request that brings it, and what a full batch costs the database, at the end of that year. */
async function countingCosts(tools: Parameters<typeof createStatisticsCounter>[0]) {
  const counter = createStatisticsCounter(tools, { running: false })
  await counter.flush()
  const headers: Record<string, string> = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'accept-language': 'de-AT,de;q=0.9,en;q=0.8',
  }
  const taken: number[] = []
  const written: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const began = performance.now()
    for (let place = 0; place < 1_500; place += 1) {
      const visitor = place % 500
      counter.view(
        { ip: `10.${round}.${visitor >> 8}.${visitor & 255}`, method: 'GET', header: (name) => headers[name] ?? '' },
        {
          current_page_type: 'product',
          current_page_id: place,
          page_uri: `/product/a-name-of-usual-length-${(place * 7) % 300}/`,
          current_currency: 'EUR',
          referred: 'https://www.google.com/',
          search: '',
          query: '',
          staff: false,
        },
      )
    }
    taken.push(((performance.now() - began) * 1000) / 1_500)
    written.push(await timed(() => counter.flush()))
  }
  return { viewUs: median(taken), batchMs: median(written) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function times(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round += 1) taken.push(await timed(work))
  return median(taken)
}
