import type { Database } from './connect.ts'

export type RateLimit = {
  /** So many tries at once … */
  readonly tries: number
  /** … and as many again in each stretch of this length, evenly spread. */
  readonly perMs: number
}

/**
 * Counts one try against a bucket, for all processes that share the database. Each try moves the bucket's moment on by an
 * even share of the stretch; one that would land more than a stretch ahead is refused and costs nothing, so that nobody is
 * locked out for good.
 * @returns how long to wait before the next try, in milliseconds; 0: this one is allowed
 */
export async function takeTry({ sql }: Database, bucket: string, limit: RateLimit, now: Date): Promise<number> {
  const share = Math.ceil(limit.perMs / limit.tries)
  const [taken] = await sql`
    insert into rate_limits (bucket, used_until) values (${bucket}, ${new Date(now.getTime() + share)})
    on conflict (bucket) do update
      set used_until = greatest(rate_limits.used_until, ${now}::timestamptz) + make_interval(secs => ${share / 1000})
      where greatest(rate_limits.used_until, ${now}::timestamptz) + make_interval(secs => ${share / 1000})
        <= ${new Date(now.getTime() + limit.perMs)}::timestamptz
    returning bucket`
  if (taken) return 0
  const [row] = await sql<{ used_until: Date }[]>`select used_until from rate_limits where bucket = ${bucket}`
  return Math.max(1, (row?.used_until.getTime() ?? 0) + share - limit.perMs - now.getTime())
}

/** How long to wait before the next try would be allowed; 0: now. Counts nothing. */
export async function peekTry({ sql }: Database, bucket: string, limit: RateLimit, now: Date): Promise<number> {
  const share = Math.ceil(limit.perMs / limit.tries)
  const [row] = await sql<{ used_until: Date }[]>`select used_until from rate_limits where bucket = ${bucket}`
  return Math.max(0, (row?.used_until.getTime() ?? 0) + share - limit.perMs - now.getTime())
}

/** Gives a try back that turned out to be honest. */
export async function giveBackTry({ sql }: Database, bucket: string, limit: RateLimit): Promise<void> {
  const share = Math.ceil(limit.perMs / limit.tries)
  await sql`update rate_limits set used_until = used_until - make_interval(secs => ${share / 1000}) where bucket = ${bucket}`
}

/** Removes buckets that are full again. */
export async function deleteOldLimits({ sql }: Database, now: Date): Promise<number> {
  return (await sql`delete from rate_limits where used_until < ${now}`).count
}
