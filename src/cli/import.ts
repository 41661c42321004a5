import { lookup } from 'node:dns/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ImportProgress, type ImportReport, importProducts } from '#shop/import-products.ts'
import type { Command, CommandContext } from './command.ts'

const delimiters: Readonly<Record<string, string>> = { tab: '\t', comma: ',', semicolon: ';', pipe: '|' }

export const importCommand: Command = {
  usage: 'import products.csv [--dry-run] [--skip-existing] [--delimiter ";"] [--images folder] [--json]',
  summary: 'Reads products from a CSV file in the format of the WooCommerce product export.',

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
        existing: options['skip-existing'] ? 'skip' : 'update',
        dryRun: options['dry-run'],
        imagesDir: options.images ? resolve(options.images) : dirname(file),
        mediaDir: join(context.dataDir, 'media'),
        lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
      },
      progressTo(context),
    )
    const seconds = Math.round((context.clock.now().getTime() - start) / 100) / 10
    if (options.json) context.print(JSON.stringify({ ...report, seconds, peakMegabytes: context.peakMegabytes() }))
    else tell(report, file, seconds, context)
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
        'update-existing': { type: 'boolean', default: false },
        'skip-existing': { type: 'boolean', default: false },
        delimiter: { type: 'string', default: ',' },
        images: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const [file, ...more] = positionals
    if (!file || more.length > 0) return 'Say which file to import: npm run shop -- import products.csv'
    if (values['update-existing'] && values['skip-existing'])
      return '--update-existing and --skip-existing exclude each other.'
    if ((delimiters[values.delimiter] ?? values.delimiter).length !== 1) return '--delimiter is one character, or tab.'
    return { file: resolve(file), options: values }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const phases = {
  checking: 'Checking',
  pictures: 'Making pictures',
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

function tell(report: ImportReport, file: string, seconds: number, { say, progress }: CommandContext) {
  progress('')
  for (const column of report.ignoredColumns) say(`Nobody reads the column ${column}.`)
  for (const { row, column, value, problem } of report.faults) {
    const place = row > 0 ? `Row ${row}` : file
    say(`${[place, column, value && JSON.stringify(value)].filter(Boolean).join(', ')}: ${problem}`)
  }
  if (report.faultCount > report.faults.length) say(`… and ${report.faultCount - report.faults.length} more.`)
  if (!report.ok) say(`${report.faultCount === 1 ? '1 fault' : `${report.faultCount} faults`}; nothing was imported.`)
  else if (report.dryRun) {
    say(
      `Nothing written. ${report.rows} rows are fine: ${report.created} new, ${report.updated} in the shop, ${report.skipped} to skip.`,
    )
  } else {
    const { rows, created, updated, unchanged, skipped, images } = report
    say(
      `${rows} rows: ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped; ${images} pictures; ${seconds} s.`,
    )
  }
}
