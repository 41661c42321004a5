import { lookup } from 'node:dns/promises'
import { dirname, join, resolve } from 'node:path'
import { countImages } from '#database/catalog/image-rows.ts'
import { readColumnMap, writeColumnMap } from '#shop/import/column-map.ts'
import { type ImportOptions, type ImportProgress, importProducts } from '#shop/import/import-products.ts'
import type { FileReading } from '#shop/import/product-file.ts'
import { ProductFileError } from '#shop/import/product-file-error.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, jsonOption, singleCommand, textGiven } from '../shared/command-group.ts'
import { wordOf } from '../shared/listing.ts'
import { counted, fail, rejectUsage } from '../shared/messages.ts'
import { printReport } from './print-report.ts'
import { readingGiven, readingOptions } from './reading-options.ts'

const origins = ['own', 'foreign'] as const
const marks = ['point', 'comma'] as const

export const importCommand = singleCommand('import', {
  usage: '<products.csv> [options]',
  summary:
    'Imports products from an export of WooCommerce or Shopify, or from a spreadsheet saved as CSV. Existing products change with --update only.',
  example: 'products.csv --update --dry-run',
  options: {
    'dry-run': { type: 'boolean', what: 'checks the file and changes nothing' },
    update: { type: 'boolean', what: 'updates products that exist; without it they are skipped' },
    'skip-existing': { type: 'boolean', what: 'skips products that exist, as is usual' },
    'skip-faulty': { type: 'boolean', what: 'imports the good rows and writes the others to <name>.faulty.csv' },
    'allow-without-price': { type: 'boolean', what: 'creates products that have no price, and cannot be bought' },
    ids: { type: 'string', value: 'own|foreign', completes: origins, what: 'whether the IDs are those of this shop' },
    ...readingOptions,
    decimal: { type: 'string', value: 'point|comma', completes: marks, what: 'the decimal mark of prices; guessed' },
    map: { type: 'string', value: '<columns.yaml>', what: 'what the columns of the file mean' },
    guess: { type: 'boolean', what: 'writes such a mapping to <name>.columns.yaml, and imports nothing' },
    images: { type: 'string', value: '<folder>', what: 'where images of the file are; the folder of the file' },
    'fetch-images': { type: 'boolean', what: 'fetches images from other servers' },
    files: { type: 'string', value: '<folder>', what: 'where downloadable files are' },
    verbose: { type: 'boolean', what: 'lists every ignored column and every skipped row' },
    ...jsonOption,
  },
  words: [1, 1],
  async run([name = ''], given, context) {
    const file = resolve(name)
    const options = await optionsGiven(given)
    if ('problem' in options) return rejectUsage(context, options.problem)
    if (given.guess) return guess(file, options, context)
    const images = textGiven(given.images)
    const files = textGiven(given.files)
    const start = context.clock.now().getTime()
    const run = (withoutPrice: 'allow' | 'stop') =>
      importProducts(
        context,
        {
          file,
          ...options,
          delimiter: options.separator,
          existing: given.update ? 'update' : 'skip',
          dryRun: given['dry-run'] === true,
          faultyFile: given['skip-faulty'] ? besides(file, 'faulty.csv') : undefined,
          withoutPrice,
          fetchImages: given['fetch-images'] === true,
          imagesDir: images ? resolve(images) : dirname(file),
          mediaDir: join(context.dataDir, 'media'),
          filesDir: files ? resolve(files) : undefined,
          downloadsDir: join(context.dataDir, 'downloads'),
          lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
        },
        progressTo(context),
      )
    let report = await run(given['allow-without-price'] ? 'allow' : 'stop')
    if (report.withoutPrice && !given.json && !given['dry-run']) {
      const many = counted(report.withoutPrice.count, 'product')
      if ((await context.ask(`Create ${many} without a price? Nobody can buy them before they have one.`)) === true)
        report = await run('allow')
    }
    const seconds = Math.round((context.clock.now().getTime() - start) / 100) / 10
    if (given.json) context.print(JSON.stringify({ ...report, seconds, peakMegabytes: context.peakMegabytes() }))
    else {
      printReport(report, file, seconds, given.verbose === true, context)
      if (report.ok && !report.dryRun) await printUnfinishedImages(context)
    }
    return report.ok ? 0 : 1
  },
})

/** `products.csv` and `faulty.csv`: `products.faulty.csv`. */
function besides(file: string, ending: string): string {
  return `${file.replace(/\.(csv|tsv|txt)$/i, '')}.${ending}`
}

type Options = FileReading & Pick<ImportOptions, 'ids'>

async function optionsGiven(given: Given): Promise<Options | { readonly problem: string }> {
  if (given.update && given['skip-existing'])
    return { problem: '--update and --skip-existing cannot be combined. Use one of them.' }
  const ids = wordOf(given.ids, origins)
  if (ids === null)
    return {
      problem: `--ids "${given.ids}" is unknown. Choose own (the IDs of this shop) or foreign (of another shop).`,
    }
  const decimal = wordOf(given.decimal, marks)
  if (decimal === null)
    return { problem: `--decimal "${given.decimal}" is unknown. Choose point (12.50) or comma (12,50).` }
  const reading = readingGiven(given)
  if ('problem' in reading) return reading
  const mapFile = textGiven(given.map)
  if (mapFile === undefined) return { ids, ...reading, decimal }
  const map = await readColumnMap(resolve(mapFile))
  if (!map.ok) {
    const lines = map.faults.map(({ key, problem }) => `${mapFile}${key === '' ? '' : `, ${key}`}: ${problem}`)
    return { problem: lines.join('\n') }
  }
  return {
    ids,
    encoding: reading.encoding ?? map.reading.encoding,
    separator: reading.separator ?? map.reading.separator,
    decimal: decimal ?? map.reading.decimal,
    map: map.reading.map,
  }
}

async function guess(file: string, options: FileReading, context: CommandContext): Promise<number> {
  const target = besides(file, 'columns.yaml')
  try {
    const { columns, unknown, format } = await writeColumnMap(context, file, options, target)
    if (format === 'shopify') context.say('The file is an export of Shopify: it is imported without a mapping.')
    context.say(
      `Wrote ${target}: ${counted(columns, 'column')}, ${unknown} without a meaning. Correct it, then: npm run shop -- import ${file} --map ${target} --dry-run`,
    )
    return 0
  } catch (error) {
    if (error instanceof ProductFileError) return fail(context, `${file}: ${error.message}`)
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      return fail(context, `${target} exists already. Use it with --map, or remove it and guess again.`)
    throw error
  }
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

async function printUnfinishedImages({ db, say }: CommandContext): Promise<void> {
  const { unfinished } = await countImages(db.kysely)
  if (unfinished > 0)
    say(`The shop makes the other sizes of ${counted(unfinished, 'image')} in the background: npm run shop -- images`)
}
