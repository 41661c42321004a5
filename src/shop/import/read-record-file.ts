import { open } from 'node:fs/promises'
import type { TextRow } from '#contract/shared/record-csv.ts'
import { csvRows } from './read-product-rows.ts'

const delimiters = [',', ';', '\t', '|']

/**
 * Streams the rows of a CSV file as text, the header first.
 * @param delimiter undefined: the mark that is most frequent in the first line, outside of quotation marks
 * @throws ProductFileError where the file cannot be read as CSV
 */
export async function* recordRows(file: string, delimiter?: string): AsyncGenerator<TextRow> {
  yield* csvRows(file, delimiter ?? (await guessDelimiter(file)))
}

async function guessDelimiter(file: string): Promise<string> {
  const start = await startOf(file).catch(() => '')
  const [line = ''] = start.replace(/"[^"]*"/g, '').split(/\r?\n/)
  const counts = delimiters.map((mark) => line.split(mark).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

async function startOf(file: string): Promise<string> {
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(16_384), 0, 16_384, 0)
  return buffer.toString('utf8', 0, bytesRead)
}
