import { dimensions } from '#domain/statistics/dimensions.ts'
import { advisoryLocks } from '../engine/advisory-locks.ts'
import type { Database } from '../engine/connect.ts'

export type RollUp = {
  /** The first day whose visitor ids are kept. */
  readonly keptFrom: string
  /** The first day whose counts are kept. */
  readonly countedFrom: string
  /** Number of distinct values kept per dimension, of a day and of a month. */
  readonly mostValues: number
  /** Searches of a month by fewer visitors are deleted. */
  readonly fewestSearchers: number
}

/** Checks whether a roll-up is due. Called every minute; it costs three index lookups. */
export async function isRollUpDue({ sql }: Database, { keptFrom, countedFrom }: RollUp): Promise<boolean> {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select from stat_visit where day < ${keptFrom}::date)
      or exists (select from stat_salt where day < ${keptFrom}::date)
      or exists (select from stat_count where dimension = 'total' and grain = 'day' and day < ${countedFrom}::date) as due`
  return row?.due ?? false
}

/**
 * Deletes visitor ids and their salts, folds rare values of a day, sums past months, and deletes expired data: all or
 * none. Completed steps are skipped.
 * @returns false: another process runs it
 */
export async function rollUp({ sql }: Database, limits: RollUp): Promise<boolean> {
  const { keptFrom, countedFrom, mostValues, fewestSearchers } = limits
  return sql.begin(async (tx) => {
    // Two concurrent roll-ups would sum twice.
    const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${advisoryLocks.rollUp}) as free`
    if (!lock?.free) return false
    const days = await tx<{ day: string }[]>`
      select distinct day::text as day from stat_visit where day < ${keptFrom}::date order by day`
    for (const { day } of days) await foldDay(tx, day, mostValues)
    await tx`delete from stat_visit where day < ${keptFrom}::date`
    await tx`delete from stat_seen where day < ${keptFrom}::date`
    // The last visitors, if no later ones have replaced them.
    await tx`delete from stat_online where last_at < ${keptFrom}::date`
    await tx`delete from stat_salt where day < ${keptFrom}::date`
    // Past months that can no longer change, and are not summed yet.
    const months = await tx<{ month: string }[]>`
      select distinct date_trunc('month', day)::date::text as month from stat_count as c
      where dimension = 'total' and grain = 'day' and day < date_trunc('month', ${keptFrom}::date)
        and not exists (
          select from stat_count as m where m.dimension = 'total' and m.grain = 'month'
            and m.day = date_trunc('month', c.day)::date and m.value = '')`
    for (const { month } of months) await sumMonth(tx, month, { mostValues, fewestSearchers })
    await tx`delete from stat_count where grain = 'day' and day < ${countedFrom}::date`
    // A partly expired month would include days that must be deleted.
    await tx`delete from stat_count where grain = 'month' and day < ${countedFrom}::date`
    await tx`delete from stat_excluded where day < ${countedFrom}::date`
    return true
  })
}

type Transaction = Parameters<Parameters<Database['sql']['begin']>[1]>[0]

/** Merges values beyond the most frequent ones of each dimension into `(other)`. */
async function foldDay(tx: Transaction, day: string, mostValues: number): Promise<void> {
  await tx`
    with rare as (
      delete from stat_count as c using (
        select dimension, value, detail, row_number() over (partition by dimension
          order by (value = '(other)') desc, visitors desc, views desc, visits desc, value, detail) as place
        from stat_count where dimension = any(${dimensions as readonly string[] as string[]}) and grain = 'day' and day = ${day}::date
      ) as ranked
      where ranked.place > ${mostValues} and c.grain = 'day' and c.day = ${day}::date
        and c.dimension = ranked.dimension and c.value = ranked.value and c.detail = ranked.detail
      returning c.dimension, c.detail, c.visitors, c.visits, c.views
    )
    insert into stat_count as c (dimension, grain, day, value, detail, visitors, visits, views)
    -- Sources keep their channel.
    select dimension, 'day', ${day}::date, '(other)', case dimension when 'source' then detail else '' end,
      sum(visitors), sum(visits), sum(views)
    from rare where dimension <> 'search' group by 1, 5
    on conflict (dimension, grain, day, value, detail) do update set
      visitors = c.visitors + excluded.visitors, visits = c.visits + excluded.visits, views = c.views + excluded.views`
}

async function sumMonth(
  tx: Transaction,
  month: string,
  { mostValues, fewestSearchers }: Pick<RollUp, 'mostValues' | 'fewestSearchers'>,
): Promise<void> {
  await tx`
    delete from stat_count where dimension = 'search' and grain = 'day'
      and day >= ${month}::date and day < ${month}::date + interval '1 month'
      and value in (
        select value from stat_count where dimension = 'search' and grain = 'day'
          and day >= ${month}::date and day < ${month}::date + interval '1 month'
        group by value having sum(visitors) < ${fewestSearchers})`
  await tx`
    insert into stat_count as c (dimension, grain, day, value, detail, visitors, visits, views)
    select dimension, 'month', ${month}::date, value, detail, sum(visitors), sum(visits), sum(views) from (
      select dimension, visitors, visits, views,
        case when place <= ${mostValues} then value else '(other)' end as value,
        case when place <= ${mostValues} or dimension = 'source' then detail else '' end as detail
      from (
        select *, row_number() over (partition by dimension
          order by (value = '(other)') desc, visitors desc, views desc, visits desc, value, detail) as place
        from (
          select dimension, value, detail, sum(visitors) as visitors, sum(visits) as visits, sum(views) as views
          from stat_count
          where dimension = any(${dimensions as readonly string[] as string[]}) and grain = 'day' and day >= ${month}::date and day < ${month}::date + interval '1 month'
          group by dimension, value, detail
        ) as summed
      ) as ranked
      where place <= ${mostValues} or dimension <> 'search'
    ) as folded
    group by dimension, value, detail
    on conflict (dimension, grain, day, value, detail) do update set
      visitors = excluded.visitors, visits = excluded.visits, views = excluded.views`
}
