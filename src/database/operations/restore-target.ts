import type { Statements } from '../engine/driver/sql.ts'
import { type Migration, migrateWithin } from '../engine/migrate.ts'
import { type BackupSequence, backupSchemas, qualifiedName, quoteIdentifier } from './backup-tables.ts'

/** Returns the names of other programs that use this database; we have only one connection open. */
export async function otherUsers(sql: Statements): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct coalesce(nullif(application_name, ''), 'a program without a name') as name from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() order by 1`
  return rows.map(({ name }) => name)
}

/** Counts the rows that a shop does not create by itself: without any, nothing is lost by a replacement. */
export async function countBelongings(sql: Statements): Promise<number> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass('public.orders') is not null as there`
  if (!found?.there) return 0
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from orders) + (select count(*) from products) + (select count(*) from customers)
      + (select count(*) from coupons) as count`
  return row?.count ?? 0
}

/** Drops everything of the shop, and recreates it as after the last of `migrations`, without rows. */
export async function recreateSchema(tx: Statements, migrations: readonly Migration[]): Promise<void> {
  await tx.unsafe('drop schema public cascade; create schema public').simple()
  await migrateWithin(tx, migrations)
}

/**
 * Runs `fill` on tables without foreign keys, indexes and triggers, and recreates those afterwards. Rows may then
 * arrive in any order, and an index of all rows at once is created many times faster. Primary and unique keys stay.
 */
export async function withoutConstraints(tx: Statements, fill: () => Promise<void>): Promise<void> {
  const schemas = [...backupSchemas]
  const keys = await tx<{ owner: string; schema: string; name: string; definition: string }[]>`
    select r.relname as owner, n.nspname as schema, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_namespace n on n.oid = r.relnamespace
    where c.contype = 'f' and n.nspname = any(${schemas}::text[])`
  const indexes = await tx<{ schema: string; name: string; definition: string }[]>`
    select n.nspname as schema, i.relname as name, pg_get_indexdef(i.oid) as definition
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = i.relnamespace
    where n.nspname = 'public' and not x.indisunique
      and not exists (select from pg_constraint c where c.conindid = i.oid)`
  const tables = await tx<{ schema: string; name: string }[]>`
    select schemaname as schema, tablename as name from pg_tables where schemaname = any(${schemas}::text[])`
  const each = async (statements: readonly string[]) => {
    for (const statement of statements) await tx.unsafe(statement)
  }
  const owner = ({ schema, owner: name }: (typeof keys)[number]) => qualifiedName({ schema, name })

  await each(keys.map((key) => `alter table ${owner(key)} drop constraint ${quoteIdentifier(key.name)}`))
  await each(indexes.map((index) => `drop index ${qualifiedName(index)}`))
  await each(tables.map((table) => `alter table ${qualifiedName(table)} disable trigger user`))
  await fill()
  await each(tables.map((table) => `alter table ${qualifiedName(table)} enable trigger user`))
  await each(indexes.map(({ definition }) => definition))
  await each(
    keys.map((key) => `alter table ${owner(key)} add constraint ${quoteIdentifier(key.name)} ${key.definition}`),
  )
  await each(tables.map((table) => `analyze ${qualifiedName(table)}`))
}

/** Sets a sequence to a backed-up state, advanced by `further`. */
export async function setSequence(tx: Statements, sequence: BackupSequence, further = 0): Promise<void> {
  await tx`select setval(${qualifiedName(sequence)}::regclass, ${sequence.value + further}::bigint, ${sequence.called || further > 0})`
}
