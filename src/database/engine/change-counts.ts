import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema/schema.ts'

/** Processes listen here; the payload says what changed: `configuration`, `catalog`, `words` or `translation:<language>`. */
export const changeChannel = 'vitrine_change'

/** Where it stands how often each of these has changed, as an object; the catalogue's number stands by itself. */
export const changeCountsKey = 'changeCounts'

/**
 * Counts changes of a kind. Who has seen a number knows later whether anything has happened since, however many announcements
 * it has missed. The row stays locked until the transaction ends, so the numbers are given out in the order in which such
 * transactions commit: call it last.
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

/** Counts changes and tells every process of them, once the transaction is through. */
export async function announceChanges(tx: Kysely<Schema>, kinds: readonly string[]): Promise<void> {
  await countChanges(tx, kinds)
  for (const kind of new Set(kinds)) await sql`select pg_notify(${changeChannel}, ${kind})`.execute(tx)
}
