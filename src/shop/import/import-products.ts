import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { ImportFormat } from '#contract/import/formats/import-format.ts'
import { keepIdsFree } from '#database/catalog/write-products.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { transaction } from '#database/engine/connect.ts'
import { batches, type ImportPlan, includedRows } from './check-products.ts'
import type { ImportFault } from './import-faults.ts'
import type { ImportTools } from './import-tools.ts'
import { prepareImport } from './prepare-import.ts'
import type { FileReading } from './product-file.ts'
import { ProductFileError } from './product-file-error.ts'
import type { ProductFilePlaces } from './product-files.ts'
import type { IdOrigin } from './product-identity.ts'
import type { ImagePlaces } from './product-images.ts'
import { termFinder } from './product-terms.ts'
import { writeFaultyRows } from './write-faulty-rows.ts'
import { type BatchResult, type WriteContext, writeProducts, writeReferences } from './write-products.ts'

export type ImportOptions = ImagePlaces &
  ProductFilePlaces &
  Omit<FileReading, 'separator'> & {
    readonly file: string
    /** The separator of cells; undefined is guessed. */
    readonly delimiter?: string | undefined
    /** How to treat a row of an existing product. */
    readonly existing: 'update' | 'skip'
    /** The origin of the file's IDs; undefined: by the mark of each row. */
    readonly ids?: IdOrigin | undefined
    /** Validates everything, writes nothing. */
    readonly dryRun: boolean
    /** Imports the rows without faults and writes the others to this file; undefined: a fault stops the import. */
    readonly faultyFile?: string | undefined
    /** How to treat a file that creates products without a price; default: import it. */
    readonly withoutPrice?: 'allow' | 'stop'
    /** Fetches images from other servers, whatever the setting `remoteImages` is. */
    readonly fetchImages?: boolean
  }

export type ImportProgress = {
  readonly phase: 'checking' | 'pictures' | 'files' | 'products' | 'references'
  readonly done: number
  readonly of: number | null
}

export type ImportReport = {
  readonly ok: boolean
  readonly dryRun: boolean
  /** How the file was read; null: it could not be. */
  readonly reading: {
    readonly format: ImportFormat['name']
    readonly encoding: string
    /** True if neither the file nor the caller states the encoding. */
    readonly encodingIsGuess: boolean
    readonly separator: string
    readonly decimal: FileReading['decimal']
    /** English titles by the titles of the file, where they differ. */
    readonly columns: Readonly<Record<string, string>>
  } | null
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  /** Rows left out for their faults, and the file that has them. */
  readonly faulty: number
  readonly faultyFile: string | null
  readonly images: number
  /** Number of imported downloadable files. */
  readonly files: number
  /** Products that would be created without a price, and the first of their rows; the import stopped for them. */
  readonly withoutPrice: { readonly count: number; readonly rows: readonly number[] } | null
  readonly ignoredColumns: readonly string[]
  /** The first ones; `faultCount` counts all. */
  readonly faults: readonly ImportFault[]
  readonly faultCount: number
  /** Rows that are skipped, or whose values are changed; the first ones, and their number. */
  readonly notes: readonly ImportFault[]
  readonly noteCount: number
}

/**
 * Imports a product file: an export of the classic shop in eleven languages or of Shopify, or a spreadsheet. It is read
 * three times, row by row: to validate it, to write products, to write references between products. With any error nothing
 * is written, unless faulty rows are to be left out. Each batch is one transaction, and a repeated import of the same file
 * changes nothing.
 */
export async function importProducts(
  tools: ImportTools,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const stamp = await stampOf(options.file)
  const { plan, source, faults, notes, excluded, images, files } = await prepareImport(tools, options, onProgress)
  const report = (counts: Partial<ImportReport>): ImportReport => ({
    ok: false,
    dryRun: options.dryRun,
    reading: source && {
      format: source.format.name,
      encoding: source.table.encoding,
      encodingIsGuess: source.table.isGuess,
      separator: source.table.separator,
      decimal: source.mark,
      columns: Object.fromEntries([...source.format.titles].map(([title, own]) => [own, title])),
    },
    rows: plan?.rows ?? 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    faulty: excluded.size,
    faultyFile: null,
    images: plan?.images.size ?? 0,
    files: 0,
    withoutPrice: null,
    ignoredColumns: source?.format.ignored ?? [],
    faults: faults.list,
    faultCount: faults.count,
    notes: notes.list,
    noteCount: notes.count,
    ...counts,
  })
  if (!plan || !source) return report({})
  if (options.withoutPrice === 'stop' && plan.withoutPrice > 0)
    return report({ withoutPrice: { count: plan.withoutPrice, rows: plan.rowsWithoutPrice } })
  if (options.dryRun) {
    const existing = options.existing === 'skip' ? 'skipped' : 'updated'
    return report({ ok: true, created: plan.create, [existing]: plan.existing })
  }

  if ((await stampOf(options.file)) !== stamp) throw new ProductFileError(0, 'the file changed during the import')
  const context: WriteContext = {
    plan,
    images,
    files,
    terms: termFinder(tools.settings.language),
    skipExisting: options.existing === 'skip',
    now: tools.clock.now(),
  }
  if (plan.largestId > 0) await keepIdsFree(tools.db.kysely, plan.largestId)
  const created = new Set<number>()
  const changed = new Set<number>()
  const skipped = new Set<number>()
  const rounds = [
    { phase: 'products', write: writeProducts },
    { phase: 'references', write: writeReferences },
  ] as const
  for (const { phase, write } of plan.hasReferences ? rounds : rounds.slice(0, 1)) {
    let done = 0
    for await (const batch of batches(productRows(plan))) {
      const result = await inTransaction(tools, context, (tx) => write(tx, batch, context, created))
      for (const id of result.created) created.add(id)
      for (const id of result.changed) changed.add(id)
      for (const id of result.skipped) skipped.add(id)
      done += batch.length
      onProgress({ phase, done, of: plan.rows })
    }
  }
  // The query planner needs statistics; without this the first visitors after a large import get poor plans.
  if (created.size > 100)
    await sql`analyze products, product_categories, product_tags, product_images`.execute(tools.db.kysely)
  const updated = [...changed].filter((id) => !created.has(id)).length
  const { faultyFile } = options
  if (faultyFile !== undefined && excluded.size > 0) await writeFaultyRows(source, excluded, faultyFile)
  return report({
    ok: true,
    faultyFile: excluded.size > 0 ? (faultyFile ?? null) : null,
    files: new Set(files.values()).size,
    created: created.size,
    updated,
    unchanged: plan.rows - created.size - updated - skipped.size,
    skipped: skipped.size,
  })
}

async function* productRows(plan: ImportPlan) {
  let seen = 0
  for await (const row of includedRows(plan)) {
    seen += 1
    yield row
  }
  if (seen !== plan.rows) throw new ProductFileError(0, 'the file changed during the import')
}

/**
 * Runs a batch in a transaction. Two concurrent imports would deadlock on each other's rows: an advisory lock
 * serializes their batches.
 */
async function inTransaction(
  tools: ImportTools,
  { terms }: WriteContext,
  work: (tx: Parameters<typeof writeProducts>[0]) => Promise<BatchResult>,
): Promise<BatchResult> {
  return transaction(tools, async (tx) => {
    try {
      await sql`select pg_advisory_xact_lock(${advisoryLocks.productImport})`.execute(tx)
      return await work(tx)
    } catch (error) {
      terms.forget()
      throw error
    }
  })
}

async function stampOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => null)
  return facts ? `${facts.size} ${facts.mtimeMs}` : ''
}
