import { type Kysely, sql } from 'kysely'
import { catalogVersionKey } from '../catalog/catalog-version.ts'
import { changeCountsKey } from '../engine/change-counts.ts'
import type { Database } from '../engine/connect.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** How far the catalogue, and everything else that is counted, has come. */
export type ChangeCounts = { readonly catalog: number; readonly counts: Readonly<Record<string, number>> }

/** How far a cache in front has been told. */
export type PurgeMark = ChangeCounts & {
  /** When somebody first found something to tell it that it has not been told yet; null: it knows all. */
  readonly since: Date | null
  /** Calls in a row that it did not take. */
  readonly tries: number
  /** Before that it is left alone. */
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

/** What has changed, and what each cache in front, by its address, has been told of it. One moment's view. */
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

/** Writes down what caches have been told; of those that are not named nothing is known any more. For who holds the lock. */
export async function writePurgeMarks(db: Kysely<Schema>, told: ReadonlyMap<string, PurgeMark>): Promise<void> {
  await sql`
    insert into settings (key, value) values (${marksKey}, ${JSON.stringify(Object.fromEntries(told))}::text::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db)
}

/** As if no cache had ever been told of anything: the next process that starts has all of it purged. */
export async function forgetPurgeMarks({ sql }: Pick<Database, 'sql'>): Promise<void> {
  await sql`delete from settings where key = ${marksKey}`
}

/** Of the two numbers of an advisory lock the first: all that has to do with caches in front. */
const purgeLocks = 0x56_49_54_50

/**
 * Lets one process at a time call caches in front. The lock is a connection's: when its process dies, it is gone.
 * @returns whether this process was the one
 */
export async function withPurgeLock({ session }: Database, work: () => Promise<void>): Promise<boolean> {
  const connection = await session.reserve()
  try {
    const [row] = await connection<{ held: boolean }[]>`select pg_try_advisory_lock(${purgeLocks}, 1) as held`
    if (!row?.held) return false
    try {
      await work()
      return true
    } finally {
      await connection`select pg_advisory_unlock(${purgeLocks}, 1)`
    }
  } finally {
    connection.release()
  }
}
