import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Sql, ISql as Statements } from 'postgres'
import { waitForDrain } from '../engine/wait-for-drain.ts'

/** A table of the shop or of its queue, with the columns that hold facts: what the database works out itself is left to it. */
export type BackupTable = { readonly schema: string; readonly name: string; readonly columns: readonly string[] }

/** Where a counter stands; `called`: its value was given out already. */
export type BackupSequence = {
  readonly schema: string
  readonly name: string
  readonly value: number
  readonly called: boolean
}

/** What a table holds, whatever the order of its rows: how many, and the sum of a 64-bit hash of each as text. */
export type TableDigest = { readonly rows: number; readonly digest: string }

/** The schemas that a backup holds: the shop's own, and that of its jobs, among them messages still to be sent. */
export const backupSchemas = ['public', 'graphile_worker'] as const

/** How rows become text, on whatever server, so that the same rows give the same text. */
const asText = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`

/** Prepares a transaction for `copyOut`, `copyIn` and `tableDigest`. */
export async function setCopyFormat(tx: Statements): Promise<void> {
  await tx.unsafe(asText)
}

/**
 * Runs `work` on one state of the whole database, however long it takes: what others write meanwhile is not seen, and nobody
 * waits for us.
 */
export async function inSnapshot<Result>(sql: Sql, work: (tx: Statements) => Promise<Result>): Promise<Result> {
  const result = await sql.begin('isolation level repeatable read read only', async (tx) => {
    await setCopyFormat(tx)
    return { is: await work(tx) }
  })
  return result.is
}

/**
 * Every table by its name, one with partitions as a whole. Left out are the lists of migrations, which the restoring program
 * writes itself, and what the database forgets in a crash anyway (who is online).
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

/** Every counter. Counters stand outside of snapshots: asked after the rows were read, each is at least as far as they are. */
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
  if (!found) throw new Error(`a count of ${table.name} gave no row`)
  return { rows: found.rows, digest: found.digest }
}

/** Hands a table's rows to `take` in pieces of about `pieceBytes`, in PostgreSQL's text format of COPY. */
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
  // The driver gives one buffer for each row: while a piece is put away, the next rows gather.
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

/** Fills a table from pieces that `copyOut` gave. */
export async function copyIn(tx: Statements, table: BackupTable, pieces: AsyncIterable<Buffer>): Promise<void> {
  const into = await tx.unsafe(`copy ${qualifiedName(table)} (${columnsOf(table)}) from stdin`).writable()
  const failed = new Promise<never>((_, reject) => into.once('error', reject))
  failed.catch(() => {})
  for await (const piece of pieces) {
    if (!into.write(piece)) await waitForDrain(into)
  }
  await Promise.race([new Promise<void>((resolve) => into.end(() => resolve())), failed])
}
