import {
  type CountRow,
  countExclusions,
  type FigureRow,
  figuresByDay,
  firstCountedDay,
  onlineSince,
  topCounts,
} from '#database/statistics/statistics-figures.ts'
import { type Channel, channels } from '#domain/statistics/channels.ts'
import type { Dimension } from '#domain/statistics/dimensions.ts'
import { type Exclusion, exclusions } from '#domain/statistics/exclusions.ts'
import { daysOf, periodBefore } from '#domain/statistics/report-period.ts'
import { fewestSearchers, onlineSeconds } from '#domain/statistics/visit-limits.ts'
import type { Tools } from '../shared/tools.ts'
import { shopHours } from './shop-hours.ts'

/** First and last day, both included, as `2026-11-22` in the shop's time zone. */
export type Period = { readonly from: string; readonly to: string }

/** Visitors are unique per day: those of a period are the sum of its days. A visitor may have several visits. */
export type Figures = { readonly visitors: number; readonly visits: number; readonly views: number }

/** Counts of one property. Views are not counted by property. */
export type Share = { readonly visitors: number; readonly visits: number }

export type StatisticsReport = {
  readonly period: Period
  /** The current day in the shop's time zone; its counts are incomplete. */
  readonly today: string
  /** The first day with counts; null: none yet. */
  readonly since: string | null
  readonly totals: Figures
  /** Every day of the period, including those without visitors. */
  readonly days: readonly (Figures & { readonly day: string })[]
  /** The 24 hours of the day, each summed over the period. A visitor counts in the hour of the first view. */
  readonly hours: readonly (Figures & { readonly hour: number })[]
  /** The same number of days before, if requested. */
  readonly before: { readonly period: Period; readonly totals: Figures; readonly days: StatisticsReport['days'] } | null
  /** `id`: of the displayed product, category or tag; 0: none. The page looks up `title`. */
  readonly pages: readonly {
    readonly path: string
    readonly type: string
    readonly id: number
    readonly views: number
    readonly visitors: number
  }[]
  readonly channels: readonly (Share & { readonly channel: Channel })[]
  /** `(direct)` for visits without a source. */
  readonly sources: readonly (Share & { readonly source: string; readonly channel: Channel })[]
  readonly campaigns: readonly (Share & {
    readonly campaign: string
    readonly source: string
    readonly medium: string
  })[]
  /** `''`: unknown. `guessed`: number of visitors whose country was derived from the browser's language alone. */
  readonly countries: readonly (Share & { readonly country: string; readonly guessed: number })[]
  /** Language codes without a region; `''`: unknown. */
  readonly languages: readonly (Share & { readonly language: string })[]
  /** `Desktop`, `Mobile`, `Tablet`: as in the attribution of orders. */
  readonly devices: readonly (Share & { readonly device: string })[]
  readonly browsers: readonly (Share & {
    readonly browser: string
    readonly versions: readonly (Share & { readonly version: string })[]
  })[]
  readonly systems: readonly (Share & { readonly system: string })[]
  /** Only terms of at least three visitors: rarer ones may identify a person. */
  readonly searches: readonly (Share & { readonly term: string })[]
  readonly currencies: readonly (Share & { readonly currency: string })[]
  /** Uncounted views by reason, the most frequent first. */
  readonly exclusions: readonly { readonly reason: Exclusion; readonly count: number }[]
}

export type OnlineNow = {
  /** Visitors whose page was open and visible within the last two minutes, over all processes. */
  readonly visitors: number
  /** Their pages, most visitors first; at most ten. */
  readonly pages: readonly { readonly path: string; readonly visitors: number }[]
}

export type StatisticsTools = Pick<Tools, 'db' | 'clock' | 'settings'>

const inReport = [
  'hour',
  'page',
  'source',
  'channel',
  'campaign',
  'country',
  'language',
  'device',
  'browser',
  'os',
  'currency',
  'search',
] as const satisfies readonly Dimension[]

/** Limit per dimension. Browsers have a row for each version, so that rare ones may be missing. */
const mostRows = 200

/**
 * Returns the statistics of a period.
 * @param compare whether to include the same number of days before
 */
