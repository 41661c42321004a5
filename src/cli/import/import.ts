import { lookup } from 'node:dns/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { countImages } from '#database/catalog/image-rows.ts'
import { type ImportProgress, type ImportReport, importProducts } from '#shop/import/import-products.ts'
import type { Command, CommandContext } from '../shared/command.ts'

const origins = ['own', 'foreign'] as const
const delimiters: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|' }

export const importCommand: Command = {
  usage:
    'import products.csv [--dry-run] [--update] [--ids own|foreign] [--delimiter ";"] [--images folder] ' +
    '[--files folder] [--json]',
  summary:
    'Reads products from a CSV file in the format of the WooCommerce product export. Products that are here are changed ' +
    'with --update only.',

  async run(args, context) {
    const parsed = parse(args)
    if (typeof parsed === 'string') {
      context.say(parsed)
      return 2
    }
    const { file, options } = parsed
    const start = context.clock.now().getTime()
    const report = await importProducts(
      context,
      {
        file,
        delimiter: delimiters[options.delimiter] ?? options.delimiter,
        existing: options.update ? 'update' : 'skip',
        ids: origins.find((origin) => origin === options.ids),
        dryRun: options['dry-run'],
        imagesDir: options.images ? resolve(options.images) : dirname(file),
        mediaDir: join(context.dataDir, 'media'),
        filesDir: options.files ? resolve(options.files) : undefined,
        downloadsDir: join(context.dataDir, 'downloads'),
        lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      },
      progressTo(context),
    )
    const seconds = Math.round((context.clock.now().getTime() - start) / 100) / 10
    if (options.json) context.print(JSON.stringify({ ...report, seconds, peakMegabytes: context.peakMegabytes() }))
    else {
      tell(report, file, seconds, context)
      const { unfinished } = await countImages(context.db.kysely)
      if (report.ok && !report.dryRun && unfinished > 0)
        context.say(
          `${unfinished} pictures get their other sizes in the background while the shop runs: npm run shop -- images`,
        )
    }
    return report.ok ? 0 : 1
  },
}

function parse(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        update: { type: 'boolean', default: false },
        // What an import does without --update; commands written for earlier versions have it.
        'skip-existing': { type: 'boolean', default: false },
        ids: { type: 'string' },
        delimiter: { type: 'string', default: ',' },
        images: { type: 'string' },
        files: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) return 'Say which file to import: npm run shop -- import products.csv'
    if (values.update && values['skip-existing']) return 'Error: --update and --skip-existing cannot be combined.'
    if (values.ids !== undefined && !origins.some((origin) => origin === values.ids))
      return `Error: --ids ${values.ids}: write own (the IDs are those of this shop) or foreign (of another shop).`
    if ((delimiters[values.delimiter] ?? values.delimiter).length !== 1) return '--delimiter is one character, or tab.'
    return { file: resolve(file), options: values }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const phases = {
  checking: 'Checking',
  pictures: 'Making the first sizes of pictures',
  files: 'Taking in files that are sold',
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

/** A second import of a large file skips all of it. */
const shownNotes = 20

function tell(report: ImportReport, file: string, seconds: number, { say, progress }: CommandContext) {
  progress('')
  for (const column of report.ignoredColumns) say(`Nobody reads the column ${column}.`)
  const line = ({ row, column, value, problem }: ImportReport['faults'][number]) => {
    const place = row > 0 ? `Row ${row}` : file
    return `${[place, column, value && JSON.stringify(value)].filter(Boolean).join(', ')}: ${problem}`
  }
  if (report.ok) {
    for (const note of report.notes.slice(0, shownNotes)) say(line(note))
    if (report.noteCount > shownNotes) say(`… and ${report.noteCount - shownNotes} more.`)
  }
  for (const fault of report.faults) say(line(fault))
  if (report.faultCount > report.faults.length) say(`… and ${report.faultCount - report.faults.length} more.`)
  if (!report.ok) say(`${report.faultCount === 1 ? '1 fault' : `${report.faultCount} faults`}; nothing was imported.`)
  else if (report.dryRun) {
    say(
      `Nothing written. ${report.rows} rows are fine: ${report.created} new, ${report.updated} to update, ${report.skipped} to skip.`,
    )
  } else {
    const sold = report.files > 0 ? `; ${report.files} sold files` : ''
    const { rows, created, updated, unchanged, skipped, images } = report
    say(
      `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped; ${images} pictures${sold}; ${seconds} s.`,
    )
  }
}
