import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'

type Db = Kysely<Schema>

export type MigratedItem = { readonly sourceId: string; readonly ownId: number | null }

/** Returns the own IDs of records by their IDs at the source; records that never came are missing. */
export async function findMigratedItems(
  db: Db,
  source: string,
  kind: string,
  sourceIds: readonly string[],
): Promise<Map<string, number | null>> {
  if (sourceIds.length === 0) return new Map()
  const { rows } = await sql<{ source_id: string; own_id: number | null }>`
    select source_id, own_id from migration_items
    where source = ${source} and kind = ${kind} and source_id = any(${[...sourceIds]}::text[])`.execute(db)
  return new Map(rows.map(({ source_id, own_id }) => [source_id, own_id]))
}

/** Records items that came. An earlier entry stays: the first own record is the one that the merchant knows. */
export async function recordMigratedItems(
  db: Db,
  source: string,
  kind: string,
  items: readonly MigratedItem[],
): Promise<void> {
  if (items.length === 0) return
  await sql`
    insert into migration_items (source, kind, source_id, own_id)
    select ${source}, ${kind}, item.source_id, item.own_id
    from unnest(${items.map(({ sourceId }) => sourceId)}::text[], ${items.map(({ ownId }) => ownId)}::bigint[])
      as item (source_id, own_id)
    on conflict do nothing`.execute(db)
}

export type MigrationPosition = {
  readonly nextPage: number
  readonly phase: string
  readonly state: Readonly<Record<string, unknown>>
}

/** Returns the positions of an unfinished migration by kind; empty if there is none. */
export async function readMigrationProgress(db: Db, source: string): Promise<Map<string, MigrationPosition>> {
  const rows = await db.selectFrom('migration_progress').selectAll().where('source', '=', source).execute()
  return new Map(rows.map(({ kind, next_page, phase, state }) => [kind, { nextPage: next_page, phase, state }]))
}

export async function saveMigrationProgress(
  db: Db,
  source: string,
  kind: string,
  { nextPage, phase, state }: MigrationPosition,
  now: Date,
): Promise<void> {
  await sql`
    insert into migration_progress (source, kind, next_page, phase, state, updated_at)
    values (${source}, ${kind}, ${nextPage}, ${phase}, ${JSON.stringify(state)}::text::jsonb, ${now}::timestamptz)
    on conflict (source, kind) do update set next_page = excluded.next_page, phase = excluded.phase,
      state = excluded.state, updated_at = excluded.updated_at`.execute(db)
}

/** Forgets the positions of these kinds: their migration is finished. */
export async function clearMigrationProgress(db: Db, source: string, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return
  await db.deleteFrom('migration_progress').where('source', '=', source).where('kind', 'in', kinds).execute()
}
