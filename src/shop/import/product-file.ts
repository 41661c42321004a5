import type { ConvertedRow, ImportFormat, TableRow, ValueRules } from '#contract/import/formats/import-format.ts'
import type { DecimalMark } from '#contract/import/formats/number-cells.ts'
import { type ColumnMap, decimalMarkIn, recogniseFormat, titleRow } from '#contract/import/formats/recognise-format.ts'
import { openTable, ProductFileError, type Table, tableRows } from './read-product-rows.ts'

/** How a product file is read: undefined members are guessed. */
export type FileReading = {
  readonly encoding?: string | undefined
  readonly separator?: string | undefined
  readonly decimal?: DecimalMark | undefined
  /** English titles by the titles of the file. */
  readonly map?: ColumnMap | undefined
}

/** A product file whose format is known. */
export type ProductFile = {
  readonly table: Table
  readonly format: ImportFormat
  readonly mark: DecimalMark
  /** Row number and titles of the file itself. */
  readonly titles: TableRow
  /** Rows of the classic product file; those of one product have its source rows in `of`. */
  rows(): AsyncGenerator<ProductFileRow>
  /** The rows of the file itself, without the titles. */
  sourceRows(): AsyncGenerator<TableRow>
}

/** A converted row; `first` and `last` are the rows of the file that its product has. */
export type ProductFileRow = ConvertedRow & { readonly first: number; readonly last: number }

const sampledRows = 2000
/** A product of Shopify has at most 2,048 variants and 250 images. */
const mostRowsOfProduct = 5000

/**
 * Opens a product file: guesses encoding, separator, format and decimal mark unless they are stated.
 * @param rules decimals and currency of the shop
 * @throws ProductFileError when the file cannot be read
 */
export async function openProductFile(
  file: string,
  stated: FileReading,
  rules: Omit<ValueRules, 'mark'>,
): Promise<ProductFile> {
  const table = await openTable(file, stated)
  const sample: TableRow[] = []
  for await (const row of tableRows(table)) {
    sample.push(row)
    if (sample.length > sampledRows) break
  }
  const at = titleRow(sample, stated.map)
  const titles = sample[at]
  if (!titles) throw new ProductFileError(1, 'the file is empty')
  const body = sample.slice(at + 1)
  const format = recogniseFormat(titles.cells, body, stated.map)
  const mark = stated.decimal ?? decimalMarkIn(titles.cells, body, stated.map)
  const values: ValueRules = { ...rules, mark }

  async function* sourceRows(): AsyncGenerator<TableRow> {
    for await (const row of tableRows(table)) if (row.row > (titles?.row ?? 0)) yield row
  }
  return {
    table,
    format,
    mark,
    titles,
    sourceRows,
    async *rows() {
      for await (const group of groups(sourceRows(), format.groupBy)) {
        const [first] = group
        const last = group.at(-1)
        if (!first || !last) continue
        for (const row of format.convert(group, values)) yield { ...row, first: first.row, last: last.row }
      }
    },
  }
}

/** Yields consecutive rows with the same value of a column; a row without one belongs to those before it. */
async function* groups(rows: AsyncIterable<TableRow>, column: number | null): AsyncGenerator<TableRow[]> {
  let group: TableRow[] = []
  let value = ''
  for await (const row of rows) {
    if (column === null) {
      yield [row]
      continue
    }
    const own = (row.cells[column] ?? '').trim()
    if (group.length > 0 && own !== '' && own !== value) {
      yield group
      group = []
    }
    if (own !== '') value = own
    group.push(row)
    if (group.length > mostRowsOfProduct)
      throw new ProductFileError(row.row, `more than ${mostRowsOfProduct} rows for one product`)
  }
  if (group.length > 0) yield group
}
