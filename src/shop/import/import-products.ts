import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { keepIdsFree } from '#database/catalog/write-products.ts'
import { advisoryLocks } from '#database/engine/advisory-locks.ts'
import { transaction } from '#database/engine/connect.ts'
import { batches, checkProducts, type ImportPlan } from './check-products.ts'
import { faultList, type ImportFault } from './import-faults.ts'
import type { ImportTools } from './import-tools.ts'
import { importSoldFiles, type ProductFilePlaces } from './product-files.ts'
import type { IdOrigin } from './product-identity.ts'
import { convertImages, type ImagePlaces } from './product-images.ts'
import { termFinder } from './product-terms.ts'
import { csvRows, ProductFileError } from './read-product-rows.ts'
import { type BatchResult, type WriteContext, writeProducts, writeReferences } from './write-products.ts'

export type ImportOptions = ImagePlaces &
  ProductFilePlaces & {
    readonly file: string
    readonly delimiter: string
    /** How to treat a row of an existing product. */
    readonly existing: 'update' | 'skip'
    /** The origin of the file's IDs; undefined: by the mark of each row. */
    readonly ids?: IdOrigin | undefined
    /** Validates everything, writes nothing. */
    readonly dryRun: boolean
  }

export type ImportProgress = {
  readonly phase: 'checking' | 'pictures' | 'files' | 'products' | 'references'
  readonly done: number
  readonly of: number | null
}

export type ImportReport = {
  readonly ok: boolean
  readonly dryRun: boolean
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly skipped: number
  readonly images: number
  /** Number of imported downloadable files. */
  readonly files: number
  readonly ignoredColumns: readonly string[]
  /** The first ones; `faultCount` counts all. */
  readonly faults: readonly ImportFault[]
  readonly faultCount: number
  /** Rows that are skipped, or whose ID is not used; the first ones, and their number. */
  readonly notes: readonly ImportFault[]
  readonly noteCount: number
}

/**
 * Imports a product file. It is read three times, row by row: to validate it, to write products, to write references
 * between products. With any error nothing is written. Each batch is one transaction, and a repeated import of the same
 * file changes nothing.
 */
export async function importProducts(
  tools: ImportTools,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const faults = faultList()
  const notes = faultList()
  const stamp = await stampOf(options.file)
  const plan = await checkProducts(tools, { ...options, places: options }, faults, notes, (done) =>
    onProgress({ phase: 'checking', done, of: null }),
  )
  const report = (counts: Partial<ImportReport>): ImportReport => ({
    ok: faults.count === 0,
    dryRun: options.dryRun,
    rows: plan?.rows ?? 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    images: plan?.images.size ?? 0,
    files: 0,
    ignoredColumns: plan?.layout.ignored ?? [],
    faults: faults.list,
    faultCount: faults.count,
    notes: notes.list,
    noteCount: notes.count,
    ...counts,
  })
  if (!plan || faults.count > 0) return report({})
  if (options.dryRun) {
    return report({ created: plan.create, [options.existing === 'skip' ? 'skipped' : 'updated']: plan.existing })
  }

  const images = await convertImages(
    tools,
    plan.images,
    options,
    (value, { row }, problem) => faults.add({ row, column: 'Images', value, problem }),
    (done, of) => onProgress({ phase: 'pictures', done, of }),
  )
  const files = await importSoldFiles(
    tools,
    plan.files,
    options,
    (value, { row, column }, problem) => faults.add({ row, column, value, problem }),
    (done, of) => onProgress({ phase: 'files', done, of }),
  )
  if (faults.count > 0) return report({})

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
    for await (const batch of batches(productRows(plan, options))) {
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
  return report({
    files: new Set(files.values()).size,
    created: created.size,
    updated,
    unchanged: plan.rows - created.size - updated - skipped.size,
    skipped: skipped.size,
  })
}

async function* productRows({ rows: expected }: ImportPlan, { file, delimiter }: ImportOptions) {
  const rows = csvRows(file, delimiter)
  await rows.next()
  let seen = 0
  for await (const row of rows) {
    seen += 1
    yield row
  }
  if (seen !== expected) throw new ProductFileError(0, 'the file changed during the import')
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
