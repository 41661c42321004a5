import { type FileHandle, open } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { faultTitle } from '#contract/import/formats/column-format.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import { type ColumnTitles, type RowFault, type TextRow, titleFinder } from '#contract/shared/record-csv.ts'
import type { RecordImportOptions, RecordImportReport } from '#shop/import/import-records.ts'
import type { Table } from '#shop/import/read-product-rows.ts'
import { recordRows } from '#shop/import/read-record-file.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, jsonOption, type Options, type SubCommand } from '../shared/command-group.ts'
import { counted, fail, rejectUsage, warn } from '../shared/messages.ts'
import { readingGiven, readingOptions } from './reading-options.ts'

/** Notes of an import that are printed without --verbose. */
const shownNotes = 20

const options = {
  'dry-run': { type: 'boolean', what: 'checks the file and changes nothing' },
  update: { type: 'boolean', what: 'updates those that exist; without it they are skipped' },
  'skip-faulty': { type: 'boolean', what: 'imports the rows without errors, and writes the others to a file' },
  ...readingOptions,
  verbose: { type: 'boolean', what: 'lists every ignored column and every note' },
  ...jsonOption,
} as const satisfies Options

/** A command that imports one kind of record. */
export function recordImport(kind: {
  readonly summary: string
  readonly example: string
  readonly options: Options
  /** The titles that such a file has. */
  readonly titles: ColumnTitles<string>
  /** The name of one record: `coupon`. */
  readonly one: string
  use(
    context: CommandContext,
    rows: AsyncIterable<TextRow>,
    options: RecordImportOptions,
    given: Given,
  ): Promise<RecordImportReport>
}): SubCommand {
  return {
    usage: '<file.csv> [options]',
    summary: kind.summary,
    example: kind.example,
    options: { ...kind.options, ...options },
    words: [1, 1],
    async run([name = ''], given, context) {
      const reading = readingGiven(given)
      if ('problem' in reading) return rejectUsage(context, reading.problem)
      const file = resolve(name)
      const faultyFile = `${file.slice(0, file.length - extname(file).length)}.faulty.csv`
      await using faulty = faultyRows(faultyFile)
      const report = await kind.use(
        context,
        recordRows(file, reading, titleFinder(kind.titles), (table) => printEncoding(table, context)),
        {
          existing: given.update ? 'update' : 'skip',
          skipFaulty: given['skip-faulty'] === true,
          dryRun: given['dry-run'] === true,
          onFaulty: (row, reason) => faulty.add(row, reason),
          onProgress: (rows) => context.progress(`Reading: ${rows}`),
        },
        given,
      )
      if (given.json) context.print(JSON.stringify(report))
      else printReport(report, { file, faultyFile, one: kind.one, verbose: given.verbose === true }, context)
      return report.ok ? 0 : 1
    },
  }
}

/** Writes faulty rows to a file, which is created with the first of them. */
function faultyRows(file: string): AsyncDisposable & { add(row: TextRow, reason: string): Promise<void> } {
  let handle: FileHandle | null = null
  let header: string | null = null
  let width: number | null = null
  return {
    async add({ cells }, reason) {
      width ??= cells.at(-1)?.trim() === faultTitle ? cells.length - 1 : cells.length
      const own = Array.from({ length: width }, (_, at) => cells[at] ?? '')
      const line = `${csvLine([...own, reason])}\n`
      if (header === null) {
        header = `\uFEFF${line}`
        return
      }
      // Readable by the owner only: it holds personal data.
      handle ??= await open(file, 'w', 0o600)
      await handle.write(header === '' ? line : header + line)
      header = ''
    },
    async [Symbol.asyncDispose]() {
      await handle?.close()
    },
  }
}

function printEncoding({ encoding, isGuess }: Table, context: CommandContext): void {
  if (isGuess)
    warn(
      context,
      `the encoding ${encoding.toUpperCase()} is a guess. If letters are wrong, state another with --encoding.`,
    )
}

type Printed = { readonly file: string; readonly faultyFile: string; readonly one: string; readonly verbose: boolean }

function printReport(
  report: RecordImportReport,
  { file, faultyFile, one, verbose }: Printed,
  context: CommandContext,
): void {
  const { say, progress } = context
  progress('')
  printIgnored(report.ignoredColumns, verbose, context)
  const line = ({ row, column, value, problem }: RowFault) => {
    const place = row > 0 ? `row ${row}` : file
    return `${[place, column, value && JSON.stringify(value)].filter(Boolean).join(', ')}: ${problem}`
  }
  const print = report.ok ? warn : fail
  for (const fault of report.faults) print(context, line(fault))
  if (!report.ok) {
    const shown =
      report.faultCount > report.faults.length ? `, of which the first ${report.faults.length} are shown` : ''
    fail(
      context,
      `nothing was imported: ${counted(report.faultCount, 'error')} in ${file}${shown}. Correct the file, or import the other rows with --skip-faulty.`,
    )
    return
  }
  const notes = verbose ? report.notes : report.notes.slice(0, shownNotes)
  for (const note of notes) warn(context, line(note))
  if (report.noteCount > notes.length) warn(context, `${report.noteCount - notes.length} more (list with --verbose).`)
  const { rows, created, updated, unchanged, skipped, faulty } = report
  const read = counted(rows, 'row')
  if (report.dryRun) {
    const counts = `${created} would be created, ${updated} updated, ${skipped} skipped`
    say(`Checked ${read}: ${counts}, ${counted(faulty, 'row')} with errors. Nothing was changed.`)
    return
  }
  const names = counted(created, one)
  say(`Imported ${read}: ${names} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped.`)
  if (faulty > 0) warn(context, `${counted(faulty, 'row')} with errors: ${faultyFile}. Correct and import that file.`)
}

function printIgnored(columns: readonly string[], verbose: boolean, context: CommandContext): void {
  if (verbose || columns.length === 1)
    for (const column of columns) warn(context, `unknown column "${column}" is ignored.`)
  else if (columns.length > 1) warn(context, `${columns.length} unknown columns are ignored (list with --verbose).`)
}
