import type { CellFault } from '../product-csv-row.ts'
import type { DecimalMark } from './number-cells.ts'

/** A row of a file; numbers are those of a spreadsheet. */
export type TableRow = { readonly row: number; readonly cells: readonly string[] }

/** A row with the columns of the classic product file, in English, and with its values in plain notation. */
export type ConvertedRow = TableRow & {
  /** Changes of values that the merchant should know. */
  readonly notes: readonly CellFault[]
  /** With any of them the row cannot be used. */
  readonly faults: readonly CellFault[]
}

/** The rules that values of a file are converted by. */
export type ValueRules = {
  readonly mark: DecimalMark
  /** Decimals of the shop's currency. */
  readonly decimals: number
  /** The shop's currency, ISO 4217; undefined accepts the signs of all. */
  readonly currency?: string | undefined
}

/** Converts the rows of one kind of file to rows of the classic product file. */
export type ImportFormat = {
  readonly name: 'classic' | 'spreadsheet' | 'shopify' | 'mapped'
  /** The titles of the converted rows. */
  readonly header: readonly string[]
  /** The title in the file of each column of `header` that has another one there. */
  readonly titles: ReadonlyMap<string, string>
  /** Titles in the file that nothing reads. */
  readonly ignored: readonly string[]
  readonly notes: readonly string[]
  /** The column whose value consecutive rows of one product share; null: each row is a product or a variation. */
  readonly groupBy: number | null
  /** Converts one row, or all rows of one product where `groupBy` is set. */
  convert(rows: readonly TableRow[], rules: ValueRules): ConvertedRow[]
}
