import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** Channel of change events; the payload is `configuration`, `catalog`, `words`,
 * `webhooks` or `translation:<language>`. */
export const changeChannel = 'vitrine_change'

/** Setting with the number of changes of each kind, as an object; the catalog version is separate. */
export const changeCountsKey = 'changeCounts'

/**
 * Counts changes of a kind. A process that has seen a number can detect later changes, even if it missed announcements.
 * The row stays locked until the transaction ends, so that numbers follow the order of commits: call it last.
 */
export async function countChanges(tx: Kysely<Schema>, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return
  const counted = [...new Set(kinds)]
  await sql`
    insert into settings (key, value)
    select ${changeCountsKey}, jsonb_object_agg(kind, 1) from unnest(${counted}::text[]) as kind
    on conflict (key) do update set updated_at = now(), value = settings.value || (
      select jsonb_object_agg(kind, coalesce((settings.value ->> kind)::bigint, 0) + 1) from unnest(${counted}::text[]) as kind
    )`.execute(tx)
}

/** Counts changes, and announces them to all processes on commit. */
export async function announceChanges(tx: Kysely<Schema>, kinds: readonly string[]): Promise<void> {
  await countChanges(tx, kinds)
  for (const kind of new Set(kinds)) await sql`select pg_notify(${changeChannel}, ${kind})`.execute(tx)
}
