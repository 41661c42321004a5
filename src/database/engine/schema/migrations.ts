import type { ColumnType, Generated } from 'kysely'

/** A record of another shop that a migration brought here. */
export type MigrationItemsTable = {
  /** Host and path of the other shop. */
  source: string
  kind: string
  source_id: string
  /** Null: it has no ID here, or was left out for good. */
  own_id: number | null
}

/** The position of an unfinished migration in one kind of record. */
export type MigrationProgressTable = {
  source: string
  kind: string
  next_page: Generated<number>
  phase: Generated<string>
  state: ColumnType<Record<string, unknown>, object | undefined, object>
  updated_at: Date
}
