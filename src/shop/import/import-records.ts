import { sql, type Transaction } from 'kysely'
import { faultTitle } from '#contract/import/formats/column-format.ts'
import type { RowFault, TextRow } from '#contract/shared/record-csv.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import type { Tools } from '../shared/tools.ts'
import { faultList } from './import-faults.ts'
import { ProductFileError } from './product-file-error.ts'

/** Imports of coupons, customers, orders and reviews. Their rows are text, so that any reader of files can supply them. */

export type RecordImportOptions = {
  /** How to treat a record that exists. */
  readonly existing: 'update' | 'skip'
  /** Imports the rows without faults. By default nothing is imported after a fault. */
  readonly skipFaulty: boolean
  /** Checks everything and changes nothing. */
  readonly dryRun: boolean
  /** Receives the header, then each row that is not imported, with the reason. */
  readonly onFaulty?: (row: TextRow, reason: string) => Promise<void> | void
  /** Receives the number of rows so far. */
  readonly onProgress?: (rows: number) => void
}

export type RecordImportReport = {
  readonly ok: boolean
  readonly dryRun: boolean
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  /** Rows that were left out because of faults. */
  readonly faulty: number
  readonly ignoredColumns: readonly string[]
  /** The first ones; `faultCount` counts all. */
  readonly faults: readonly RowFault[]
  readonly faultCount: number
  /** Values that were imported differently than stated; the first ones. */
  readonly notes: readonly RowFault[]
  readonly noteCount: number
}

/**
 * The result of writing one record: its outcome, or the faults that prevented it. `later`: it refers to a record that was
 * not read yet, and is written again after the last row.
 */
export type Written =
  | { readonly later: true }
  | { readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped'; readonly notes?: readonly RowFault[] }
  | { readonly faults: readonly RowFault[] }

/** One kind of record. */
export type RecordKind<Value> = {
  /** Matches the header. @returns its unknown titles, or what is missing */
  open(titles: readonly string[]): { readonly unknown: readonly string[]; readonly missing?: string }
  /** Returns the key of the record that a row belongs to; '' for a row that continues the one before. */
  keyOf?(row: TextRow): string
  read(rows: readonly TextRow[]): { readonly record: Value | null; readonly faults: readonly RowFault[] }
  /**
   * Writes records that were read, in order. Within the transaction, which is undone where anything is at fault. A
   * record is postponed once at most.
   */
  write(tx: Transaction<Schema>, records: readonly Value[], existing: 'update' | 'skip'): Promise<readonly Written[]>
  /** Runs once in the transaction after the last record, unless nothing was written. */
  finish?(tx: Transaction<Schema>): Promise<void>
}

const recordsAtOnce = 200
/** The largest number of rows of one record. */
const mostRows = 5000

/** Undoes the transaction and keeps its report. */
class Undone extends Error {}

type Group = { readonly rows: readonly TextRow[] }

/**
 * Imports the records of a file in one transaction, row by row: memory does not grow with the file. With any fault
 * nothing is written, unless faulty rows are to be skipped.
 */
export async function importRecords<Value>(
  { db }: Pick<Tools, 'db'>,
  rows: AsyncIterable<TextRow>,
  kind: RecordKind<Value>,
  options: RecordImportOptions,
): Promise<RecordImportReport> {
  const count = { rows: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, faulty: 0 }
  const [faults, notes] = [faultList(), faultList()]
  let isUnreadable = false
  let ignoredColumns: readonly string[] = []
  const reject = async (group: Group, found: readonly RowFault[]) => {
    for (const fault of found) faults.add(fault)
    count.faulty += group.rows.length
    const reason = found.map(({ column, problem }) => (column === '' ? problem : `${column}: ${problem}`)).join('; ')
    if (options.skipFaulty && !options.dryRun) for (const row of group.rows) await options.onFaulty?.(row, reason)
  }
  const undone = (error: unknown) => {
    if (!(error instanceof Undone)) throw error
  }
  await db.kysely
    .transaction()
    .execute(async (tx) => {
      // One import at a time: two would wait for each other's rows.
      await sql`select pg_advisory_xact_lock(${advisoryLocks.recordImport})`.execute(tx)
      let waiting: { value: Value; group: Group }[] = []
      const postponed: typeof waiting = []
      const writeWaiting = async () => {
        const batch = waiting
        waiting = []
        if (batch.length === 0) return
        const written = await kind.write(
          tx,
          batch.map(({ value }) => value),
          options.existing,
        )
        for (const [place, result] of written.entries()) {
          const record = batch[place]
          const group = record?.group ?? { rows: [] }
          if ('later' in result) postponed.push(...(record ? [record] : []))
          else if ('faults' in result) await reject(group, result.faults)
          else {
            count[result.outcome] += 1
            for (const note of result.notes ?? []) notes.add(note)
          }
        }
      }
      try {
        for await (const group of groups(rows, kind, options, (header) => {
          ignoredColumns = header
        })) {
          count.rows += group.rows.length
          options.onProgress?.(count.rows)
          const { record, faults: found } = kind.read(group.rows)
          if (record === null || found.length > 0) await reject(group, found)
          else waiting.push({ value: record, group })
          if (waiting.length >= recordsAtOnce) await writeWaiting()
        }
        await writeWaiting()
        while (postponed.length > 0) {
          waiting = postponed.splice(0, recordsAtOnce)
          await writeWaiting()
        }
      } catch (error) {
        if (!(error instanceof ProductFileError)) throw error
        // The rest of the file is unreadable: not even its good rows are certain.
        isUnreadable = true
        faults.add({ row: error.row, column: error.column, value: '', problem: error.message })
      }
      if (isUnreadable || options.dryRun || (faults.count > 0 && !options.skipFaulty)) throw new Undone()
      if (count.created + count.updated > 0) await kind.finish?.(tx)
    })
    .catch(undone)
  return {
    ok: !isUnreadable && (faults.count === 0 || options.skipFaulty),
    dryRun: options.dryRun,
    ...count,
    ignoredColumns,
    faults: faults.list,
    faultCount: faults.count,
    notes: notes.list,
    noteCount: notes.count,
  }
}

/** Yields the rows of each record; the first row of the file is its header. */
async function* groups<Value>(
  rows: AsyncIterable<TextRow>,
  kind: RecordKind<Value>,
  options: RecordImportOptions,
  onHeader: (unknown: readonly string[]) => void,
): AsyncGenerator<Group> {
  let isOpen = false
  let group: TextRow[] = []
  let key = ''
  for await (const row of rows) {
    if (!isOpen) {
      const { unknown, missing } = kind.open(row.cells)
      if (missing !== undefined) throw new ProductFileError(row.row, missing)
      onHeader(unknown)
      if (options.skipFaulty && !options.dryRun) await options.onFaulty?.(row, faultTitle)
      isOpen = true
      continue
    }
    const own = kind.keyOf ? kind.keyOf(row) : `${row.row}`
    if (group.length > 0 && own !== '' && own !== key) {
      yield { rows: group }
      group = []
    }
    if (own !== '' || group.length === 0) key = own
    group.push(row)
    if (group.length > mostRows) throw new ProductFileError(row.row, `more than ${mostRows} rows belong to "${key}"`)
  }
  if (group.length > 0) yield { rows: group }
}
