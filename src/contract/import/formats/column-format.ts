import { slugOf, withoutGuard } from '../product-csv-cells.ts'
import type { CellFault } from '../product-csv-row.ts'
import { type CellCleaner, cellCleaner, isListTitle, isStockWord } from './clean-cells.ts'
import type { ConvertedRow, ImportFormat, TableRow, ValueRules } from './import-format.ts'
import { inStockWords, wordValue } from './value-words.ts'

/** A column of the converted rows: a cell of the file, or a text that is the same in each row. */
type Source = { readonly index: number } | { readonly constant: string }
type Column = { readonly title: string; readonly source: Source; readonly clean: CellCleaner | null }

const attributeTitle = /^Attribute: *(.+)$/i
/** Numbers of attributes that a mapping names; the classic file counts from 1. */
const firstOwnAttribute = 500

/**
 * Returns the format of a file whose rows are those of the classic file and whose columns may have other titles.
 * @param written the titles of the file
 * @param targets the English title of each column; null: not read. `Attribute: Colour` is an attribute of this name
 * @param sample rows of the file, which show whether the stock column has words
 */
export function columnFormat(
  name: ImportFormat['name'],
  written: readonly string[],
  targets: readonly (string | null)[],
  sample: readonly TableRow[],
): ImportFormat {
  const notes: string[] = []
  const titles = new Map<string, string>()
  const columns = new Map<string, Column>()
  // A file of this shop has lists in one notation only: a vertical bar belongs to a name.
  const isOwn = targets.includes('Shop mark')
  const add = (title: string, source: Source) =>
    columns.set(title, { title, source, clean: isOwn && isListTitle(title) ? null : cellCleaner(title) })
  let attributes = firstOwnAttribute
  for (const [index, meant] of targets.entries()) {
    if (meant === null) continue
    const target = meant === 'In stock?' && !targets.includes('Stock') && hasCounts(sample, index) ? 'Stock' : meant
    const title = (written[index] ?? '').trim()
    const attribute = attributeTitle.exec(target)?.[1]
    if (attribute) {
      add(`Attribute ${attributes} name`, { constant: attribute })
      add(`Attribute ${attributes} value(s)`, { index })
      add(`Attribute ${attributes} global`, { constant: '1' })
      attributes += 1
      continue
    }
    const before = titles.get(target) ?? (columns.has(target) ? target : undefined)
    if (before !== undefined) {
      const same = before.toLowerCase() === title.toLowerCase()
      notes.push(
        same
          ? `column "${title}" appears twice; the last one is used`
          : `columns "${before}" and "${title}" both are "${target}"; the last one is used`,
      )
    }
    add(target, { index })
    titles.set(target, title)
  }
  const ignored = targets.flatMap((target, index) => {
    const title = (written[index] ?? '').trim()
    return target === null && title !== '' && title.toLowerCase() !== faultTitle.toLowerCase() ? [title] : []
  })

  const stock = columns.get('Stock')?.source
  const hasStockWords =
    stock !== undefined &&
    'index' in stock &&
    !columns.has('In stock?') &&
    sample.some(({ cells }) => isStockWord((cells[stock.index] ?? '').trim()))
  if (hasStockWords) add('In stock?', { constant: '' })
  if (!columns.has('SKU') && columns.has('Name') && !columns.has('ID')) {
    add('SKU', { constant: '' })
    notes.push('the file has no SKU; each product gets one that is made from its name')
  }

  const all = [...columns.values()]
  const header = all.map(({ title }) => title)
  const at = (title: string) => header.indexOf(title)
  const places = { sku: at('SKU'), id: at('ID'), name: at('Name'), type: at('Type'), parent: at('Parent') }
  const stockAt = hasStockWords ? { stock: at('Stock'), inStock: at('In stock?') } : null
  const values = all.flatMap(({ title }, index) => (/^Attribute \d+ value\(s\)$/.test(title) ? [index] : []))

  function convertRow({ row, cells: given }: TableRow, rules: ValueRules): ConvertedRow {
    const cells: string[] = []
    const rowNotes: CellFault[] = []
    const faults: CellFault[] = []
    const extra = given.slice(written.length)
    if (extra.some((cell) => cell.trim() !== '')) {
      const problem = `has ${given.length} cells, but the header has ${written.length}: is a quotation mark or a separator out of place?`
      return { row, cells, notes: [], faults: [{ column: '', value: '', problem }] }
    }
    if (given.length < written.length) {
      const problem = `has ${given.length} cells, but the header has ${written.length}; the missing ones are read as empty`
      rowNotes.push({ column: '', value: '', problem })
    }
    for (const { title, source, clean } of all) {
      const cell = 'constant' in source ? source.constant : withoutGuard((given[source.index] ?? '').trim())
      if (cell === '' || clean === null || (stockAt && title === 'Stock' && isStockWord(cell))) {
        cells.push(cell)
        continue
      }
      const { text, note, problem } = clean(cell, rules)
      cells.push(text)
      if (note !== undefined) rowNotes.push({ column: title, value: cell, problem: note })
      if (problem !== undefined) faults.push({ column: title, value: cell, problem })
    }
    if (stockAt && isStockWord(cells[stockAt.stock] ?? '')) {
      cells[stockAt.inStock] = wordValue(inStockWords, cells[stockAt.stock] ?? '')
      cells[stockAt.stock] = ''
    }
    const sku = places.sku >= 0 && !cells[places.sku] && !cells[places.id] ? skuOf(cells) : ''
    if (sku !== '') {
      cells[places.sku] = sku
      const source = all[places.sku]?.source
      if (source && 'index' in source)
        rowNotes.push({ column: 'SKU', value: '', problem: `is missing; the product gets the SKU "${sku}"` })
    }
    return { row, cells, notes: rowNotes, faults }
  }

  /** A product without an SKU gets one of its name, a variation one of its parent and its values. */
  function skuOf(cells: readonly string[]): string {
    const parent = cells[places.parent] ?? ''
    const chosen = values.map((index) => cells[index] ?? '').filter((value) => value !== '')
    const isVariation = /variation/i.test(cells[places.type] ?? '') && parent !== ''
    return slugOf(isVariation ? [parent, ...chosen].join(' ') : (cells[places.name] ?? ''))
  }

  return {
    name,
    header,
    titles,
    ignored,
    notes,
    groupBy: null,
    convert: (rows, rules) => rows.map((row) => convertRow(row, rules)),
  }
}

/** Returns true for a column with numbers of pieces: some languages call the stock and its status alike. */
function hasCounts(sample: readonly TableRow[], index: number): boolean {
  return sample.some(({ cells }) => /^\d+$/.test((cells[index] ?? '').trim()) && Number(cells[index]) > 1)
}

/** The title of the column that says why a row was not imported. */
export const faultTitle = 'Import error'
