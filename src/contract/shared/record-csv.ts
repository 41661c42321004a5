import { faultTitle } from '../import/formats/column-format.ts'
import { titleKey } from '../import/formats/title-key.ts'
import { type CellResult, withoutGuard } from '../import/product-csv-cells.ts'

/** One row of a file as text. Row numbers are those of a spreadsheet: the header is row 1. */
export type TextRow = { readonly row: number; readonly cells: readonly string[] }

/** `row` 0: the file as a whole. `column` is the title in the file, '' for a whole row. */
export type RowFault = {
  readonly row: number
  readonly column: string
  readonly value: string
  readonly problem: string
}

/** The titles that each column may have, the preferred one first. */
export type ColumnTitles<Column extends string> = Readonly<Record<Column, readonly string[]>>

/** The header of a file, matched with known columns. */
export type Header<Column extends string> = {
  /** The titles of each column that the file has, and their places; the preferred one first. */
  readonly found: ReadonlyMap<Column, readonly { readonly title: string; readonly index: number }[]>
  /** The places of numbered columns such as `line_item_1`, in their order. */
  readonly numbered: readonly number[]
  /** Titles that no column has. */
  readonly unknown: readonly string[]
}

/** Returns a function that recognizes the titles of a kind of file. */
export function titleFinder(known: ColumnTitles<string>): (cell: string) => boolean {
  const keys = new Set(Object.values(known).flatMap((titles) => titles.map(titleKey)))
  return (cell) => keys.has(titleKey(withoutGuard(cell)))
}

/**
 * Matches the titles of a file. Of several titles of one column the preferred one counts where its cell is not empty,
 * and of two equal titles the last one.
 * @param numbered matches the keys of titles such as `line item 3`
 */
export function readHeader<Column extends string>(
  titles: readonly string[],
  known: ColumnTitles<Column>,
  numbered?: RegExp,
): Header<Column> {
  const keys = titles.map((title) => titleKey(withoutGuard(title)))
  const found = new Map<Column, { title: string; index: number }[]>()
  const taken = new Set<number>()
  // The keys of the record are its columns, as the type states.
  for (const column of Object.keys(known) as Column[]) {
    for (const title of known[column]) {
      const key = titleKey(title)
      keys.forEach((one, index) => {
        if (one === key) taken.add(index)
      })
      const index = keys.lastIndexOf(key)
      if (index >= 0) found.set(column, [...(found.get(column) ?? []), { title: titles[index] ?? '', index }])
    }
  }
  const isNumbered = (key: string, index: number) => !taken.has(index) && numbered?.test(key) === true
  return {
    found,
    numbered: keys.flatMap((key, index) => (isNumbered(key, index) ? [index] : [])),
    unknown: titles.filter(
      // A corrected file of faulty rows still has their reasons.
      (title, index) =>
        title.trim() !== '' &&
        title.trim() !== faultTitle &&
        !taken.has(index) &&
        !isNumbered(keys[index] ?? '', index),
    ),
  }
}

/** Reads the cells of one row and collects their faults. A cell with a fault has its empty value. */
export class RowReader<Column extends string> {
  readonly faults: RowFault[] = []
  readonly #header: Header<Column>
  readonly #row: TextRow

  constructor(header: Header<Column>, row: TextRow) {
    this.#header = header
    this.#row = row
  }

  /** Returns a cell without the guard of formulas and surrounding space; '' if the file lacks the column. */
  text(column: Column): string {
    return this.#place(column)?.text ?? ''
  }

  /** Reports whether the file has the column. */
  has(column: Column): boolean {
    return this.#header.found.has(column)
  }

  /** Returns the numbered cells that are not empty. */
  numbered(): string[] {
    return this.#header.numbered.map((index) => cellText(this.#row.cells[index])).filter((text) => text !== '')
  }

  /** Returns the parsed cell, or `empty` where it is empty or at fault. */
  read<Value>(column: Column, empty: Value, reader: (text: string) => CellResult<Value>): Value {
    const text = this.text(column)
    if (text === '') return empty
    const result = reader(text)
    if ('value' in result) return result.value
    this.fault(column, result.problem)
    return empty
  }

  /** Returns the title and the cell that count: the first cell that is not empty, else the first. */
  #place(column: Column): { readonly title: string; readonly text: string } | undefined {
    const places = this.#header.found.get(column) ?? []
    const cells = places.map(({ title, index }) => ({ title, text: cellText(this.#row.cells[index]) }))
    return cells.find(({ text }) => text !== '') ?? cells[0]
  }

  fault(column: Column | null, problem: string): void {
    const title = column === null ? '' : (this.#place(column)?.title ?? column)
    this.faults.push({ row: this.#row.row, column: title, value: column === null ? '' : this.text(column), problem })
  }
}

const cellText = (cell: string | undefined) => withoutGuard(cell ?? '').trim()
