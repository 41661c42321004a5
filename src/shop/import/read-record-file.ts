import type { TextRow } from '#contract/shared/record-csv.ts'
import { openTable, type Table, tableRows } from './read-product-rows.ts'

/**
 * Streams the rows of a CSV file as text, the header first.
 * @param stated encoding and separator; guessed where they are missing
 * @param isTitle recognizes the titles of such a file
 * @param onOpen receives what was found out about the file, before its rows
 * @throws ProductFileError where the file cannot be read as CSV
 */
export async function* recordRows(
  file: string,
  stated: { readonly encoding?: string | undefined; readonly separator?: string | undefined },
  isTitle: (cell: string) => boolean,
  onOpen: (table: Table) => void = () => {},
): AsyncGenerator<TextRow> {
  const table = await openTable(file, stated, isTitle)
  onOpen(table)
  yield* tableRows(table)
}
