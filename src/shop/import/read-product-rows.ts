import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { guessSeparator } from '#contract/import/formats/guess-separator.ts'
import type { TableRow } from '#contract/import/formats/import-format.ts'
import { readTitle } from '#contract/import/formats/read-title.ts'
import { quoteMender } from './mend-quotes.ts'
import { ProductFileError } from './product-file-error.ts'
import { guessEncoding, startOf, type TextEncoding } from './text-encoding.ts'

export { ProductFileError }

/** Row numbers are those of a spreadsheet: the header is row 1. */
export type CsvRow = TableRow

const longestRecord = 2_000_000
const sampledBytes = 256 * 1024
const separatorLine = /^\uFEFF?"?sep=(.)"?[ \t]*(?:\r\n|\n|\r|$)/i

/** A file of rows and cells, with what was found out about it. */
export type Table = TextEncoding & {
  readonly file: string
  readonly separator: string
  readonly hasSeparatorLine: boolean
}

/**
 * Finds out encoding and separator of a file: those that are stated, else those that its first line (`sep=;`) or its
 * content shows.
 * @param isTitle returns true for a title that such a file has; default: a title of a product file
 * @throws ProductFileError when there is no such file, or it is empty
 */
export async function openTable(
  file: string,
  stated: { readonly encoding?: string | undefined; readonly separator?: string | undefined } = {},
  isTitle: (cell: string) => boolean = (cell) => readTitle(cell) !== null,
): Promise<Table> {
  const start = await startOf(file, sampledBytes)
  const found =
    stated.encoding === undefined ? await guessEncoding(file) : { encoding: stated.encoding, isGuess: false }
  const text = new TextDecoder(found.encoding).decode(start, { stream: true })
  const line = separatorLine.exec(text)
  return {
    ...found,
    file,
    hasSeparatorLine: line !== null,
    separator: stated.separator ?? line?.[1] ?? guessSeparator(text, isTitle),
  }
}

/**
 * Streams the rows of a file: memory does not grow with the file. Rows of empty cells are left out.
 * @throws ProductFileError when the text is not of the encoding, contains NUL, or has unbalanced quotation marks.
 */
export async function* tableRows({ file, encoding, separator, hasSeparatorLine }: Table): AsyncGenerator<CsvRow> {
  const source = createReadStream(file, { highWaterMark: 64 * 1024 })
  const text = mendedText(encoding, separator, hasSeparatorLine)
  const parser = parse({
    delimiter: separator,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: longestRecord,
  })
  // Disk errors reach the loop below through the parser.
  source.on('error', (error) => parser.destroy(error))
  text.on('error', (error) => parser.destroy(error))
  source.pipe(text).pipe(parser)
  let row = 0
  try {
    // With `info` the parser yields pairs of this shape.
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { records: number; empty_lines: number }
    }>) {
      row = info.records + info.empty_lines
      const damaged = record.findIndex((cell) => cell.includes('\uFFFD') || cell.includes('\0'))
      if (damaged >= 0) throw damage(row, damaged, record[damaged] ?? '', encoding)
      if (record.some((cell) => cell.trim() !== '')) yield { row, cells: record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ProductFileError(rowOf(error) ?? row + 1, quotingProblem(error))
    throw error
  } finally {
    source.destroy()
    text.destroy()
    parser.destroy()
  }
  if (row === 0) throw new ProductFileError(1, 'the file is empty')
}

/** Streams the rows of a file with a stated separator. @throws ProductFileError as `tableRows` does */
export async function* csvRows(file: string, separator: string): AsyncGenerator<CsvRow> {
  yield* tableRows(await openTable(file, { separator }))
}

/** Decodes bytes, removes a line `sep=;`, and mends quotation marks. */
function mendedText(encoding: string, separator: string, hasSeparatorLine: boolean): Transform {
  const decoder = new TextDecoder(encoding)
  const mender = quoteMender(separator)
  let isFirst = hasSeparatorLine
  return new Transform({
    encoding: 'utf-8',
    transform(chunk: Buffer, _, done) {
      let text = decoder.decode(chunk, { stream: true })
      if (isFirst) text = text.replace(separatorLine, '')
      isFirst = false
      done(null, mender.push(text))
    },
    flush(done) {
      done(null, mender.push(decoder.decode()) + mender.end())
    },
  })
}

/**
 * The decoder inserts U+FFFD for bytes that are not of the encoding; in a file that contains it already, an earlier
 * conversion caused the damage.
 */
function damage(row: number, index: number, cell: string, encoding: string): ProductFileError {
  const column = `column ${index + 1}`
  if (cell.includes('\0'))
    return new ProductFileError(row, 'holds a NUL byte; the file is damaged or not a text file', column)
  const around = cell.slice(Math.max(0, cell.indexOf('\uFFFD') - 12), cell.indexOf('\uFFFD') + 12)
  return new ProductFileError(
    row,
    `is not ${encoding.toUpperCase()} near "${around}"; state another encoding with --encoding, or save the file as "CSV UTF-8"`,
    column,
  )
}

/** The parser reads ahead of the rows that it yields, so its own position is more accurate. */
function rowOf({ records, empty_lines }: CsvError): number | undefined {
  return typeof records === 'number' && typeof empty_lines === 'number' ? records + empty_lines + 1 : undefined
}

function quotingProblem(error: CsvError): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quotation mark opens and never closes'
    case 'CSV_MAX_RECORD_SIZE':
      return 'the row is longer than 2 MB: a quotation mark probably opens and does not close'
    default:
      return error.message
  }
}
