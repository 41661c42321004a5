import type { ImportReport } from '#shop/import/import-products.ts'
import type { CommandContext } from '../shared/command.ts'
import { counted, fail, warn } from '../shared/messages.ts'

/** Notes of an import that are printed without --verbose: a second import of a large file skips every row. */
const shownNotes = 20
const separatorNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' }
const formatNames = { classic: 'WooCommerce', spreadsheet: 'spreadsheet', shopify: 'Shopify', mapped: 'mapped columns' }

/** Prints the result of an import: how the file was read, its faults, its notes, and one sentence with the figures. */
export function printReport(
  report: ImportReport,
  file: string,
  seconds: number,
  verbose: boolean,
  context: CommandContext,
): void {
  context.progress('')
  printReading(report, context)
  printIgnoredColumns(report.ignoredColumns, verbose, context)
  const line = ({ row, column, value, problem }: ImportReport['faults'][number]) => {
    const place = row > 0 ? `row ${row}` : file
    return `${[place, column, value && JSON.stringify(value)].filter(Boolean).join(', ')}: ${problem}`
  }
  const say = report.ok ? warn : fail
  for (const fault of report.faults) say(context, line(fault))
  if (!report.ok) {
    printRefusal(report, file, context)
    return
  }
  const notes = verbose ? report.notes : report.notes.slice(0, shownNotes)
  for (const note of notes) warn(context, line(note))
  if (report.noteCount > notes.length) warn(context, `${report.noteCount - notes.length} more (list with --verbose).`)
  printSummary(report, seconds, context)
}

function printReading({ reading }: ImportReport, context: CommandContext): void {
  if (!reading) return
  const { format, encoding, encodingIsGuess, separator, decimal } = reading
  if (format === 'classic' && encoding === 'utf-8' && separator === ',' && decimal !== 'comma') return
  const shown = separatorNames[separator] ?? JSON.stringify(separator)
  const figures = decimal === 'comma' ? ', decimal comma' : ''
  context.say(`Format: ${formatNames[format]}, ${encoding.toUpperCase()}, separated by ${shown}${figures}.`)
  if (encodingIsGuess)
    warn(
      context,
      `the encoding ${encoding.toUpperCase()} is a guess. If letters are wrong, state another with --encoding.`,
    )
}

function printRefusal(report: ImportReport, file: string, context: CommandContext): void {
  const { withoutPrice, faults, faultCount } = report
  if (withoutPrice) {
    const { count, rows } = withoutPrice
    const where = `${rows.length > 1 ? 'rows' : 'row'} ${rows.join(', ')}${count > rows.length ? ' …' : ''}`
    fail(
      context,
      `nothing was imported: ${counted(count, 'new product')} would have no price (${where}). Add prices, or create them as they are with --allow-without-price.`,
    )
    return
  }
  // The file itself was named already.
  if (faultCount === 1 && faults[0]?.row === 0) return
  const shown = faultCount > faults.length ? `, of which the first ${faults.length} are shown` : ''
  const skip = report.faulty > 0 ? '' : ', or import the other rows with --skip-faulty'
  fail(
    context,
    `nothing was imported: ${counted(faultCount, 'error')} in ${file}${shown}. Correct the file and import it again${skip}.`,
  )
}

function printSummary(report: ImportReport, seconds: number, context: CommandContext): void {
  const { rows, created, updated, unchanged, skipped, faulty, faultyFile, images } = report
  if (faulty > 0) {
    const where = faultyFile === null ? '' : ` and written to ${faultyFile}. Correct them there and import that file`
    warn(
      context,
      `${counted(faulty, report.reading?.format === 'shopify' ? 'product' : 'row')} with errors ${faulty === 1 ? 'is' : 'are'} left out${where}.`,
    )
  }
  if (report.dryRun) {
    const counts = `${created} would be created, ${updated} updated, ${skipped} skipped`
    context.say(`Checked ${counted(rows, 'row')}: ${counts}. Nothing was changed.`)
    return
  }
  const sold = report.files > 0 ? `, ${counted(report.files, 'downloadable file')}` : ''
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped`
  context.say(`Imported ${counted(rows, 'row')} in ${seconds} s: ${counts}; ${counted(images, 'image')}${sold}.`)
}

function printIgnoredColumns(columns: readonly string[], verbose: boolean, context: CommandContext): void {
  if (verbose || columns.length === 1)
    for (const column of columns) warn(context, `unknown column "${column}" is ignored.`)
  else if (columns.length > 1)
    warn(
      context,
      `${columns.length} unknown columns are ignored (list with --verbose, map them with --guess and --map).`,
    )
}
