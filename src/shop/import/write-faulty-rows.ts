import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { faultTitle } from '#contract/import/formats/column-format.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import type { ProductFile } from './product-file.ts'

/**
 * Writes the rows that were left out as they are in the file, with a last column that says why: UTF-8, separated by commas,
 * to correct and import again. All rows of a product are written, the reason at its first.
 * @param excluded reasons by the first row of a product
 */
export async function writeFaultyRows(
  source: ProductFile,
  excluded: ReadonlyMap<number, string>,
  target: string,
): Promise<void> {
  const lastRows = new Map<number, number>()
  for await (const { first, last } of source.rows()) if (excluded.has(first)) lastRows.set(first, last)
  const partial = `${target}.partial`
  const stream = createWriteStream(partial)
  const titles = source.titles.cells
  const write = async (cells: readonly string[]) =>
    stream.write(`${csvLine(cells)}\r\n`) || (await once(stream, 'drain'))
  const width = titles.at(-1)?.trim() === faultTitle ? titles.length - 1 : titles.length
  const padded = (cells: readonly string[]) => Array.from({ length: Math.max(width, 0) }, (_, at) => cells[at] ?? '')
  stream.write('\uFEFF')
  await write([...padded(titles), faultTitle])
  let until = 0
  for await (const { row, cells } of source.sourceRows()) {
    const reason = excluded.get(row)
    if (reason !== undefined) until = lastRows.get(row) ?? row
    // A row with too many cells keeps them, behind the reason.
    if (row <= until) await write([...padded(cells), reason ?? '', ...cells.slice(titles.length)])
  }
  stream.end()
  await once(stream, 'close')
  await rename(partial, target)
}
