import { type Kysely, sql } from 'kysely'
import { changeChannel } from '../configuration.ts'
import type { Schema } from '../schema.ts'

/** Where the number stands that grows with every change of what listings show. */
export const catalogVersionKey = 'catalogVersion'

/**
 * Says that the catalogue has changed: counts and category trees that processes keep are read again, cached pages made
 * again. Call it in the transaction that changes products, categories or what of them is visible.
 */
export async function catalogChanged(tx: Kysely<Schema>): Promise<void> {
  await sql`
    with version as (
      insert into settings (key, value) values (${catalogVersionKey}, to_jsonb(1))
      on conflict (key) do update set value = to_jsonb((settings.value #>> '{}')::bigint + 1), updated_at = now()
      returning value
    )
    select pg_notify(${changeChannel}, 'catalog') from version`.execute(tx)
}
