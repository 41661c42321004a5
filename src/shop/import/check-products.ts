import type { ProductReference } from '#contract/import/product-csv-cells.ts'
import { type ProductCsvLayout, productCsvLayout } from '#contract/import/product-csv-columns.ts'
import type { RowAttribute } from '#contract/import/product-csv-lists.ts'
import { type ProductRow, productRow, type RowRules } from '#contract/import/product-csv-row.ts'
import { type ExistingProduct, findProducts } from '#database/catalog/write-products.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { hasProgram } from '../catalog/clean-markup.ts'
import {
  checkParent,
  checkReferences,
  type Pending,
  referenceText,
  type SeenRow,
  wantsStored,
} from './check-references.ts'
import { isRemote } from './fetch-remote-file.ts'
import type { FaultList } from './import-faults.ts'
import type { ImportTools } from './import-tools.ts'
import { rowRules } from './product-columns.ts'
import type { ProductFile, ProductFileRow } from './product-file.ts'
import { ProductFileError } from './product-file-error.ts'
import { type FileUse, fileProblem, type ProductFilePlaces } from './product-files.ts'
import {
  type IdOrigin,
  idProblem,
  isOwnRow,
  keysOf,
  type ProductFinder,
  productFinder,
  rowIdKey,
  shownProduct,
  targetKey,
  typeProblem,
} from './product-identity.ts'
import { fetchedBefore, type ImagePlaces, type ImageUse, imageProblem } from './product-images.ts'
import { attributeSlugs } from './product-terms.ts'
import { attributesOfRow } from './product-variations.ts'

/** A larger file would exceed the memory of an import. */
const mostRows = 500_000
/** A batch ends at either limit: many small rows, or a few with long texts. */
const batchRows = 500
const batchCharacters = 1_000_000
/** Rows that a message names. */
const shownRows = 10

export type ImportPlan = {
  readonly source: ProductFile
  /** Rows of the file that are left out, for they have faults. */
  readonly excluded: ReadonlySet<number>
  readonly layout: ProductCsvLayout
  readonly rules: RowRules
  readonly ids: IdOrigin | undefined
  /** The mark of this shop. */
  readonly shopMark: string
  rows: number
  create: number
  existing: number
  /** New products without a price: how many, and the first rows. */
  withoutPrice: number
  readonly rowsWithoutPrice: number[]
  /** Every image in the file, with its first use. */
  readonly images: Map<string, ImageUse>
  /** Every downloadable file in the product file, with its first use. */
  readonly files: Map<string, FileUse>
  /** IDs here of rows that have another ID or one of another shop, by `rowIdKey`. */
  readonly otherIds: Map<string, number>
  largestId: number
  /** True if rows refer to rows, so that the file is written in two passes. */
  hasReferences: boolean
}

type CheckOptions = {
  readonly source: ProductFile
  readonly excluded: ReadonlySet<number>
  /** Images and files that could not be read, with the problem. */
  readonly broken: ReadonlyMap<string, string>
  readonly existing: 'update' | 'skip'
  readonly ids?: IdOrigin | undefined
  readonly remoteImages: boolean
  readonly places: ImagePlaces & ProductFilePlaces
}

/**
 * Validates the whole file without writing. Errors go to `faults`, skipped rows to `notes`.
 * @returns the plan, or null when the file cannot be read further
 */
export async function checkProducts(
  tools: ImportTools,
  options: CheckOptions,
  faults: FaultList,
  notes: FaultList,
  onRows: (rows: number) => void,
): Promise<ImportPlan | null> {
  try {
    return await check(tools, options, faults, notes, onRows)
  } catch (error) {
    if (!(error instanceof ProductFileError)) throw error
    faults.add({ row: error.row, column: error.column, value: '', problem: error.message })
    return null
  }
}

