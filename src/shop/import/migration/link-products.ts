import { join } from 'node:path'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { transaction } from '#database/engine/connect.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { setBrands } from '#database/import/write-relations.ts'
import { idsOfRows, importFile } from './import-staged.ts'
import type { ProductStaging } from './migrate-products.ts'
import type { MigrationRun } from './migration-run.ts'
import { stagedBatches, writeCsv } from './staged-products.ts'

const kind = 'products'
const columns = ['Shop mark', 'ID', 'Grouped products', 'Upsells', 'Cross-sells'] as const

/**
 * Links the products that came: all products have an ID here by now, also those that a link names before its product.
 * The links come in through the importer, as a file of this shop.
 */
export async function linkProducts(run: MigrationRun, staging: ProductStaging): Promise<void> {
  await linkBrands(run, staging)
  const file = join(staging.folder, 'links.csv')
  const rows = await writeCsv(file, columns, linkRows(run, staging))
  if (rows === 0) return
  const report = await importFile(run, staging, file)
  const [fault] = report.faults
  if (!report.ok)
    throw new Error(`links between products cannot be written: ${fault?.column} ${fault?.value} ${fault?.problem}`)
}

async function* linkRows(run: MigrationRun, { staged, file }: ProductStaging): AsyncGenerator<Record<string, string>> {
  const mark = await readShopMark(run.tools().db.kysely)
  // Products that were here before keep their links.
  const unlinked = new Set(await idsOfRows(file))
  for await (const batch of stagedBatches(staged)) {
    const linking = batch.filter(({ links }) => Object.values(links).some((ids) => ids.length > 0))
    const targets = linking.flatMap(({ id, links }) => [id, ...links.grouped, ...links.upsells, ...links.crosssells])
    const known = await run.known(kind, targets)
    for (const { id, links } of linking) {
      const own = known.get(String(id)) ?? null
      if (own === null || !unlinked.delete(id)) continue
      const list = (ids: readonly number[]) =>
        ids
          .flatMap((target) => {
            const linked = known.get(String(target)) ?? null
            if (linked === null)
              run.report.differs(kind, id, `its link to product ${target} is left out: that is not here`)
            return linked === null || linked === own ? [] : [`id:${linked}`]
          })
          .join(', ')
      yield {
        'Shop mark': mark,
        ID: String(own),
        'Grouped products': list(links.grouped),
        Upsells: list(links.upsells),
        'Cross-sells': list(links.crosssells),
      }
    }
  }
}

/** Gives the products that came their brands. */
async function linkBrands(run: MigrationRun, { staged, file }: ProductStaging): Promise<void> {
  const imported = new Set(await idsOfRows(file))
  for await (const batch of stagedBatches(staged)) {
    const branded = batch.filter(({ id, brands }) => brands.length > 0 && imported.has(id))
    if (branded.length === 0) continue
    const products = await run.known(
      kind,
      branded.map(({ id }) => id),
    )
    const brands = await run.known(
      'brands',
      branded.flatMap((product) => product.brands),
    )
    const pairs = branded.flatMap(({ id, brands: wanted }) => {
      const product = products.get(String(id)) ?? null
      return wanted.flatMap((brand) => {
        const other = brands.get(String(brand)) ?? null
        return product === null || other === null ? [] : [{ product, other }]
      })
    })
    const tools = run.tools()
    await transaction(tools, async (tx) => {
      const changed = await setBrands(tx, [...new Set(pairs.map(({ product }) => product))], pairs)
      if (changed.length > 0) await catalogChanged(tx, changed)
    })
  }
}