export async function readStatistics(
  { db, clock, settings }: StatisticsTools,
  { from, to, compare = false }: Period & { readonly compare?: boolean },
): Promise<StatisticsReport> {
  const period = { from, to }
  const earlier = compare ? periodBefore(period) : null
  const [days, before, counts, left, since] = await Promise.all([
    figuresByDay(db, period),
    earlier && figuresByDay(db, earlier),
    topCounts(db, period, inReport, mostRows),
    countExclusions(db, period),
    firstCountedDay(db),
  ])
  const of = (dimension: (typeof inReport)[number]) => counts.filter((row) => row.dimension === dimension)
  const shares = <Name extends string>(dimension: (typeof inReport)[number], name: Name) =>
    byValue(of(dimension)).map(
      ({ value, visitors, visits }) => ({ [name]: value, visitors, visits }) as Share & Record<Name, string>,
    )
  return {
    period,
    today: shopHours(() => settings)(clock.now()).day,
    since,
    totals: sumOf(days),
    days: everyDay(period, days),
    hours: everyHour(of('hour')),
    before: earlier && before && { period: earlier, totals: sumOf(before), days: everyDay(earlier, before) },
    pages: of('page')
      .map(({ value, detail, views, visitors }) => {
        const [, type = '', id = '0'] = /^(.*):(\d+)$/.exec(detail) ?? []
        return { path: value, type, id: Number(id), views, visitors }
      })
      .sort((one, other) => other.views - one.views || other.visitors - one.visitors),
    channels: of('channel').flatMap(({ value, visitors, visits }) =>
      isChannel(value) ? [{ channel: value, visitors, visits }] : [],
    ),
    sources: of('source').flatMap(({ value, detail, visitors, visits }) =>
      isChannel(detail) ? [{ source: value, channel: detail, visitors, visits }] : [],
    ),
    campaigns: of('campaign').map(({ value, detail, visitors, visits }) => {
      const at = detail.lastIndexOf(' / ')
      return { campaign: value, source: detail.slice(0, at), medium: detail.slice(at + 3), visitors, visits }
    }),
    countries: byValue(of('country')).map(({ value, visitors, visits, rows }) => {
      const guessed = rows.filter(({ detail }) => detail === 'language').reduce((sum, row) => sum + row.visitors, 0)
      return { country: value, visitors, visits, guessed }
    }),
    languages: shares('language', 'language'),
    devices: shares('device', 'device'),
    browsers: byValue(of('browser')).map(({ value, visitors, visits, rows }) => {
      const versions = rows.map((row) => ({ version: row.detail, visitors: row.visitors, visits: row.visits }))
      return { browser: value, visitors, visits, versions }
    }),
    systems: shares('os', 'system'),
    searches: shares('search', 'term').filter(({ visitors }) => visitors >= fewestSearchers),
    currencies: shares('currency', 'currency'),
    exclusions: left.flatMap(({ reason, count }) => (isExclusion(reason) ? [{ reason, count }] : [])),
  }
}

/** Returns the visitors online now, over all processes. */
export async function onlineNow({ db, clock }: Pick<StatisticsTools, 'db' | 'clock'>): Promise<OnlineNow> {
  return onlineSince(db, new Date(clock.now().getTime() - onlineSeconds * 1_000), 10)
}

/**
 * Counts visits by source, medium or campaign, under the names used in orders. Without any visits nothing was counted,
 * and a conversion cannot be computed.
 */
export async function visitsBy(
  { db }: Pick<StatisticsTools, 'db'>,
  period: Period,
  dimension: 'source' | 'medium' | 'campaign' | 'device',
): Promise<ReadonlyMap<string, Share>> {
  const rows = await topCounts(db, period, [dimension], 10_000)
  return new Map(byValue(rows).map(({ value, visitors, visits }) => [value, { visitors, visits }]))
}

const isChannel = (text: string): text is Channel => channels.some((known) => known === text)
const isExclusion = (text: string): text is Exclusion => exclusions.some((known) => known === text)

const nothing: Figures = { visitors: 0, visits: 0, views: 0 }

function sumOf(rows: readonly FigureRow[]): Figures {
  return rows.reduce<Figures>(
    (sum, { visitors, visits, views }) => ({
      visitors: sum.visitors + visitors,
      visits: sum.visits + visits,
      views: sum.views + views,
    }),
    nothing,
  )
}

function everyDay(period: Period, rows: readonly (FigureRow & { day: string })[]): StatisticsReport['days'] {
  const known = new Map(rows.map((row) => [row.day, row]))
  return daysOf(period).map((day) => ({ ...nothing, day, ...known.get(day) }))
}

function everyHour(rows: readonly CountRow[]): StatisticsReport['hours'] {
  return Array.from({ length: 24 }, (_, hour) => {
    const { visitors, visits, views } = sumOf(rows.filter(({ value }) => Number(value) === hour))
    return { hour, visitors, visits, views }
  })
}

/** Sums rows that differ only in their detail, most visitors first. */
function byValue(rows: readonly CountRow[]): (Share & { value: string; rows: readonly CountRow[] })[] {
  const groups = new Map<string, CountRow[]>()
  for (const row of rows) {
    const group = groups.get(row.value)
    if (group) group.push(row)
    else groups.set(row.value, [row])
  }
  return [...groups]
    .map(([value, group]) => ({ ...sumOf(group), value, rows: group }))
    .sort((one, other) => other.visitors - one.visitors || other.visits - one.visits)
}
