import type { ProductReference } from '#contract/import/product-csv-cells.ts'
import { type ProductCsvLayout, productCsvLayout } from '#contract/import/product-csv-columns.ts'
import type { RowAttribute } from '#contract/import/product-csv-lists.ts'
import { type ProductRow, productRow, type RowRules, type RowType } from '#contract/import/product-csv-row.ts'
import { type ExistingProduct, findProducts } from '#database/catalog/write-products.ts'
import { attributesOfProducts } from '#database/import/parent-attributes.ts'
import { readShopMark } from '#database/import/shop-identifier.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import type { FaultList } from './import-faults.ts'
import type { ImportTools } from './import-tools.ts'
import { rowRules } from './product-columns.ts'
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
import { type ImagePlaces, type ImageUse, imageProblem } from './product-images.ts'
import { attributeSlugs } from './product-terms.ts'
import { attributesOfRow, chosenValues, type ParentAttribute } from './product-variations.ts'
import { type CsvRow, csvRows, ProductFileError } from './read-product-rows.ts'

/** A larger file would exceed the memory of an import. */
const mostRows = 500_000
/** A batch ends at either limit: many small rows, or a few with long texts. */
const batchRows = 500
const batchCharacters = 1_000_000

export type ImportPlan = {
  readonly layout: ProductCsvLayout
  readonly rules: RowRules
  readonly ids: IdOrigin | undefined
  /** The mark of this shop. */
  readonly shopMark: string
  rows: number
  create: number
  existing: number
  /** Every image in the file, with its first use. */
  readonly images: Map<string, ImageUse>
  /** Every downloadable file in the product file, with its first use. */
  readonly files: Map<string, FileUse>
  /** Rows of a product that has another ID here, by `rowIdKey`. */
  readonly otherIds: Map<string, number>
  largestId: number
  /** True if rows refer to rows, so that the file is written in two passes. */
  hasReferences: boolean
}

/** The data kept of a row while the rest of the file is read: a few words each. */
type Seen = {
  readonly row: number
  readonly type: RowType
  /** The row's attributes, if the row will be written. */
  readonly attributes: ParentAttribute[] | null
  /** The existing product, whose attributes apply if the row has none. */
  readonly existingId: number | null
}
type Pending = {
  readonly row: number
  readonly column: string
  readonly reference: ProductReference
  readonly key: string
  readonly own: boolean
  readonly chosen: readonly RowAttribute[] | null
}

