import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse'

/** Row numbers are those of a spreadsheet: the header is row 1. */
export type CsvRow = { readonly row: number; readonly cells: readonly string[] }

/** The file as a whole cannot be read beyond `row`. */
export class ProductFileError extends Error {
  readonly row: number
  readonly column: string
  constructor(row: number, problem: string, column = '') {
    super(problem)
    this.name = 'ProductFileError'
    this.row = row
    this.column = column
  }
}

const longestRecord = 2_000_000
const bomOfUtf16 = new Set(['fffe', 'feff'])

/**
 * Streams the rows of a CSV file: memory does not grow with the file.
 * @throws ProductFileError when the text is not UTF-8, contains NUL, or has unbalanced quotation marks.
 */
export async function* csvRows(file: string, delimiter: string): AsyncGenerator<CsvRow> {
  await refuseUnreadable(file)
  const source = createReadStream(file, { highWaterMark: 64 * 1024 })
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
  })
  // Disk errors reach the loop below through the parser.
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let row = 0
  try {
    // With `info` the parser yields pairs of this shape.
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { records: number; empty_lines: number }
    }>) {
      row = info.records + info.empty_lines
      const damaged = record.findIndex((cell) => cell.includes('\uFFFD') || cell.includes('\0'))
      if (damaged >= 0) throw damage(row, damaged, record[damaged] ?? '')
      if (record.some((cell) => cell.trim() !== '')) yield { row, cells: record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ProductFileError(rowOf(error) ?? row + 1, quotingProblem(error))
    throw error
  } finally {
    source.destroy()
    parser.destroy()
  }
  if (row === 0) throw new ProductFileError(1, 'the file is empty')
}

async function refuseUnreadable(file: string) {
  const facts = await stat(file).catch(() => null)
  if (!facts) throw new ProductFileError(0, `there is no file ${file}`)
  if (!facts.isFile()) throw new ProductFileError(0, `${file} is not a file`)
  await using handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
  if (bytesRead === 0) throw new ProductFileError(1, 'the file is empty')
  if (bomOfUtf16.has(buffer.toString('hex'))) {
    throw new ProductFileError(1, 'the file is UTF-16; save it as "CSV UTF-8" and import that')
  }
}

/**
 * The decoder inserts U+FFFD for bytes that are not UTF-8; in a file that contains it already, an earlier conversion
 * caused the damage.
 */
function damage(row: number, index: number, cell: string): ProductFileError {
  const column = `column ${index + 1}`
  if (cell.includes('\0'))
    return new ProductFileError(row, 'holds a NUL byte; the file is damaged or not a text file', column)
  const around = cell.slice(Math.max(0, cell.indexOf('\uFFFD') - 12), cell.indexOf('\uFFFD') + 12)
  return new ProductFileError(
    row,
    `is not UTF-8 near "${around}"; save the file as "CSV UTF-8" and import that`,
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
    case 'CSV_INVALID_CLOSING_QUOTE':
    case 'INVALID_OPENING_QUOTE':
      return `a quotation mark is out of place near line ${error.lines ?? '?'}; inside a quoted cell it is written twice`
    default:
      return error.message
  }
}
