import { advisoryLocks } from '../engine/advisory-locks.ts'
import type { Database } from '../engine/connect.ts'

/** One visitor of one day in one batch: all views within about a second. Texts are in their stored form. */
export type CountedVisit = {
  readonly day: string
  readonly vid: string
  /** The visitor's id of the day before: a visit may have begun before midnight. */
  readonly vid_before: string
  readonly first_at: Date
  readonly last_at: Date
  readonly hour: string
  readonly hits: number
  readonly entry_path: string
  readonly exit_path: string
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly channel: string
  /** True if this source starts a new visit during another one. */
  readonly overrides: boolean
  readonly country: string
  /** `header`, `language` or ''. */
  readonly country_by: string
  readonly language: string
  readonly device: string
  readonly browser: string
  readonly version: string
  readonly os: string
  readonly currency: string
}

/** A page or search that one visitor of a batch viewed. */
export type CountedThing = {
  readonly day: string
  readonly vid: string
  readonly dimension: 'page' | 'search'
  readonly value: string
  readonly detail: string
  readonly times: number
}

export type CountedBatch = {
  readonly visits: readonly CountedVisit[]
  readonly things: readonly CountedThing[]
  /** Visitors who are still online without a new view. */
  readonly pings: readonly { readonly day: string; readonly vid: string; readonly at: Date }[]
  readonly excluded: readonly { readonly day: string; readonly reason: string; readonly n: number }[]
}

export type CountLimits = {
  readonly visitMinutes: number
  readonly viewsPerDay: number
  readonly onlineSeconds: number
}

/**
 * Adds a batch to the counts, all or none, in one statement.
 * @param now start of the period that counts as online
 */
