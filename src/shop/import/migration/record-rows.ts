import type { SourceAddress } from '#contract/import/source/source-people.ts'
import type { TextRow } from '#contract/shared/record-csv.ts'
import { postalKeys } from '#domain/addresses/address-fields.ts'
import type { RecordImportReport } from '../import-records.ts'
import type { MigrationRun } from './migration-run.ts'

/** Records of one page as the rows of a file: the importers of files read them, so that the same rules hold for both. */
export type RecordCells = { readonly id: number; readonly cells: Readonly<Record<string, string>> }

/** Yields a header and one row for each record. */
export async function* textRows(records: readonly RecordCells[]): AsyncGenerator<TextRow> {
  const columns = [...new Set(records.flatMap(({ cells }) => Object.keys(cells)))]
  yield { row: 1, cells: columns }
  for (const [index, { cells }] of records.entries())
    yield { row: index + 2, cells: columns.map((column) => guarded(cells[column] ?? '')) }
}

/** Readers of files remove the `'` before a cell that a spreadsheet would run. */
const guarded = (cell: string) => (/^'?[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** Adds the result of an importer to the report, by the IDs of the records. @returns the IDs of records without faults */
export function reportRecords(
  run: MigrationRun,
  kind: string,
  records: readonly RecordCells[],
  { created, skipped, faults, faultCount, notes }: RecordImportReport,
): number[] {
  const idOf = (row: number) => records[row - 2]?.id ?? ''
  const faulty = new Set<number | ''>()
  for (const { row, column, value, problem } of faults) {
    faulty.add(idOf(row))
    run.report.fault(kind, idOf(row), [column, value && JSON.stringify(value), problem].filter(Boolean).join(' '))
  }
  // The list of faults of one page is never cut: it has at most 100 records.
  if (faultCount > faults.length) throw new Error(`${faultCount - faults.length} faults of ${kind} have no record`)
  for (const { row, value, problem } of notes)
    run.report.differs(kind, idOf(row), [value && JSON.stringify(value), problem].filter(Boolean).join(' '))
  run.report.added(kind, created)
  run.report.known(kind, skipped)
  return records.flatMap(({ id }) => (faulty.has(id) ? [] : [id]))
}

/** Returns the columns of an address. A country without two letters is left out: an old order must not fail by it. */
export function addressCells(kind: 'billing' | 'shipping', address: SourceAddress): Record<string, string> {
  const country = /^[A-Za-z]{2}$/.test(address.country) ? address.country : ''
  return Object.fromEntries(
    postalKeys.map((member) => [`${kind}_${member}`, member === 'country' ? country : address[member]]),
  )
}
