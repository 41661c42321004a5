import { parse } from 'csv-parse/sync'
import type { TextRow } from '#contract/shared/record-csv.ts'

/** The rows of a CSV text, as a reader of files yields them. */
export async function* textRows(csv: string): AsyncGenerator<TextRow> {
  const records: string[][] = parse(csv, { relax_column_count: true })
  for (const [index, cells] of records.entries()) yield { row: index + 1, cells }
}
