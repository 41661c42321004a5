import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findProducts } from '#database/catalog/write-products.ts'
import { productFinder } from '../product-identity.ts'
import { downloadName, pictureName } from './fetch-product-files.ts'
import type { ProductStaging } from './migrate-products.ts'
import type { MigrationRun } from './migration-run.ts'
import { type StagedProduct, stagedBatches, writeCsv } from './staged-products.ts'

const kind = 'products'
/** Custom fields have a column each. */
const mostMetaColumns = 200
const mostDownloads = 50

/**
 * Writes the product file of the new products. A product whose SKU is here already is recorded and stays as it is, with
 * its variations.
 * @param columns of all staged products
 */
export async function sortStaged(
  run: MigrationRun,
  staging: ProductStaging,
  columns: readonly string[],
): Promise<void> {
  const meta = columns.filter((column) => column.startsWith('Meta: '))
  if (meta.length > mostMetaColumns)
    run.report.differs(kind, '', `of ${meta.length} custom fields the first ${mostMetaColumns} come`)
  const left = new Set(meta.slice(mostMetaColumns))
  const usual = columns.filter((column) => !left.has(column))
  let downloads = 0
  for await (const batch of stagedBatches(staging.staged))
    for (const product of batch) downloads = Math.max(downloads, Math.min(product.downloads.length, mostDownloads))
  const files = Array.from({ length: downloads }, (_, index) => index + 1).flatMap((number) =>
    ['ID', 'name', 'URL'].map((part) => `Download ${number} ${part}`),
  )
  await writeCsv(staging.file, ['ID', 'SKU', ...usual, 'Parent', 'Images', ...files], newRows(run, staging))
}

async function* newRows(run: MigrationRun, staging: ProductStaging): AsyncGenerator<Record<string, string>> {
  const db = run.tools().db.kysely
  const seen = new Set<number>()
  /** Products that were here before the migration: their variations stay as they are. */
  const here = new Set<number>()
  for await (const batch of stagedBatches(staging.staged)) {
    const skus = batch.flatMap(({ sku }) => (sku ? [sku] : []))
    const ids = batch.map(({ id }) => id)
    const finder = productFinder(await findProducts(db, skus, [], { importedIds: ids, anyCase: true }), {
      ids: 'foreign',
      shopMark: '',
    })
    const parents = await parentsHere(run, batch)
    for (const product of batch) {
      const { id, parent, sku, name } = product
      if (seen.has(id)) continue
      seen.add(id)
      const existing = finder.find({ id, sku: sku || null, name })
      if (existing || (parent !== null && here.has(parent))) {
        here.add(id)
        run.report.known(kind)
        run.report.differs(kind, id, `"${name}"${sku && ` (SKU ${sku})`} is here and stays as it is`)
        await run.record(kind, [{ sourceId: String(id), ownId: existing?.id ?? null }])
        continue
      }
      const reference = parent === null ? '' : seen.has(parent) ? `id:${parent}` : (parents.get(parent) ?? null)
      if (reference === null) run.report.left(kind, id, `"${name}" is a new variation of a product without an SKU here`)
      else yield { ...(await rowOf(product, staging)), Parent: reference }
    }
  }
}

/** Returns the SKUs here of products that came earlier, by their IDs at the source: new variations refer to them. */
async function parentsHere(run: MigrationRun, batch: readonly StagedProduct[]): Promise<Map<number, string>> {
  const parents = batch.flatMap(({ parent }) => (parent === null ? [] : [parent]))
  const known = await run.known(kind, parents)
  const ids = [...known.values()].filter((id) => id !== null)
  const skus = new Map((await findProducts(run.tools().db.kysely, [], ids)).map(({ id, sku }) => [id, sku]))
  return new Map(
    parents.flatMap((parent) => {
      const sku = skus.get(known.get(String(parent)) ?? 0)
      return sku ? [[parent, sku] as const] : []
    }),
  )
}

async function rowOf(
  product: StagedProduct,
  { folder, downloadsDir }: ProductStaging,
): Promise<Record<string, string>> {
  const row: Record<string, string> = { ...product.cells, ID: String(product.id), SKU: product.sku }
  const pictures: string[] = []
  for (const address of product.images) {
    const name = pictureName(address)
    if (await stat(join(folder, name)).catch(() => null)) pictures.push(name)
  }
  row.Images = pictures.join(', ')
  let number = 0
  for (const { id, name, url } of product.downloads) {
    const path = downloadName(url)
    if (number === mostDownloads || !(await stat(join(downloadsDir, path)).catch(() => null))) continue
    number += 1
    Object.assign(row, {
      [`Download ${number} ID`]: id,
      [`Download ${number} name`]: name,
      [`Download ${number} URL`]: path,
    })
  }
  return row
}
