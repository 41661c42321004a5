import { findProducts } from '#database/catalog/write-products.ts'
import { importProducts } from '../import-products.ts'
import { productFinder } from '../product-identity.ts'
import { csvRows } from '../read-product-rows.ts'
import type { ProductStaging } from './migrate-products.ts'
import { type MigrationRun, stopAtFaults } from './migration-run.ts'
import { stagedBatches, writeCsv } from './staged-products.ts'

const kind = 'products'

/**
 * Imports the product file of a migration. A run that was killed repeats it: all rows are of products that were not here
 * when it began. Faulty rows are left out with `skipFaulty`, and so are variations of a faulty product.
 */
export async function importStaged(run: MigrationRun, staging: ProductStaging): Promise<void> {
  const { dryRun, skipFaulty } = run.options
  for (;;) {
    const rows = await idsOfRows(staging.file)
    if (rows.length === 0) return
    const report = await importFile(run, staging, staging.file, dryRun)
    if (report.ok) break
    const faulty = new Set<number>()
    for (const { row, column, value, problem } of report.faults) {
      const id = rows[row - 2]
      if (id === undefined) throw new Error(`the staged products cannot be imported: ${column} ${problem}`)
      if (!faulty.has(id))
        run.report.fault(kind, id, [column, value && JSON.stringify(value), problem].filter(Boolean).join(' '))
      faulty.add(id)
    }
    stopAtFaults(run)
    if (!skipFaulty && !dryRun) return
    await withoutRows(staging.file, faulty)
  }
  await recordImported(run, staging)
}

/** Imports a product file with the places of a migration. */
export async function importFile(run: MigrationRun, staging: ProductStaging, file: string, dryRun = false) {
  const { lookup } = run.options
  return importProducts(
    run.tools(),
    {
      file,
      delimiter: ',',
      encoding: 'utf-8',
      decimal: 'point',
      existing: 'update',
      ...(file === staging.file ? { ids: 'foreign' as const } : {}),
      dryRun,
      imagesDir: staging.folder,
      mediaDir: staging.mediaDir,
      filesDir: staging.folder,
      downloadsDir: staging.downloadsDir,
      lookup,
    },
    ({ phase, done, of }) => run.progress({ kind: phase, done, of }),
  )
}

/** Returns the IDs at the source of the rows of a product file, in their order. */
export async function idsOfRows(file: string): Promise<number[]> {
  const ids: number[] = []
  for await (const { row, cells } of csvRows(file, ',')) if (row > 1) ids.push(Number(cells[0]))
  return ids
}

async function withoutRows(file: string, excluded: ReadonlySet<number>): Promise<void> {
  const rows = csvRows(file, ',')
  const { value: header } = await rows.next()
  const columns: readonly string[] = header?.cells ?? []
  async function* others() {
    for await (const { cells } of rows) {
      if (!excluded.has(Number(cells[0])))
        yield Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
    }
  }
  await writeCsv(file, columns, others())
}

/** Records the own IDs of the imported products. A dry run records that they would come. */
async function recordImported(run: MigrationRun, staging: ProductStaging): Promise<void> {
  const imported = new Set(await idsOfRows(staging.file))
  for await (const batch of stagedBatches(staging.staged)) {
    const products = [...new Map(batch.map((product) => [product.id, product])).values()].filter(({ id }) =>
      imported.delete(id),
    )
    if (run.options.dryRun) {
      // Any number other than null: coupons and orders may refer to the product.
      await run.record(
        kind,
        products.map(({ id }) => ({ sourceId: String(id), ownId: id })),
      )
    } else {
      const skus = products.flatMap(({ sku }) => (sku ? [sku] : []))
      const ids = products.map(({ id }) => id)
      const found = await findProducts(run.tools().db.kysely, skus, [], { importedIds: ids, anyCase: true })
      const finder = productFinder(found, { ids: 'foreign', shopMark: '' })
      await run.record(
        kind,
        products.flatMap(({ id, sku, name }) => {
          const own = finder.find({ id, sku: sku || null, name })
          return own ? [{ sourceId: String(id), ownId: own.id }] : []
        }),
      )
    }
    const variations = products.filter(({ parent }) => parent !== null).length
    run.report.added('variations', variations)
    run.report.added(kind, products.length - variations)
  }
}
