import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type SourceProduct, sourceProduct, sourceVariation } from '#contract/import/source/source-products.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { sha256 } from '../../shared/digest.ts'
import { fetchProductFiles } from './fetch-product-files.ts'
import { importStaged } from './import-staged.ts'
import { linkProducts } from './link-products.ts'
import { byId, type MigrationRun, sinceQuery, sourcePages, stopAtFaults } from './migration-run.ts'
import { isKnownType, type ProductFacts, stagedProduct, stagedVariation } from './product-cells.ts'
import { sortStaged } from './sort-staged.ts'
import { categoryPaths, type SourceFacts } from './source-facts.ts'
import { appendStaged, type StagedProduct } from './staged-products.ts'

const kind = 'products'

/** Places of the files of one migration of products. */
export type ProductStaging = {
  readonly folder: string
  /** Products as they were read. */
  readonly staged: string
  /** The product file for the importer. */
  readonly file: string
  readonly mediaDir: string
  readonly downloadsDir: string
}

const readState = z.object({
  /** Length of the staged products after the last complete page. */
  length: z.number().int().default(0),
  columns: z.array(z.string()).default([]),
})

/**
 * Brings products and variations. They are read page by page into a file, with their pictures beside it, and then come
 * in through the importer of product files: the same rules hold for both. Each phase is saved and can be repeated.
 */
export async function migrateProducts(run: MigrationRun, facts: SourceFacts): Promise<void> {
  const { dryRun } = run.options
  const staging = stagingOf(run)
  if (dryRun) await rm(staging.folder, { recursive: true, force: true })
  let { phase } = run.position(kind)
  // The folder may have been deleted since.
  if (phase !== 'done' && phase !== 'reading' && !(await stat(staging.staged).catch(() => null))) phase = 'reading'
  const next = async (later: string) => {
    phase = later
    await run.savePosition(kind, { ...run.position(kind), phase })
  }
  if (phase === 'reading') {
    await readProducts(run, facts, staging)
    await next('files')
  }
  if (phase === 'files') {
    if (!dryRun) await fetchProductFiles(run, staging.staged, staging)
    await next('sorting')
  }
  if (phase === 'sorting') {
    await sortStaged(run, staging, readState.parse(run.position(kind).state).columns)
    await next('importing')
  }
  if (phase === 'importing') {
    await importStaged(run, staging)
    await next('linking')
  }
  if (phase === 'linking') {
    if (!dryRun) await linkProducts(run, staging)
    await next('done')
  }
  await rm(staging.folder, { recursive: true, force: true })
}

/** Deletes the files of an unfinished migration. */
export async function dropStagedProducts(run: MigrationRun): Promise<void> {
  await rm(stagingOf(run).folder, { recursive: true, force: true })
}

function stagingOf({ options: { dataDir, dryRun }, source }: MigrationRun): ProductStaging {
  const name = sha256(source.location.name).slice(0, 16)
  const folder = join(dataDir, 'migration', dryRun ? `${name}-dry-run` : name)
  return {
    folder,
    staged: join(folder, 'products.jsonl'),
    file: join(folder, 'products.csv'),
    mediaDir: join(dataDir, 'media'),
    downloadsDir: join(dataDir, 'downloads'),
  }
}

async function readProducts(run: MigrationRun, facts: SourceFacts, { staged: file }: ProductStaging): Promise<void> {
  const rules = await productRules(run, facts)
  const { nextPage, state } = run.position(kind)
  let { length, columns } = readState.parse(state)
  const hasFile = (await stat(file).catch(() => null)) !== null
  if (!hasFile) length = 0
  // A page earlier, as records may have moved up; what is read twice is dropped later.
  const firstPage = hasFile ? Math.max(1, nextPage - 1) : 1
  const options = { kind, path: 'products', query: { ...byId, ...sinceQuery(run) } }
  for await (const { page, records } of sourcePages(run, options, sourceProduct, firstPage)) {
    const products: StagedProduct[] = []
    for (const record of records) products.push(...(await stagedWithVariations(run, record, rules)))
    stopAtFaults(run)
    columns = [...new Set([...columns, ...products.flatMap(({ cells }) => Object.keys(cells))])]
    length = await appendStaged(file, length, products)
    await run.savePosition(kind, { nextPage: page + 1, phase: 'reading', state: { length, columns } })
  }
  // A shop without products has a file as well.
  if (length === 0) await appendStaged(file, 0, [])
}

/** Returns the rules of conversion; each product adds its own function for differences. */
async function productRules(run: MigrationRun, facts: SourceFacts): Promise<Omit<ProductFacts, 'differs'>> {
  const settings = await facts.settings()
  const own = run.tools().settings
  const unit = (id: string, known: readonly string[], usual: string) => {
    const given = settings.get(id)
    return typeof given === 'string' && known.includes(given) ? given : usual
  }
  const attributes = await facts.attributes()
  return {
    decimals: currencyExponent(own.currency),
    timeZone: own.timeZone,
    weightUnit: unit('woocommerce_weight_unit', ['kg', 'g', 'lbs', 'oz'], 'kg'),
    sizeUnit: unit('woocommerce_dimension_unit', ['m', 'cm', 'mm', 'in', 'yd'], 'cm'),
    categoryPaths: categoryPaths(await facts.categories()),
    termNames: new Map(
      attributes.flatMap(({ id, terms }) => terms.map(({ slug, name }) => [`${id}:${slug}`, name] as const)),
    ),
  }
}

async function stagedWithVariations(
  run: MigrationRun,
  record: SourceProduct,
  rules: Omit<ProductFacts, 'differs'>,
): Promise<StagedProduct[]> {
  const { report } = run
  const known = await run.known(kind, [record.id, ...record.variations])
  const isKnown = known.has(String(record.id))
  if (isKnown) report.known(kind)
  if (isKnown && record.variations.every((id) => known.has(String(id)))) return []
  if (!isKnownType(record.type)) {
    report.left(kind, record.id, `"${record.name}" has the type "${record.type}", which does not exist here`)
    return []
  }
  const differencesOf = (id: number) => ({ ...rules, differs: (text: string) => report.differs(kind, id, text) })
  // A product that came before is looked at for its new variations only.
  const product = stagedProduct(record, isKnown ? { ...rules, differs: () => {} } : differencesOf(record.id))
  const staged = isKnown ? [] : [product]
  if (record.type !== 'variable') return staged
  const options = { kind: 'variations', path: `products/${record.id}/variations`, query: byId }
  for await (const { records } of sourcePages(run, options, sourceVariation)) {
    for (const variation of records) {
      if (known.has(String(variation.id))) report.known('variations')
      else staged.push(stagedVariation(product, record.attributes, variation, differencesOf(variation.id)))
    }
  }
  return staged
}
