import type { Database } from '../engine/connect.ts'

export type RateLimit = {
  /** Size of a burst … */
  readonly tries: number
  /** … and the period in which as many attempts are refilled, evenly spread. */
  readonly perMs: number
  /**
   * Exponential back-off: after the burst each further attempt waits twice as long as the one before, up to `perMs`.
   */
  readonly growing?: true
}

/** The cost of an attempt, refunded if it was legitimate. */
export type RateLimitCost = { readonly ms: number; readonly steps: 0 | 1 }

/**
 * Counts an attempt against a bucket, for all processes that share the database. Each attempt advances the bucket's
 * time by an even share of the period. An attempt that would exceed one period is rejected at no cost, so that nobody
 * is locked out permanently. With back-off, the attempt that fills the bucket costs one share, the next ones two, then
 * four; an empty bucket starts again.
 * @returns milliseconds until the next attempt; 0: this one is allowed
 */
export async function consumeRateLimit(db: Database, bucket: string, limit: RateLimit, now: Date): Promise<number> {
  return (await consumeRateLimitWithCost(db, bucket, limit, now)).waitMs
}

/** Counts several simultaneous attempts against a bucket without back-off. @returns the number allowed */
export async function consumeRateLimits(
  { sql }: Database,
  bucket: string,
  { limit, wanted, now }: { limit: Omit<RateLimit, 'growing'>; wanted: number; now: Date },
): Promise<number> {
  if (wanted <= 0) return 0
  const seconds = shareOf(limit) / 1000
  // Two concurrent requests may read the same state. Both are counted, and the next one waits for it.
  const [taken] = await sql<{ allowed: number }[]>`
    with bucket as (
      select greatest(max(used_until), ${now}::timestamptz) as used from rate_limits where bucket = ${bucket}
    ), room as (
      select used, least(${wanted}::int, greatest(0, floor(extract(epoch from
        ${new Date(now.getTime() + limit.perMs)}::timestamptz - used) / ${seconds}::float8)))::int as allowed from bucket
    )
    insert into rate_limits (bucket, used_until)
    select ${bucket}, used + make_interval(secs => allowed * ${seconds}::float8) from room
    on conflict (bucket) do update set used_until = greatest(rate_limits.used_until, ${now}::timestamptz)
      + make_interval(secs => (select allowed from room) * ${seconds}::float8)
    returning (select allowed from room)`
  return taken?.allowed ?? 0
}

/** Like `consumeRateLimit`, and returns the cost, and the time at which the bucket is full again. */
export async function consumeRateLimitWithCost(
  { sql }: Database,
  bucket: string,
  limit: RateLimit,
  now: Date,
): Promise<{ waitMs: number; cost: RateLimitCost; usedUntil: Date }> {
  const share = shareOf(limit)
  const secondsOf = (ms: number) => sql`make_interval(secs => ${ms / 1000})`
  const used = sql`greatest(rate_limits.used_until, ${now}::timestamptz)`
  const full = limit.growing
    ? sql`${used} + ${secondsOf(2 * share)} > ${new Date(now.getTime() + limit.perMs)}::timestamptz`
    : sql`false`
  const steps = sql`case when rate_limits.used_until <= ${now} then 0 else rate_limits.steps end`
  const [taken] = await sql<{ used_until: Date; steps: number }[]>`
    insert into rate_limits (bucket, used_until) values (${bucket}, ${new Date(now.getTime() + share)})
    on conflict (bucket) do update
      set used_until = ${used} + case when ${full}
          then least(${secondsOf(share)} * (1 << least(${steps}, ${mostSteps})), ${secondsOf(limit.perMs)})
          else ${secondsOf(share)} end,
        steps = ${steps} + case when ${full} then 1 else 0 end
      where ${used} + ${secondsOf(share)} <= ${new Date(now.getTime() + limit.perMs)}::timestamptz
    returning used_until, steps`
  if (!taken) {
    const waitMs = await rateLimitWait({ sql }, new Map([[bucket, limit]]), now)
    const usedUntil = new Date(now.getTime() + waitMs + limit.perMs - share)
    return { waitMs: Math.max(1, waitMs), cost: { ms: 0, steps: 0 }, usedUntil }
  }
  const stepped = taken.steps > 0 && taken.used_until.getTime() + share > now.getTime() + limit.perMs
  const grown = Math.min(share * 2 ** Math.min(taken.steps - 1, mostSteps), limit.perMs)
  const cost: RateLimitCost = limit.growing && stepped ? { ms: grown, steps: 1 } : { ms: share, steps: 0 }
  return { waitMs: 0, cost, usedUntil: taken.used_until }
}

/** More would overflow an integer; the period bounds the wait long before. */
const mostSteps = 20

const shareOf = ({ perMs, tries }: RateLimit) => Math.ceil(perMs / tries)

/** Returns the wait until all of these buckets allow an attempt; 0: now. Counts nothing. */
export async function rateLimitWait(
  { sql }: Pick<Database, 'sql'>,
  limits: ReadonlyMap<string, RateLimit>,
  now: Date,
): Promise<number> {
  const rows = await sql<{ bucket: string; used_until: Date }[]>`
    select bucket, used_until from rate_limits where bucket = any((select ${[...limits.keys()]}::text[])::text[])`
  const waits = rows.map(({ bucket, used_until }) => {
    const limit = limits.get(bucket)
    return limit ? used_until.getTime() + shareOf(limit) - limit.perMs - now.getTime() : 0
  })
  return Math.max(0, ...waits)
}

/** Refunds the cost of a legitimate attempt. */
export async function refundRateLimit({ sql }: Database, bucket: string, { ms, steps }: RateLimitCost): Promise<void> {
  await sql`
    update rate_limits
    set used_until = used_until - make_interval(secs => ${ms / 1000}), steps = greatest(steps - ${steps}::int, 0)
    where bucket = ${bucket}`
}

/** Deletes buckets that are full again. */
export async function deleteOldLimits({ sql }: Database, now: Date): Promise<number> {
  return (await sql`delete from rate_limits where used_until < ${now}`).count
}
