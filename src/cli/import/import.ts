import { lookup } from 'node:dns/promises'
import { dirname, join, resolve } from 'node:path'
import { countImages } from '#database/catalog/image-rows.ts'
import {
  type ImportOptions,
  type ImportProgress,
  type ImportReport,
  importProducts,
} from '#shop/import/import-products.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, jsonOption, singleCommand, textGiven } from '../shared/command-group.ts'
import { wordOf } from '../shared/listing.ts'
import { counted, fail, rejectUsage, warn } from '../shared/messages.ts'

const origins = ['own', 'foreign'] as const
const delimiters: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|' }

/** Notes of an import that are printed without --verbose: a second import of a large file skips every row. */
const shownNotes = 20

export const importCommand = singleCommand('import', {
  usage: '<products.csv> [options]',
  summary:
    'Imports products from a CSV file of the WooCommerce product export. Existing products change with --update only.',
  example: 'products.csv --update --dry-run',
  options: {
    'dry-run': { type: 'boolean', what: 'checks the file and changes nothing' },
    update: { type: 'boolean', what: 'updates products that exist; without it they are skipped' },
    'skip-existing': { type: 'boolean', what: 'skips products that exist, as is usual' },
    ids: { type: 'string', value: 'own|foreign', completes: origins, what: 'whether the IDs are those of this shop' },
    delimiter: {
      type: 'string',
      value: '<character>',
      what: 'between cells: tab, semicolon, pipe or a character; comma',
    },
    images: { type: 'string', value: '<folder>', what: 'where images of the file are; the folder of the file' },
    files: { type: 'string', value: '<folder>', what: 'where downloadable files are' },
    verbose: { type: 'boolean', what: 'lists every ignored column and every skipped row' },
    ...jsonOption,
  },
  words: [1, 1],
  async run([name = ''], given, context) {
    const options = optionsGiven(given)
    if (typeof options === 'string') return rejectUsage(context, options)
    const file = resolve(name)
    const images = textGiven(given.images)
    const files = textGiven(given.files)
    const start = context.clock.now().getTime()
    const report = await importProducts(
      context,
      {
        file,
        ...options,
        existing: given.update ? 'update' : 'skip',
        dryRun: given['dry-run'] === true,
        imagesDir: images ? resolve(images) : dirname(file),
        mediaDir: join(context.dataDir, 'media'),
        filesDir: files ? resolve(files) : undefined,
        downloadsDir: join(context.dataDir, 'downloads'),
        lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      },
      progressTo(context),
    )
    const seconds = Math.round((context.clock.now().getTime() - start) / 100) / 10
    if (given.json) context.print(JSON.stringify({ ...report, seconds, peakMegabytes: context.peakMegabytes() }))
    else {
      printReport(report, file, seconds, given.verbose === true, context)
      if (report.ok && !report.dryRun) await printUnfinishedImages(context)
    }
    return report.ok ? 0 : 1
  },
})

function optionsGiven(given: Given): Pick<ImportOptions, 'ids' | 'delimiter'> | string {
  if (given.update && given['skip-existing']) return '--update and --skip-existing cannot be combined. Use one of them.'
  const ids = wordOf(given.ids, origins)
  if (ids === null)
    return `--ids "${given.ids}" is unknown. Choose own (the IDs of this shop) or foreign (of another shop).`
  const typed = textGiven(given.delimiter) ?? ','
  const delimiter = delimiters[typed] ?? typed
  if (delimiter.length !== 1)
    return `--delimiter "${typed}" is not one character. Choose tab, comma, semicolon, pipe or one character.`
  return { ids, delimiter }
}

const phases = {
  checking: 'Checking',
  pictures: 'Generating images',
  files: 'Copying downloadable files',
  products: 'Writing products',
  references: 'Writing variations and links',
}

function progressTo({ clock, progress }: CommandContext): (step: ImportProgress) => void {
  let phase: ImportProgress['phase'] | null = null
  let since = 0
  return (step) => {
    const now = clock.now().getTime()
    if (step.phase !== phase) {
      phase = step.phase
      since = now
    }
    const seconds = (now - since) / 1000
    const rate = seconds > 0.5 ? `, ${Math.round(step.done / seconds)} a second` : ''
    progress(`${phases[step.phase]}: ${step.done}${step.of === null ? '' : ` of ${step.of}`}${rate}`)
  }
}

function printReport(report: ImportReport, file: string, seconds: number, verbose: boolean, context: CommandContext) {
  const { say, progress } = context
  progress('')
  printIgnoredColumns(report.ignoredColumns, verbose, context)
  const line = ({ row, column, value, problem }: ImportReport['faults'][number]) => {
    const place = row > 0 ? `row ${row}` : file
    return `${[place, column, value && JSON.stringify(value)].filter(Boolean).join(', ')}: ${problem}`
  }
  for (const fault of report.faults) fail(context, line(fault))
  if (!report.ok) {
    const faults = counted(report.faultCount, 'error')
    const shown =
      report.faultCount > report.faults.length ? `, of which the first ${report.faults.length} are shown` : ''
    fail(context, `nothing was imported: ${faults} in ${file}${shown}. Correct the file and import it again.`)
    return
  }
  const notes = verbose ? report.notes : report.notes.slice(0, shownNotes)
  for (const note of notes) warn(context, line(note))
  if (report.noteCount > notes.length) warn(context, `${report.noteCount - notes.length} more (list with --verbose).`)
  const { rows, created, updated, unchanged, skipped, images } = report
  if (report.dryRun) {
    const counts = `${created} would be created, ${updated} updated, ${skipped} skipped`
    say(`Checked ${counted(rows, 'row')}: ${counts}. Nothing was changed.`)
    return
  }
  const sold = report.files > 0 ? `, ${counted(report.files, 'downloadable file')}` : ''
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped`
  say(`Imported ${counted(rows, 'row')} in ${seconds} s: ${counts}; ${counted(images, 'image')}${sold}.`)
}

async function printUnfinishedImages({ db, say }: CommandContext): Promise<void> {
  const { unfinished } = await countImages(db.kysely)
  if (unfinished > 0)
    say(`The shop makes the other sizes of ${counted(unfinished, 'image')} in the background: npm run shop -- images`)
}

function printIgnoredColumns(columns: readonly string[], verbose: boolean, context: CommandContext): void {
  if (verbose || columns.length === 1)
    for (const column of columns) warn(context, `unknown column "${column}" is ignored.`)
  else if (columns.length > 1) warn(context, `${columns.length} unknown columns are ignored (list with --verbose).`)
}