export async function addCounts(
  { sql }: Database,
  { visits, things, pings, excluded }: CountedBatch,
  { visitMinutes, viewsPerDay, onlineSeconds }: CountLimits,
  now: Date,
): Promise<void> {
  const json = (rows: readonly object[]) => JSON.stringify(rows)
  await sql.begin(async (tx) => {
    // A caller that times out retries later with a larger batch.
    await tx`set local lock_timeout = '2s'`
    await tx`set local statement_timeout = '5s'`
    // Concurrent updates of the same rows in different orders would deadlock.
    await tx`select pg_advisory_xact_lock(${advisoryLocks.counting})`
    await tx`
      with given as (
        select * from jsonb_to_recordset(${json(visits)}::text::jsonb) as g(
          day date, vid text, vid_before text, first_at timestamptz, last_at timestamptz, hour text, hits integer,
          entry_path text, exit_path text, source text, medium text, campaign text, channel text, overrides boolean, country text,
          country_by text, language text, device text, browser text, version text, os text, currency text)
      ),
      known as materialized (
        select g.day, g.vid, g.first_at, g.last_at, g.hour, g.hits, g.entry_path, g.exit_path, g.country, g.country_by,
          g.language, g.device, g.browser, g.version, g.os, g.currency,
          now_at.vid is null as fresh,
          begins.visit as begins,
          case when begins.visit or before.source is null then g.source else before.source end as source,
          case when begins.visit or before.source is null then g.medium else before.medium end as medium,
          case when begins.visit or before.source is null then g.campaign else before.campaign end as campaign,
          case when begins.visit or before.source is null then g.channel else before.channel end as channel,
          coalesce(now_at.hits, 0) >= ${viewsPerDay} as too_many
        from given g
        left join stat_visit now_at on now_at.day = g.day and now_at.vid = g.vid
        left join stat_visit yesterday on now_at.vid is null
          and yesterday.day = g.day - 1 and yesterday.vid = g.vid_before
        cross join lateral (
          select coalesce(now_at.last_at, yesterday.last_at) as last_at,
            coalesce(now_at.source, yesterday.source) as source, coalesce(now_at.medium, yesterday.medium) as medium,
            coalesce(now_at.campaign, yesterday.campaign) as campaign,
            coalesce(now_at.channel, yesterday.channel) as channel
        ) before
        cross join lateral (
          select before.last_at is null or g.first_at > before.last_at + make_interval(mins => ${visitMinutes})
            or (g.overrides
              and (g.source, g.medium, g.campaign) is distinct from (before.source, before.medium, before.campaign))
            as visit
        ) begins
      ),
      counted as (select * from known where not too_many),
      visited as (
        insert into stat_visit as v (day, vid, first_at, last_at, visits, hits, entry_path, exit_path,
          source, medium, campaign, channel)
        select day, vid, first_at, last_at, begins::integer, hits, entry_path, exit_path, source, medium, campaign, channel
        from counted
        on conflict (day, vid) do update set
          last_at = greatest(v.last_at, excluded.last_at), visits = v.visits + excluded.visits,
          hits = v.hits + excluded.hits, exit_path = excluded.exit_path, source = excluded.source,
          medium = excluded.medium, campaign = excluded.campaign, channel = excluded.channel
      ),
      things as materialized (
        select t.* from jsonb_to_recordset(${json(things)}::text::jsonb) as t(
          day date, vid text, dimension text, value text, detail text, times integer)
        where (day, vid) not in (select day, vid from known where too_many)
      ),
      -- Dimensions and details contain no spaces.
      seen as (
        insert into stat_seen (day, vid, what) select distinct day, vid, dimension || ' ' || detail || ' ' || value from things
        on conflict do nothing returning day, what
      ),
      pings as (
        select * from jsonb_to_recordset(${json(pings)}::text::jsonb) as p(day date, vid text, at timestamptz)
      ),
      stayed as (
        update stat_visit v set last_at = greatest(v.last_at, p.at) from pings p
        where v.day = p.day and v.vid = p.vid
      ),
      gone as (
        delete from stat_online where last_at < ${now}::timestamptz - make_interval(secs => ${onlineSeconds * 2})
          and vid not in (select vid from given union all select vid from pings)
      ),
      here as (
        insert into stat_online as o (vid, last_at, path)
        select vid, last_at, exit_path from counted
        union all
        -- The page is known from its view, except after a crash of the database.
        select p.vid, p.at, v.exit_path from pings p join stat_visit v using (day, vid)
        on conflict (vid) do update set last_at = greatest(o.last_at, excluded.last_at), path = excluded.path
      ),
      properties as (
        select day, dimension, value, detail, fresh::integer as visitors, begins::integer as visits, 0 as views
        from counted cross join lateral (values
          ('source', source, channel), ('medium', medium, ''), ('campaign', campaign, source || ' / ' || medium),
          ('channel', channel, ''), ('country', country, country_by), ('language', language, ''), ('device', device, ''),
          ('browser', browser, version), ('os', os, ''), ('currency', currency, '')
        ) as of(dimension, value, detail)
        where (fresh or begins) and not (dimension in ('campaign', 'currency') and value = '')
        union all
        select day, 'total', '', '', fresh::integer, begins::integer, hits from counted
        union all
        select day, 'hour', hour, '', fresh::integer, begins::integer, hits from counted
        union all
        select day, dimension, value, detail, 0, case dimension when 'search' then times else 0 end,
          case dimension when 'page' then times else 0 end from things
        union all
        select day, split_part(what, ' ', 1), substr(what, length(split_part(what, ' ', 1) || split_part(what, ' ', 2)) + 3),
          split_part(what, ' ', 2), 1, 0, 0 from seen
      ),
      added as (
        insert into stat_count as c (dimension, grain, day, value, detail, visitors, visits, views)
        select dimension, 'day', day, value, detail, sum(visitors), sum(visits), sum(views)
        from properties group by dimension, day, value, detail
        on conflict (dimension, grain, day, value, detail) do update set
          visitors = c.visitors + excluded.visitors, visits = c.visits + excluded.visits, views = c.views + excluded.views
      )
      insert into stat_excluded as e (day, reason, n)
      select day, reason, sum(n) from (
        select day, reason, n from jsonb_to_recordset(${json(excluded)}::text::jsonb) as x(day date, reason text, n integer)
        union all
        select day, 'too-many', hits from known where too_many
      ) as x group by day, reason
      on conflict (day, reason) do update set n = e.n + excluded.n`
  })
}

/**
 * Returns the salt of a day's visitor ids: shared by all processes, created by the first that asks.
 * @param fresh 32 random bytes in hexadecimal, used if there is none yet
 */
export async function saltOf({ sql }: Database, day: string, fresh: string): Promise<Buffer> {
  await sql`insert into stat_salt (day, salt) values (${day}::date, decode(${fresh}, 'hex')) on conflict do nothing`
  const [row] = await sql<{ salt: Buffer }[]>`select salt from stat_salt where day = ${day}::date`
  if (!row) throw new Error(`day ${day} has no salt`)
  return row.salt
}

/** Returns the salt of a past day; null: none, or already deleted. */
export async function knownSalt({ sql }: Database, day: string): Promise<Buffer | null> {
  const [row] = await sql<{ salt: Buffer }[]>`select salt from stat_salt where day = ${day}::date`
  return row?.salt ?? null
}
