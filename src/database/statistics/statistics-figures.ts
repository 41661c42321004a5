import type { Dimension } from '#domain/statistics/dimensions.ts'
import type { Database } from '../engine/connect.ts'

/** Days from one to another, both included: `2026-11-22`. */
type Days = { readonly from: string; readonly to: string }

export type FigureRow = { visitors: number; visits: number; views: number }

/** Returns each day with data. */
export async function figuresByDay({ sql }: Database, { from, to }: Days): Promise<(FigureRow & { day: string })[]> {
  return sql<(FigureRow & { day: string })[]>`
    select day::text as day, visitors, visits, views from stat_count
    where dimension = 'total' and grain = 'day' and value = '' and day between ${from}::date and ${to}::date order by day`
}

export type CountRow = FigureRow & { dimension: Dimension; value: string; detail: string }

/**
 * Returns the most frequent values of each dimension, summed over the days. Past months are read from their summaries:
 * a year has twelve times as many rows as a month, not thirty times.
 * @param most number of rows per dimension
 */
export async function topCounts(
  { sql }: Database,
  { from, to }: Days,
  dimensions: readonly Dimension[],
  most: number,
): Promise<CountRow[]> {
  return sql<CountRow[]>`
    with month as materialized (
      select day as first, (day + interval '1 month')::date as next from stat_count
      where dimension = 'total' and grain = 'month' and value = ''
        and day >= ${from}::date and day + interval '1 month' <= ${to}::date + 1
    ),
    -- The remaining days before, between and after those months.
    span as materialized (
      select 'month' as grain, first, first as last from month
      union all
      select 'day', first, last from (
        select begins as first, coalesce(lead(ends) over (order by begins), ${to}::date + 1) - 1 as last from (
          select ${from}::date as begins, ${from}::date as ends
          union all select next, first from month
        ) as cut
      ) as rest
      where first <= last
    )
    select asked.dimension, top.value, top.detail, top.visitors, top.visits, top.views
    from unnest(${dimensions as string[]}::text[]) as asked(dimension)
    cross join lateral (
      select c.value, c.detail, sum(c.visitors) as visitors, sum(c.visits) as visits, sum(c.views) as views
      from span join stat_count c
        on c.dimension = asked.dimension and c.grain = span.grain and c.day between span.first and span.last
      group by c.value, c.detail
      order by sum(c.visitors) desc, sum(c.views) desc, sum(c.visits) desc, c.value, c.detail limit ${most}
    ) as top`
}

export async function countExclusions(
  { sql }: Database,
  { from, to }: Days,
): Promise<{ reason: string; count: number }[]> {
  return sql<{ reason: string; count: number }[]>`
    select reason, sum(n) as count from stat_excluded where day between ${from}::date and ${to}::date
    group by reason order by sum(n) desc, reason`
}

/** Returns the first day with counts; null: none. */
export async function firstCountedDay({ sql }: Database): Promise<string | null> {
  const [row] = await sql<{ day: string }[]>`
    select day::text as day from stat_count where dimension = 'total' and grain = 'day' order by day limit 1`
  return row?.day ?? null
}

/** Returns the visitors online since a moment, with their pages. */
export async function onlineSince(
  { sql }: Database,
  since: Date,
  most: number,
): Promise<{ visitors: number; pages: { path: string; visitors: number }[] }> {
  const pages = await sql<{ path: string; visitors: number; all: number }[]>`
    select path, count(*) as visitors, sum(count(*)) over () as all from stat_online where last_at > ${since}::timestamptz
    group by path order by count(*) desc, path limit ${most}`
  return { visitors: pages[0]?.all ?? 0, pages: pages.map(({ path, visitors }) => ({ path, visitors })) }
}
