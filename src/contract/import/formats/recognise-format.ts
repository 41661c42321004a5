import { columnFormat } from './column-format.ts'
import type { ImportFormat, TableRow } from './import-format.ts'
import { type DecimalMark, decimalMarkOf } from './number-cells.ts'
import { readTitle } from './read-title.ts'
import { isShopify, shopifyFormat } from './shopify.ts'
import { titleKey } from './title-key.ts'

/** Columns of a mapping file: the English title of each title of a file, or null for one that is not read. */
export type ColumnMap = Readonly<Record<string, string | null>>

/** Titles may stand below the name of the list and similar lines. */
const rowsBeforeTitles = 10

/**
 * Finds the row of titles: the first one with two known titles, else the first row.
 * @returns its index in `rows`
 */
export function titleRow(rows: readonly TableRow[], map: ColumnMap | undefined): number {
  const knows = (cell: string) => readTitle(cell) !== null || (map !== undefined && mapped(map, cell) !== undefined)
  const found = rows.slice(0, rowsBeforeTitles).findIndex(({ cells }) => cells.filter(knows).length > 1)
  return found === -1 ? 0 : found
}

/** Returns the format of a file by its titles. A mapping takes precedence over titles that the shop knows itself. */
export function recogniseFormat(
  written: readonly string[],
  sample: readonly TableRow[],
  map?: ColumnMap,
): ImportFormat {
  if (!map && isShopify(written)) return shopifyFormat(written)
  const targets = written.map(
    (title) => (map ? mapped(map, title) : undefined) ?? (isSkipped(map, title) ? null : readTitle(title)),
  )
  const isClassic = targets.some((target) => target === 'Type' || target === 'Published')
  return columnFormat(map ? 'mapped' : isClassic ? 'classic' : 'spreadsheet', written, targets, sample)
}

function mapped(map: ColumnMap, title: string): string | null | undefined {
  const key = titleKey(title)
  const entry =
    Object.entries(map).find(([own]) => own === title.trim()) ??
    Object.entries(map).find(([own]) => titleKey(own) === key)
  return entry?.[1]
}

const isSkipped = (map: ColumnMap | undefined, title: string) => map !== undefined && mapped(map, title) === null

const figures = /^(Regular price|Sale price|Stock|Weight \(|Length \(|Width \(|Height \()/

/** Returns the decimal mark that all figures of the sample agree on; null where none shows one, or some differ. */
export function decimalMarkIn(written: readonly string[], sample: readonly TableRow[], map?: ColumnMap): DecimalMark {
  // Shopify writes figures for programs.
  if (!map && isShopify(written)) return 'point'
  const places = written.flatMap((title, index) =>
    figures.test((map && mapped(map, title)) ?? readTitle(title) ?? '') ? [index] : [],
  )
  const marks = new Set<DecimalMark>()
  for (const { cells } of sample) for (const index of places) marks.add(decimalMarkOf(cells[index] ?? ''))
  marks.delete(null)
  const [only = null] = marks
  // This shop writes decimals with a point.
  const isOwn = written.some((title) => readTitle(title) === 'Shop mark')
  return marks.size === 1 ? only : isOwn && marks.size === 0 ? 'point' : null
}
