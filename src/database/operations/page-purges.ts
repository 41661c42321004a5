import { type Kysely, sql } from 'kysely'
import { catalogVersionKey } from '../catalog/catalog-version.ts'
import { advisoryLockPairs } from '../engine/advisory-locks.ts'
import { changeCountsKey } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Version of the catalog, and counts of all other changes. */
export type ChangeCounts = { readonly catalog: number; readonly counts: Readonly<Record<string, number>> }

/** The changes up to which a CDN was purged. */
export type PurgeMark = ChangeCounts & {
  /** Time when a pending change was first found; null: up to date. */
  readonly since: Date | null
  /** Consecutive failed calls. */
  readonly tries: number
  /** Earliest time of the next attempt. */
  readonly nextAt: Date | null
}

export type PurgeState = { readonly changes: ChangeCounts; readonly marks: ReadonlyMap<string, PurgeMark> }

const marksKey = 'pagePurges'

/** A mark as JSON. */
type Stored = {
  catalog: number
  counts: Record<string, number>
  since: string | null
  tries: number
  nextAt: string | null
}

/** Reads the change counts, and the marks of all CDNs by address, in one snapshot. */
export async function readPurgeState({ sql }: Pick<Database, 'sql'>): Promise<PurgeState> {
  const [row] = await sql<
    { catalog: number | null; counts: Record<string, number> | null; marks: Record<string, Stored> | null }[]
  >`
    select (select (value #>> '{}')::bigint from settings where key = ${catalogVersionKey}) as catalog,
      (select value from settings where key = ${changeCountsKey}) as counts,
      (select value from settings where key = ${marksKey}) as marks`
  return {
    changes: { catalog: row?.catalog ?? 0, counts: row?.counts ?? {} },
    marks: new Map(Object.entries(row?.marks ?? {}).map(([address, stored]) => [address, markOf(stored)])),
  }
}

const markOf = ({ since, nextAt, ...stored }: Stored): PurgeMark => ({
  ...stored,
  since: since === null ? null : new Date(since),
  nextAt: nextAt === null ? null : new Date(nextAt),
})

/** Writes the marks of CDNs; marks of others are deleted. Requires the lock. */
export async function writePurgeMarks(db: Kysely<Schema>, told: ReadonlyMap<string, PurgeMark>): Promise<void> {
  await sql`
    insert into settings (key, value) values (${marksKey}, ${JSON.stringify(Object.fromEntries(told))}::text::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
}

/** Deletes all marks: the next process that starts purges all CDNs completely. */
export async function deletePurgeMarks({ sql }: Pick<Database, 'sql'>): Promise<void> {
  await sql`delete from settings where key = ${marksKey}`
}

/**
 * Runs `work` if no other process purges CDNs. The lock belongs to a connection: it is released when its process dies.
 * @returns whether this process had the lock
 */
export async function withPurgeLock({ session }: Database, work: () => Promise<void>): Promise<boolean> {
  const connection = await session.reserve()
  try {
    const [row] = await connection<
      { held: boolean }[]
    >`select pg_try_advisory_lock(${advisoryLockPairs.purges}, 1) as held`
    if (!row?.held) return false
    try {
      await work()
      return true
    } finally {
      await connection`select pg_advisory_unlock(${advisoryLockPairs.purges}, 1)`
    }
  } finally {
    connection.release()
  }
}
