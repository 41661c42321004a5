import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sql, Statements } from '../engine/driver/sql.ts'
import { waitForDrain } from '../engine/wait-for-drain.ts'

/** A table of the shop or of its queue, with its stored columns: generated columns are excluded. */
export type BackupTable = { readonly schema: string; readonly name: string; readonly columns: readonly string[] }

/** State of a sequence; `called`: its value was already used. */
export type BackupSequence = {
  readonly schema: string
  readonly name: string
  readonly value: number
  readonly called: boolean
}

/** Digest of a table, independent of row order: row count, and the sum of a 64-bit hash of each row as text. */
export type TableDigest = { readonly rows: number; readonly digest: string }

/** Schemas of a backup: the shop's own, and that of its jobs, which include unsent emails. */
export const backupSchemas = ['public', 'graphile_worker'] as const

/** Settings that make the text form of rows identical on all servers. */
const asText = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** Prepares a transaction for `copyOut`, `copyIn` and `tableDigest`. */
export async function setCopyFormat(tx: Statements): Promise<void> {
  await tx.unsafe(asText)
}

/**
 * Runs `work` on a snapshot of the whole database, however long it takes. Concurrent writes are not visible, and not
 * blocked.
 */
export async function inSnapshot<Result>(sql: Sql, work: (tx: Statements) => Promise<Result>): Promise<Result> {
  const result = await sql.begin('isolation level repeatable read read only', async (tx) => {
    await setCopyFormat(tx)
    return { is: await work(tx) }
  })
  return result.is
}

/**
 * Lists every table by name, a partitioned one as a whole. Excluded are the list of migrations, which the restoring
 * program writes itself, and unlogged tables (visitors online).
 */
export async function listTables(sql: Statements): Promise<BackupTable[]> {
  return sql<BackupTable[]>`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attname) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = any(${[...backupSchemas]}::text[])
      and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and (n.nspname, c.relname) not in (('public', 'schema_migrations'), ('graphile_worker', 'migrations'))
    group by 1, 2 order by 1, 2`
}

/**
 * Lists every sequence. Sequences are outside of snapshots: read after the rows, each is at least as far as they are.
 */
export async function listSequences(sql: Statements): Promise<BackupSequence[]> {
  return sql<BackupSequence[]>`
    select schemaname as schema, sequencename as name, coalesce(last_value, start_value) as value,
      last_value is not null as called
    from pg_sequences where schemaname = any(${[...backupSchemas]}::text[]) order by 1, 2`
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const qualifiedName = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

const columnsOf = ({ columns }: BackupTable): string => columns.map(quoteIdentifier).join(', ')

export async function tableDigest(tx: Statements, table: BackupTable): Promise<TableDigest> {
  const [found] = await tx.unsafe<{ rows: number; digest: string }[]>(
    `select count(*) as rows, coalesce(sum(hashtextextended(one::text, 0)::numeric), 0)::text as digest
     from (select ${columnsOf(table)} from ${qualifiedName(table)}) one`,
  )
  if (!found) throw new Error(`count of ${table.name} returned no row`)
  return { rows: found.rows, digest: found.digest }
}

/** Passes a table's rows to `take` in chunks of about `pieceBytes`, in PostgreSQL's text format of COPY. */
export async function copyOut(
  tx: Statements,
  table: BackupTable,
  take: (piece: Buffer) => Promise<void>,
  pieceBytes = 4 * 2 ** 20,
): Promise<void> {
  // As a query: what has partitions has no rows of its own to copy.
  const rows = await tx.unsafe(`copy (select ${columnsOf(table)} from ${qualifiedName(table)}) to stdout`).readable()
  let pending: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    const piece = Buffer.concat(pending, bytes)
    pending = []
    bytes = 0
    if (piece.length > 0) await take(piece)
  }
  // The driver emits one buffer per row: the next rows are collected while a chunk is written.
  const gather = new Writable({
    highWaterMark: pieceBytes,
    writev(chunks, done) {
      for (const { chunk } of chunks) {
        pending.push(chunk)
        bytes += chunk.length
      }
      if (bytes < pieceBytes) done()
      else flush().then(() => done(), done)
    },
    final(done) {
      flush().then(() => done(), done)
    },
  })
  await pipeline(rows, gather)
}

/** Fills a table from chunks of `copyOut`. */
export async function copyIn(tx: Statements, table: BackupTable, pieces: AsyncIterable<Buffer>): Promise<void> {
  const into = await tx.unsafe(`copy ${qualifiedName(table)} (${columnsOf(table)}) from stdin`).writable()
  const failed = new Promise<never>((_, reject) => into.once('error', reject))
  failed.catch(() => {})
  for await (const piece of pieces) {
    if (!into.write(piece)) await waitForDrain(into)
  }
  await Promise.race([new Promise<void>((resolve) => into.end(() => resolve())), failed])
}