async function check(
  { db, settings }: ImportTools,
  { source, excluded, broken, existing: onExisting, ids, places, remoteImages }: CheckOptions,
  faults: FaultList,
  notes: FaultList,
  onRows: (rows: number) => void,
): Promise<ImportPlan | null> {
  const titles = source.format.header
  // Without a known title, those of the file show what is wrong.
  const header = productCsvLayout(titles.length > 0 ? titles : source.titles.cells, source.table.separator)
  if (!header.ok) {
    for (const problem of header.problems) faults.add({ row: source.titles.row, column: '', value: '', problem })
    return null
  }
  const plan: ImportPlan = {
    source,
    excluded,
    layout: header.layout,
    rules: { ...rowRules(settings), attributeSlug: await attributeSlugs(db.sql, settings.language) },
    ids,
    shopMark: await readShopMark(db.kysely),
    rows: 0,
    create: 0,
    existing: 0,
    withoutPrice: 0,
    rowsWithoutPrice: [],
    images: new Map(),
    files: new Map(),
    otherIds: new Map(),
    largestId: 0,
    hasReferences: false,
  }
  const seen = new Map<string, SeenRow>()
  const targets = new Map<number, number>()
  const pending: Pending[] = []

  for await (const batch of batches(includedRows(plan))) {
    const parsed = batch.map((converted) => {
      const { row: number, cells, notes: changes } = converted
      for (const note of changes) notes.add({ row: number, ...note })
      if (converted.faults.length > 0) return { number, row: {}, faults: converted.faults }
      return { number, ...productRow(plan.layout, cells, plan.rules) }
    })
    const usable = parsed.filter(({ number, faults: found }) => {
      for (const fault of found) faults.add({ row: number, ...fault })
      return found.length === 0
    })
    const { skus, ids, importedIds } = keysOf(usable.map(({ row }) => row))
    const finder = productFinder(await findProducts(db.kysely, skus, ids, { importedIds, anyCase: true }), plan)
    for (const { number, row } of usable) checkRow(number, row, finder)
    const written = usable.filter(({ row }) => onExisting === 'update' || !finder.find(row))
    await checkImages(written)
    await checkFiles(written)
    plan.rows += batch.length
    if (plan.rows > mostRows) throw new ProductFileError(mostRows, `more than ${mostRows} rows; split the file`)
    onRows(plan.rows)
  }
  await checkReferences(db.kysely, { pending, seen }, faults, notes)
  return plan

  function checkRow(number: number, row: ProductRow, finder: ProductFinder) {
    const existing = finder.find(row)
    const own = isOwnRow(row, plan)
    const skips = existing !== undefined && onExisting === 'skip'
    const fault = (column: string, value: unknown, problem: string) =>
      faults.add({ row: number, column, value: String(value ?? ''), problem })
    const type = row.type ?? existing?.type ?? 'simple'
    const attributes = type === 'variable' && row.attributes && !skips ? attributesOfRow(row.attributes) : null
    const note: SeenRow = { row: number, type, attributes, existingId: existing?.id ?? null }

    for (const [column, key, value] of [
      ['SKU', row.sku ? `sku:${row.sku.toLowerCase()}` : null, row.sku],
      ['ID', row.id === undefined ? null : rowIdKey(row.id, own), row.id],
    ] as const) {
      if (key === null) continue
      const other = seen.get(key)
      if (other) fault(column, value, `is in row ${other.row} as well`)
      else seen.set(key, note)
    }
    if (existing) {
      const other = targets.get(existing.id)
      if (other === undefined) targets.set(existing.id, number)
      else fault('ID', row.id, `is product "${existing.sku ?? existing.id}", which row ${other} is about`)
      const changed = typeProblem(row, type, existing)
      if (changed) fault('Type', type, changed)
      if (row.id !== undefined && (row.id !== existing.id || !own))
        plan.otherIds.set(rowIdKey(row.id, own), existing.id)
      if (skips) {
        const [column, value] = row.sku ? ['SKU', row.sku] : ['ID', String(row.id ?? '')]
        const problem = `is ${shownProduct(existing)} here and is left as it is; --update changes it`
        notes.add({ row: number, column, value, problem })
      }
      plan.existing += 1
    } else {
      const price = row.regularPrice ?? null
      if (price === null && type !== 'variable' && type !== 'grouped') {
        plan.withoutPrice += 1
        if (plan.rowsWithoutPrice.length < shownRows) plan.rowsWithoutPrice.push(number)
      }
      if (row.name === undefined && type !== 'variation') {
        const byId =
          row.id !== undefined && !row.sku ? '; by its ID alone it is a product here only with --ids own' : ''
        fault('Name', '', `a new product needs a name, and the file has no such column${byId}`)
      }
      plan.create += 1
    }
    for (const [column, markup] of [
      ['Short description', row.shortDescription],
      ['Description', row.description],
    ] as const) {
      if (markup !== undefined && hasProgram(markup))
        notes.add({ row: number, column, value: '', problem: 'holds a program, a frame or a form, which is removed' })
    }
    const taken = idProblem(row, finder, plan)
    if (taken?.kind === 'conflict') fault('ID', row.id, taken.problem)
    else if (taken) notes.add({ row: number, column: 'ID', value: String(row.id), problem: taken.problem })
    const backorders = row.backorders ?? existing?.backorders ?? 'no'
    const quantity = row.stock ? (row.stock.manage === 'yes' ? row.stock.quantity : 0) : (existing?.stock_quantity ?? 0)
    if (quantity < 0 && backorders === 'no')
      fault('Stock', quantity, 'must not be negative while backorders are not allowed')
    checkPrices(row, existing, fault)
    plan.largestId = Math.max(plan.largestId, row.id ?? 0)

    if (type === 'variation') {
      plan.hasReferences = true
      if (row.parent) refer('Parent', row.parent, row.attributes ?? [])
    } else if (row.parent) {
      fault('Parent', '', 'only a variation has a parent')
    }
    for (const [column, references] of [
      ['Grouped products', row.grouped],
      ['Upsells', row.upsells],
      ['Cross-sells', row.crosssells],
    ] as const) {
      if (references) plan.hasReferences = true
      for (const reference of references ?? []) refer(column, reference, null)
    }

    function refer(column: string, reference: ProductReference, chosen: readonly RowAttribute[] | null) {
      const key = targetKey(reference, own)
      const waiting: Pending = { row: number, column, reference, key, own, chosen }
      const target = seen.get(key)
      if (target === note) fault(column, referenceText(reference), 'refers to its own row')
      else if (target && !wantsStored(target)) checkParent(waiting, target, faults)
      else pending.push(waiting)
    }
  }

  /** A file may contain only one of the two prices: it must fit the stored other one. */
  function checkPrices(
    { regularPrice, salePrice }: ProductRow,
    existing: ExistingProduct | undefined,
    fault: (column: string, value: string, problem: string) => void,
  ) {
    if (regularPrice === undefined && salePrice === undefined) return
    const regular = regularPrice === undefined ? (existing?.regular_price ?? null) : regularPrice
    const sale = salePrice === undefined ? (existing?.sale_price ?? null) : salePrice
    if (sale === null || (regular !== null && sale < regular)) return
    const amount = (minor: number | null) => (minor === null ? '' : decimalString(money(minor, settings.currency)))
    if (salePrice === undefined)
      fault('Regular price', amount(regular), `must be higher than the sale price, ${amount(sale)}`)
    else if (regular === null) fault('Sale price', amount(sale), 'needs a regular price beside it')
    else fault('Sale price', amount(sale), `must be lower than the regular price, ${amount(regular)}`)
  }

  async function checkImages(usable: readonly { number: number; row: ProductRow }[]) {
    const addresses = usable.flatMap(({ row }) => row.images ?? []).filter((address) => !plan.images.has(address))
    const stored = remoteImages
      ? new Map()
      : await fetchedBefore({ db }, [...new Set(addresses.filter(isRemote))], places.mediaDir)
    for (const { number, row } of usable) {
      for (const [position, source] of (row.images ?? []).entries()) {
        const known = plan.images.has(source)
        if (!known) plan.images.set(source, { row: number, name: row.imageTexts?.[position] || (row.name ?? '') })
        const problem =
          broken.get(source) ?? (known ? null : await imageProblem(source, places, remoteImages, stored.has(source)))
        if (problem) faults.add({ row: number, column: 'Images', value: source, problem })
      }
    }
  }

  async function checkFiles(written: readonly { number: number; row: ProductRow }[]) {
    for (const { number, row } of written) {
      for (const { url, column } of row.downloads ?? []) {
        const known = plan.files.has(url)
        if (!known) plan.files.set(url, { row: number, column })
        const inFolder = { ...places, file: source.table.file }
        const problem = broken.get(url) ?? (known ? null : await fileProblem(url, inFolder, settings.remoteDownloads))
        if (problem) faults.add({ row: number, column, value: url, problem })
      }
    }
  }
}

/** Yields the rows of the file that are not left out. */
export async function* includedRows({ source, excluded }: Pick<ImportPlan, 'source' | 'excluded'>) {
  for await (const row of source.rows()) if (!excluded.has(row.first)) yield row
}

export async function* batches(rows: AsyncIterable<ProductFileRow>): AsyncGenerator<ProductFileRow[]> {
  let batch: ProductFileRow[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const cell of row.cells) characters += cell.length
    if (batch.length === batchRows || characters > batchCharacters) {
      yield batch
      batch = []
      characters = 0
    }
  }
  if (batch.length > 0) yield batch
}
