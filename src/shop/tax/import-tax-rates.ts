import { separators } from '#contract/import/formats/guess-separator.ts'
import { titleKey } from '#contract/import/formats/title-key.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import {
  type TaxRateColumn,
  type TaxRateFault,
  type TaxRateFields,
  taxRateCells,
  taxRateColumns,
  taxRateOf,
} from '#contract/tax/tax-rates-csv.ts'
import { openTable, ProductFileError, tableRows } from '../import/read-product-rows.ts'
import type { Tools } from '../shared/tools.ts'
import { type Joining, saveTaxRates, type TaxRateCounts } from './manage-tax-rates.ts'

/** `line` as a spreadsheet counts; 0 for the whole file. */
export type TaxFileFault = Omit<TaxRateFault, 'column'> & { readonly line: number; readonly column: string }

export type TaxImport =
  | { readonly ok: true; readonly counts: TaxRateCounts }
  | { readonly ok: false; readonly faults: readonly TaxFileFault[] }

const maxRates = 100_000

/** Imports a tax rate file of the ecosystem, with or without header, completely or not at all. */
export async function importTaxRates(
  tools: Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>,
  {
    file,
    joining,
    dryRun,
    ...stated
  }: { file: string; delimiter?: string | undefined; encoding?: string | undefined; joining: Joining; dryRun: boolean },
): Promise<TaxImport> {
  const { rates, faults } = await readTaxRates(file, stated, tools.settings.taxes.classes)
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, counts: await saveTaxRates(tools, rates, joining, { dryRun }) }
}

/** Returns the table as a file of the ecosystem, with header. */
export function taxRatesCsv(rates: readonly TaxRateFields[]): string {
  return [taxRateColumns, ...rates.map(taxRateCells)].map((cells) => `${csvLine([...cells])}\n`).join('')
}

/**
 * Reads a file of tax rates. Encoding and separator are guessed unless stated; columns are found by their titles, and by
 * their position where the file has no titles or has them in another language.
 */
export async function readTaxRates(
  file: string,
  {
    delimiter: separator,
    encoding,
  }: { readonly delimiter?: string | undefined; readonly encoding?: string | undefined },
  classes: readonly string[],
): Promise<{ rates: TaxRateFields[]; faults: TaxFileFault[] }> {
  const rates: TaxRateFields[] = []
  const faults: TaxFileFault[] = []
  let columns: readonly (TaxRateColumn | null)[] | null = null
  try {
    const table = await openTable(file, { separator, encoding }, isTaxTitle)
    for await (const { row: line, cells } of tableRows(table)) {
      if (columns === null) {
        const header = headerOf(cells)
        columns = header?.columns ?? taxRateColumns
        const other =
          cells.length === 1 ? separators.find((mark) => mark !== separator && cells[0]?.includes(mark)) : undefined
        if (!header && other !== undefined) {
          const problem = `seems to be separated by "${other === '\t' ? 'tab' : other}": say so with --separator`
          faults.push({ line, column: '', value: '', problem })
          break
        }
        if (header) {
          faults.push(...header.problems.map((problem) => ({ line, column: '', value: '', problem })))
          if (faults.length > 0) break
          continue
        }
      }
      const order = columns
      const isMissing = cells.length < order.length - 1 || cells.slice(order.length).some((cell) => cell.trim() !== '')
      if (isMissing) {
        const problem = `has ${cells.length} cells, and ${order.length} are expected`
        faults.push({ line, column: '', value: '', problem })
        continue
      }
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

/** Titles of other programs. */
const otherTitles: Readonly<Record<string, TaxRateColumn>> = {
  ...{ Country: 'Country code', State: 'State code', Postcode: 'Postcode / ZIP', ZIP: 'Postcode / ZIP' },
  ...{
    'ZIP code': 'Postcode / ZIP',
    Rate: 'Rate %',
    'Tax rate': 'Rate %',
    Percent: 'Rate %',
    Name: 'Tax name',
    Class: 'Tax class',
  },
}
const columnByKey = new Map<string, TaxRateColumn>([
  ...Object.entries(otherTitles).map(([title, column]) => [titleKey(title), column] as const),
  ...taxRateColumns.map((column) => [titleKey(column), column] as const),
])

const isTaxTitle = (title: string) => columnByKey.has(titleKey(title))

/**
 * Parses the header; null when the first line is a rate. Titles match in any order and case. A first line of ten cells
 * with few known titles and no rate has titles of another language: its columns are those of the classic file, in order.
 */
function headerOf(cells: readonly string[]): { columns: (TaxRateColumn | null)[]; problems: string[] } | null {
  const columns = cells.map((cell) => columnByKey.get(titleKey(cell)) ?? null)
  const known = columns.filter((column) => column !== null)
  const isPositional = cells.length >= taxRateColumns.length - 1 && known.length < taxRateColumns.length / 2
  const rateCell = (cells[taxRateColumns.indexOf('Rate %')] ?? '').trim()
  if (isPositional) return /^[\d.,]+\s*%?$/.test(rateCell) ? null : { columns: [...taxRateColumns], problems: [] }
  if (known.length === 0) return null
  const strangers = cells.filter((cell, index) => columns[index] === null && cell.trim() !== '')
  const twice = known.filter((column, index) => known.indexOf(column) !== index)
  return {
    columns,
    problems: [
      ...strangers.map((name) => `has a column "${name.trim()}" that tax rates do not have`),
      ...(known.includes('Rate %') ? [] : ['has no column "Rate %"']),
      ...twice.map((name) => `has the column "${name}" twice`),
    ],
  }
}
