import { csvLine } from '#contract/shared/csv-line.ts'
import {
  type TaxRateColumn,
  type TaxRateFault,
  type TaxRateFields,
  taxRateCells,
  taxRateColumns,
  taxRateOf,
} from '#contract/tax/tax-rates-csv.ts'
import { csvRows, ProductFileError } from '../import/read-product-rows.ts'
import type { Tools } from '../shared/tools.ts'
import { type Joining, saveTaxRates, type TaxRateCounts } from './manage-tax-rates.ts'

/** `line` as a spreadsheet counts; 0 for the whole file. */
export type TaxFileFault = Omit<TaxRateFault, 'column'> & { readonly line: number; readonly column: string }

export type TaxImport =
  | { readonly ok: true; readonly counts: TaxRateCounts }
  | { readonly ok: false; readonly faults: readonly TaxFileFault[] }

const maxRates = 100_000
/** Delimiters, tab first: cells of locations contain other delimiters themselves. */
const delimiters = ['\t', '|', ',', ';']

/** Imports a tax rate file of the ecosystem, with or without header, completely or not at all. */
export async function importTaxRates(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>,
  { file, delimiter = ',', joining, dryRun }: { file: string; delimiter?: string; joining: Joining; dryRun: boolean },
): Promise<TaxImport> {
  const { rates, faults } = await readTaxRates(file, delimiter, tools.settings.taxes.classes)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, counts: await saveTaxRates(tools, rates, joining, { dryRun }) }
}

/** Returns the table as a file of the ecosystem, with header. */
export function taxRatesCsv(rates: readonly TaxRateFields[]): string {
  return [taxRateColumns, ...rates.map(taxRateCells)].map((cells) => `${csvLine([...cells])}\n`).join('')
}

export async function readTaxRates(
  file: string,
  delimiter: string,
  classes: readonly string[],
): Promise<{ rates: TaxRateFields[]; faults: TaxFileFault[] }> {
  const rates: TaxRateFields[] = []
  const faults: TaxFileFault[] = []
  let columns: readonly TaxRateColumn[] | null = null
  try {
    for await (const { row: line, cells } of csvRows(file, delimiter)) {
      if (columns === null) {
        const header = headerOf(cells)
        columns = header?.columns ?? taxRateColumns
        const other =
          cells.length === 1 ? delimiters.find((mark) => mark !== delimiter && cells[0]?.includes(mark)) : undefined
        if (!header && other !== undefined) {
          const problem = `seems to be separated by "${other === '\t' ? 'tab' : other}": say so with --delimiter`
          faults.push({ line, column: '', value: '', problem })
          break
        }
        if (header) {
          faults.push(...header.problems.map((problem) => ({ line, column: '', value: '', problem })))
          if (faults.length > 0) break
          continue
        }
      }
      if (cells.length !== columns.length) {
        const problem = `has ${cells.length} cells, and ${columns.length} are expected`
        faults.push({ line, column: '', value: '', problem })
        continue
      }
      const order = columns
      const read = taxRateOf((column) => cells[order.indexOf(column)] ?? '', classes)
      faults.push(...read.faults.map((fault) => ({ ...fault, line })))
      rates.push(read.rate)
      if (rates.length > maxRates) throw new ProductFileError(line, `has more than ${maxRates} rates`)
    }
  } catch (error) {
    if (!(error instanceof ProductFileError)) throw error
    faults.push({ line: error.row, column: error.column, value: '', problem: error.message })
  }
  return { rates, faults }
}

/** Parses the header; null when the first line is a rate. Names match in any order and case. */
function headerOf(cells: readonly string[]): { columns: TaxRateColumn[]; problems: string[] } | null {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const known = new Map(taxRateColumns.map((column) => [column.toLowerCase(), column]))
  if (!names.some((name) => known.has(name))) return null
  const columns = names.flatMap((name) => known.get(name) ?? [])
  const strangers = cells.filter((_, index) => !known.has(names[index] ?? ''))
  const missing = taxRateColumns.filter((column) => !columns.includes(column))
  const twice = columns.filter((column, index) => columns.indexOf(column) !== index)
  return {
    columns,
    problems: [
      ...strangers.map((name) => `has a column "${name.trim()}" that tax rates do not have`),
      ...missing.map((name) => `has no column "${name}"`),
      ...twice.map((name) => `has the column "${name}" twice`),
    ],
  }
}