type CheckOptions = {
  readonly file: string
  readonly delimiter: string
  readonly existing: 'update' | 'skip'
  readonly ids?: IdOrigin | undefined
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
  { file, delimiter, existing: onExisting, ids, places }: CheckOptions,
  faults: FaultList,
  notes: FaultList,
  onRows: (rows: number) => void,
): Promise<ImportPlan | null> {
  const rows = csvRows(file, delimiter)
  const first = await rows.next()
  if (first.done) throw new ProductFileError(1, 'the file is empty')
  const header = productCsvLayout(first.value.cells, delimiter)
  if (!header.ok) {
    for (const problem of header.problems) faults.add({ row: first.value.row, column: '', value: '', problem })
    await rows.return(undefined)
    return null
  }
  const plan: ImportPlan = {
    layout: header.layout,
    rules: { ...rowRules(settings), attributeSlug: await attributeSlugs(db.sql, settings.language) },
    ids,
    shopMark: await readShopMark(db.kysely),
    rows: 0,
    create: 0,
    existing: 0,
    images: new Map(),
    files: new Map(),
    otherIds: new Map(),
    largestId: 0,
    hasReferences: false,
  }
  const seen = new Map<string, Seen>()
  const targets = new Map<number, number>()
  const pending: Pending[] = []

  for await (const batch of batches(rows)) {
    const parsed = batch.map(({ row, cells }) => ({ number: row, ...productRow(plan.layout, cells, plan.rules) }))
    const usable = parsed.filter(({ number, faults: found }) => {
      for (const fault of found) faults.add({ row: number, ...fault })
      return found.length === 0
    })
    const { skus, ids, importedIds } = keysOf(usable.map(({ row }) => row))
    const finder = productFinder(await findProducts(db.kysely, skus, ids, { importedIds }), plan)
    for (const { number, row } of usable) checkRow(number, row, finder)
    const written = usable.filter(({ row }) => onExisting === 'update' || !finder.find(row))
    await checkImages(written)
    await checkFiles(written)
    plan.rows += batch.length
    if (plan.rows > mostRows) throw new ProductFileError(mostRows, `more than ${mostRows} rows; split the file`)
    onRows(plan.rows)
  }
  await checkPending()
  return plan

  function checkRow(number: number, row: ProductRow, finder: ProductFinder) {
    const existing = finder.find(row)
    const own = isOwnRow(row, plan)
    const skips = existing !== undefined && onExisting === 'skip'
    const fault = (column: string, value: unknown, problem: string) =>
      faults.add({ row: number, column, value: String(value ?? ''), problem })
    const type = row.type ?? existing?.type ?? 'simple'
    const attributes = type === 'variable' && row.attributes && !skips ? attributesOfRow(row.attributes) : null
    const note: Seen = { row: number, type, attributes, existingId: existing?.id ?? null }

    for (const [column, key, value] of [
      ['SKU', row.sku ? `sku:${row.sku}` : null, row.sku],
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
      if (row.id !== undefined && row.id !== existing.id) plan.otherIds.set(rowIdKey(row.id, own), existing.id)
      if (skips) {
        const [column, value] = row.sku ? ['SKU', row.sku] : ['ID', String(row.id ?? '')]
        const problem = `is ${shownProduct(existing)} here and is left as it is; --update changes it`
        notes.add({ row: number, column, value, problem })
      }
      plan.existing += 1
    } else {
      if (row.name === undefined) {
        const byId =
          row.id !== undefined && !row.sku ? '; by its ID alone it is a product here only with --ids own' : ''
        fault('Name', '', `a new product needs a name, and the file has no such column${byId}`)
      }
      plan.create += 1
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
      const target = seen.get(key)
      const waiting: Pending = { row: number, column, reference, key, own, chosen }
      if (target === note) fault(column, referenceText(reference), 'refers to its own row')
      else if (target && !wantsStored(target)) checkReference(waiting, target)
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

  function checkReference({ row, column, reference, chosen }: Pending, target: Pick<Seen, 'type' | 'attributes'>) {
    if (!chosen) return
    if (target.type !== 'variable') {
      faults.add({
        row,
        column,
        value: referenceText(reference),
        problem: `is a ${target.type} product; only a variable one has variations`,
      })
      return
    }
    for (const { attribute, value, problem } of target.attributes
      ? chosenValues(target.attributes, chosen).faults
      : []) {
      faults.add({ row, column: `Attribute "${attribute}"`, value, problem })
    }
  }

  async function checkImages(usable: readonly { number: number; row: ProductRow }[]) {
    for (const { number, row } of usable) {
      for (const source of row.images ?? []) {
        if (plan.images.has(source)) continue
        plan.images.set(source, { row: number, name: row.name ?? '' })
        const problem = await imageProblem(source, places, settings.remoteImages)
        if (problem) faults.add({ row: number, column: 'Images', value: source, problem })
      }
    }
  }

  async function checkFiles(written: readonly { number: number; row: ProductRow }[]) {
    for (const { number, row } of written) {
      for (const { url, column } of row.downloads ?? []) {
        if (plan.files.has(url)) continue
        plan.files.set(url, { row: number, column })
        const problem = await fileProblem(url, { ...places, file }, settings.remoteDownloads)
        if (problem) faults.add({ row: number, column, value: url, problem })
      }
    }
  }

  /** Checks references to later rows, and to existing products. */
  async function checkPending() {
    for (let start = 0; start < pending.length; start += 5000) {
      const some = pending.slice(start, start + 5000)
      const unknown = some.filter(({ key }) => !seen.has(key))
      const found = await findProducts(
        db.kysely,
        unknown.flatMap(({ reference }) => ('sku' in reference ? [reference.sku] : [])),
        unknown.flatMap(({ reference, own }) => ('id' in reference && own ? [reference.id] : [])),
      )
      const stored = new Map<string, ExistingProduct>(
        found.flatMap((product) => [[`id:${product.id}`, product] as const, [`sku:${product.sku}`, product] as const]),
      )
      const parents = some.flatMap(({ chosen, key }) =>
        chosen ? [seen.get(key)?.existingId ?? stored.get(key)?.id ?? 0] : [],
      )
      const attributes = await attributesOfProducts(db.kysely, parents)
      for (const waiting of some) {
        const target = seen.get(waiting.key)
        const product = stored.get(waiting.key)
        if (target && wantsStored(target)) {
          checkReference(waiting, {
            type: target.type,
            attributes: parentAttributes(attributes.get(target.existingId ?? 0) ?? []),
          })
        } else if (target) checkReference(waiting, target)
        else if (product) {
          checkReference(waiting, {
            type: product.type,
            attributes: parentAttributes(attributes.get(product.id) ?? []),
          })
        } else {
          const problem =
            'id' in waiting.reference && !waiting.own
              ? 'is no row of the file; an ID of another shop names no product here: write the SKU, or --ids own'
              : 'names a product that is neither in the file nor in the shop'
          faults.add({ row: waiting.row, column: waiting.column, value: referenceText(waiting.reference), problem })
        }
      }
    }
  }
}

export function parentAttributes(
  stored: readonly { slug: string; options: readonly { value: string; label: string }[] }[],
): ParentAttribute[] {
  return stored.map(({ slug, options }) => ({
    slug,
    values: new Map(options.map(({ value, label }) => [label.toLowerCase(), value])),
  }))
}

/** Returns true if variations use the attributes of the existing product. */
function wantsStored({ type, attributes, existingId }: Seen): boolean {
  return type === 'variable' && attributes === null && existingId !== null
}

export async function* batches(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = []
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

function referenceText(reference: ProductReference): string {
  return 'sku' in reference ? reference.sku : `id:${reference.id}`
}
