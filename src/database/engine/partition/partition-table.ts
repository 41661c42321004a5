import { quoteIdentifier } from '../../operations/backup-tables.ts'
import type { Statements } from '../driver/sql.ts'

/** A table and its partition key: an order id, or a day. */
export type PartitionedBy = { readonly table: string; readonly column: string }

/** A partition, from its first value to before the next partition's; null: unbounded. */
export type Partition = {
  readonly name: string
  readonly from: string | null
  readonly to: string | null
  /** Accepts rows of no other range, so that no insert fails. */
  readonly isDefault: boolean
}

type Constraint = {
  readonly table: string
  readonly name: string
  readonly definition: string
  readonly holds: boolean
}

/** Since PostgreSQL 17 a partitioned table supports identity columns. */
const oldestServer = 170_000

/** @throws if the server version is too old */
export async function refuseOldServer(sql: Statements): Promise<void> {
  const [server] = await sql<{ number: number; version: string }[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
  if (server && server.number < oldestServer)
    throw new Error(`Partitions need PostgreSQL 17 or newer; this is ${server.version}.`)
}

/** Returns the partitions of a table in order, the default last; none for an unpartitioned table. */
export async function partitionsOf(sql: Statements, table: string): Promise<Partition[]> {
  const rows = await sql<{ name: string; bound: string }[]>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`
  const partitions = rows.map(({ name, bound }): Partition => {
    const [, from, to] = /^FOR VALUES FROM \('?([^')]+)'?\) TO \('?([^')]+)'?\)$/.exec(bound) ?? []
    return {
      name,
      from: !from || from === 'MINVALUE' ? null : from,
      to: to ?? null,
      isDefault: bound === 'DEFAULT',
    }
  })
  const place = ({ from, isDefault }: Partition) => (isDefault ? '~' : (from ?? '').padStart(20, '0'))
  return partitions.sort((a, b) => (place(a) < place(b) ? -1 : 1))
}

/**
 * Converts a table to the first partition of a new one with the same name: no rows are copied, and everything but
 * privileges is kept. Unique keys that contain the column hold for the whole table, others within each partition. Call
 * it in a transaction; the table is locked until that ends.
 * @param bound the end of the first partition: beyond all existing rows
 * @returns dropped foreign keys to the table, because their target is unique within a partition only
 */
export async function partitionTable(
  tx: Statements,
  { table, column }: PartitionedBy,
  bound: string,
): Promise<string[]> {
  await tx.unsafe(`lock table ${quoteIdentifier(table)} in access exclusive mode`)
  const first = `${table}_first`
  const references = await referencesOf(tx, table)
  const incoming = await referencesTo(tx, { table, column })
  const triggers = await triggersOf(tx, table)
  const indexes = await indexesOf(tx, { table, column })
  const counter = await detachIdentity(tx, table)

  for (const { table: from, name } of incoming)
    await tx.unsafe(`alter table ${quoteIdentifier(from)} drop constraint ${quoteIdentifier(name)}`)
  await tx.unsafe(`alter table ${quoteIdentifier(table)} rename to ${quoteIdentifier(first)}`)
  // Their names are wanted again; a constraint's index has the constraint's name and follows it.
  for (const { name } of indexes)
    await tx.unsafe(`alter index ${quoteIdentifier(name)} rename to ${quoteIdentifier(`${name}_first`)}`)
  await tx.unsafe(`create table ${quoteIdentifier(table)} (like ${quoteIdentifier(first)} including all excluding indexes excluding identity)
    partition by range (${quoteIdentifier(column)})`)
  await counter?.giveTo(table)
  // If both have the index, attaching makes the first partition's a part of the whole.
  for (const { name, whole, definition, constraint } of indexes) {
    if (constraint && whole)
      await tx.unsafe(`alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`)
    else if (whole) await tx.unsafe(definition)
  }
  for (const { name, definition } of references)
    await tx.unsafe(`alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`)
  await tx.unsafe(
    `alter table ${quoteIdentifier(table)} attach partition ${quoteIdentifier(first)} for values from (minvalue) to ('${bound}')`,
  )
  for (const definition of triggers) await tx.unsafe(definition)
  for (const { table: from, name, definition, holds } of incoming)
    if (holds)
      await tx.unsafe(`alter table ${quoteIdentifier(from)} add constraint ${quoteIdentifier(name)} ${definition}`)
  await addPartition(tx, table, { name: `${table}_rest`, from: null, to: null, isDefault: true })
  return incoming.filter(({ holds }) => !holds).map(({ name }) => name)
}

/** Adds a partition like the first one, with its keys and triggers. */
export async function addPartition(
  tx: Statements,
  table: string,
  { name, from, to, isDefault }: Partition,
): Promise<void> {
  const [first] = await partitionsOf(tx, table)
  if (!first) throw new Error(`${table} has no partitions`)
  await tx.unsafe(
    `create table ${quoteIdentifier(name)} (like ${quoteIdentifier(first.name)} including all excluding identity)`,
  )
  const range = isDefault ? 'default' : `for values from ('${from}') to ('${to}')`
  await tx.unsafe(`alter table ${quoteIdentifier(table)} attach partition ${quoteIdentifier(name)} ${range}`)
  // Triggers of a statement are fired by the table that it names: whoever goes round the whole meets them in the partition.
  for (const definition of await triggersOf(tx, table))
    await tx.unsafe(definition.replace(` ON public.${table} `, ` ON public.${quoteIdentifier(name)} `))
}

/** Returns the foreign keys of the table. */
function referencesOf(tx: Statements, table: string): Promise<Constraint[]> {
  return tx<Constraint[]>`
    select ${table} as table, conname as name, pg_get_constraintdef(oid) as definition, true as holds
    from pg_constraint where conrelid = ${table}::regclass and contype = 'f' and conparentid = 0 order by conname`
}

/** Returns the foreign keys to the table; `holds` if their target contains the partition key. */
function referencesTo(tx: Statements, { table, column }: PartitionedBy): Promise<Constraint[]> {
  return tx<Constraint[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(k.oid) as definition,
      exists (select from pg_attribute a where a.attrelid = confrelid and a.attnum = any(confkey) and a.attname = ${column}) as holds
    from pg_constraint k where confrelid = ${table}::regclass and contype = 'f' and conparentid = 0 order by 1, 2`
}

async function triggersOf(tx: Statements, table: string): Promise<string[]> {
  const rows = await tx<{ definition: string }[]>`
    select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal`
  return rows.map(({ definition }) => definition)
}

type Index = {
  readonly name: string
  readonly definition: string
  readonly constraint: boolean
  /** True if it can hold for all partitions: it is not unique, or contains the partition key. */
  readonly whole: boolean
}

function indexesOf(tx: Statements, { table, column }: PartitionedBy): Promise<Index[]> {
  return tx<Index[]>`
    select c.relname as name, k.oid is not null as constraint,
      coalesce(pg_get_constraintdef(k.oid), pg_get_indexdef(c.oid)) as definition,
      not i.indisunique or exists (select from pg_attribute a
        where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[]) and a.attname = ${column}) as whole
    from pg_index i join pg_class c on c.oid = i.indexrelid
      left join pg_constraint k on k.conindid = c.oid and k.conrelid = i.indrelid and k.contype in ('p', 'u')
    where i.indrelid = ${table}::regclass order by c.relname`
}

/** Moves the identity of the first partition to the whole table, with its current value. */
async function detachIdentity(tx: Statements, table: string) {
  const [column] = await tx<{ name: string; always: boolean; sequence: string }[]>`
    select attname as name, attidentity = 'a' as always, pg_get_serial_sequence(${table}, attname) as sequence
    from pg_attribute where attrelid = ${table}::regclass and attidentity <> ''`
  if (!column) return null
  const [at] = await tx.unsafe<{ value: number; called: boolean }[]>(
    `select last_value as value, is_called as called from ${column.sequence}`,
  )
  const name = quoteIdentifier(column.name)
  await tx.unsafe(`alter table ${quoteIdentifier(table)} alter ${name} drop identity`)
  return {
    async giveTo(whole: string) {
      await tx.unsafe(`alter table ${quoteIdentifier(whole)} alter ${name}
        add generated ${column.always ? 'always' : 'by default'} as identity`)
      await tx`select setval(pg_get_serial_sequence(${whole}, ${column.name}), ${at?.value ?? 1}::bigint, ${at?.called ?? false})`
    },
  }
}
