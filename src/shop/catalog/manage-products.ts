import type { Transaction } from 'kysely'
import { productCsvLayout } from '#contract/import/product-csv-columns.ts'
import { type ProductRow, productRow } from '#contract/import/product-csv-row.ts'
import type { Checked, RuleFault } from '#contract/shared/merchant-rules.ts'
import { catalogChanged } from '#database/catalog/catalog-version.ts'
import { deriveColumns } from '#database/catalog/derived-columns.ts'
import { aroundDeskProduct, type DeskProduct, findDeskProducts } from '#database/catalog/desk-products.ts'
import {
  type ExistingProduct,
  findProducts,
  type ProductColumns,
  recordStockCounts,
  updateProducts,
} from '#database/catalog/write-products.ts'
import { brokenConstraint, transaction } from '#database/engine/connect.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { columnsOfRow, countedChange, rowRules } from '../import/product-columns.ts'
import type { Tools } from '../shared/tools.ts'

type DeskTools = Pick<Tools, 'db' | 'settings' | 'clock' | 'chance'>

/** Values by the columns of a product file, in its format: `{ 'Sale price': '19.50' }`. */
export type WrittenProduct = Readonly<Record<string, string>>

/** A quantity, a change of it, or a status for unmanaged stock. */
export type StockChange =
  | { readonly count: number }
  | { readonly by: number }
  | { readonly uncounted: 'instock' | 'outofstock' | 'onbackorder' }

export type ProductChange = {
  readonly written?: WrittenProduct
  readonly status?: 'publish' | 'private' | 'draft' | 'trash'
  readonly stock?: StockChange
}

/**
 * Finds products by the merchant's names for them: an SKU, `id:12` or `12`. A numeric SKU takes precedence over an id.
 * @returns their ids, or the names without a product
 */
export async function findNamedProducts(
  { db }: Pick<Tools, 'db'>,
  names: readonly string[],
): Promise<{ ids: number[]; unknown: string[] }> {
  const numbers = names.map(numberOf).filter((id) => id !== null)
  const found = await findProducts(db.kysely, names, numbers)
  const known = names.map((name) => ({
    name,
    id: (found.find(({ sku }) => sku === name) ?? found.find(({ id }) => id === numberOf(name)))?.id,
  }))
  return {
    ids: [...new Set(known.flatMap(({ id }) => id ?? []))],
    unknown: known.flatMap(({ name, id }) => (id === undefined ? [name] : [])),
  }
}

function numberOf(name: string): number | null {
  const digits = /^(?:id:)?(\d{1,15})$/i.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Changes products, all or none, and notifies every process of the pages to render again. */
export async function changeProducts(
  tools: DeskTools,
  ids: readonly number[],
  change: ProductChange,
): Promise<Checked<{ products: DeskProduct[]; changed: number[] }>> {
  try {
    return await transaction(tools, async (tx) => changeLocked(tools, tx, ids, change))
  } catch (error) {
    switch (brokenConstraint(error)) {
      case 'products_sku_key':
        return { ok: false, faults: [{ key: 'SKU', problem: 'another product has it' }] }
      case 'products_stock_not_negative':
        return {
          ok: false,
          faults: [{ key: 'Stock', problem: 'must not be negative while backorders are not allowed' }],
        }
      default:
        throw error
    }
  }
}

async function changeLocked(
  tools: DeskTools,
  tx: Transaction<Schema>,
  ids: readonly number[],
  change: ProductChange,
): Promise<Checked<{ products: DeskProduct[]; changed: number[] }>> {
  const now = tools.clock.now()
  const existing = await findProducts(tx, [], ids, { lock: true })
  const before = new Map((await findDeskProducts(tx, ids, now)).map((product) => [product.id, product]))
  const faults: RuleFault[] = []
  const rows: (ProductColumns & { id: number })[] = []
  const counts: { productId: number; change: number }[] = []
  for (const product of existing) {
    const desk = before.get(product.id)
    if (!desk) continue
    const row = readChange(tools, desk, change, (fault) => faults.push(fault))
    const parent = existing.find(({ id }) => id === product.parent_id) ?? (await parentOf(tx, product))
    const columns = columnsOfRow(row, product.type, product, parent)
    rows.push({ ...columns, ...(change.status ? { status: change.status } : {}), id: product.id })
    counts.push({ productId: product.id, change: countedChange(row, product) })
  }
  if (faults.length > 0) return { ok: false, faults }
  const changed: number[] = []
  for (const row of rows) changed.push(...(await updateProducts(tx, [row], now)))
  await recordStockCounts(
    tx,
    counts.filter(({ change: by }) => by !== 0),
    now,
  )
  if (changed.length > 0) await catalogChanged(tx, await deriveColumns(tx, changed, now))
  return { ok: true, value: { products: await findDeskProducts(tx, ids, now), changed } }
}

async function parentOf(tx: Transaction<Schema>, { parent_id: id }: ExistingProduct): Promise<ExistingProduct | null> {
  return id === null ? null : ((await findProducts(tx, [], [id]))[0] ?? null)
}

/** Parses the values like a row of a product file, together with the product's own: the same format and validation. */
function readChange(
  { settings }: DeskTools,
  product: DeskProduct,
  { written = {}, stock }: ProductChange,
  refuse: (fault: RuleFault) => void,
): ProductRow {
  const name = product.sku ?? `id:${product.id}`
  const fault = (key: string, problem: string) => refuse({ key, problem: `${problem} (${name})` })
  const cells: Record<string, string> = {
    ID: String(product.id),
    ...currentCells(written, product, settings.currency),
    ...written,
  }
  const layout = productCsvLayout(Object.keys(cells), ',')
  if (!layout.ok) throw new Error(layout.problems.join('; '))
  const rules = rowRules(settings)
  const { row, faults } = productRow(layout.layout, Object.values(cells), rules)
  for (const { column, problem } of faults) fault(column, problem)
  if (product.type === 'variable' || product.type === 'grouped') {
    for (const column of ['Regular price', 'Sale price'].filter((price) => written[price])) {
      fault(column, `is the price of its ${product.type === 'variable' ? 'variations' : 'members'}`)
    }
  }
  const { saleFrom = product.sale_from, saleTo = product.sale_to } = row
  const dated = row.saleFrom !== undefined || row.saleTo !== undefined
  if (dated && faults.length === 0 && saleFrom && saleTo && saleFrom > saleTo)
    fault('Date sale price ends', 'must not lie before the day the sale starts')
  return stock ? { ...row, ...stockOf(product, stock, fault) } : row
}

/** Returns the product's cells that the new ones are validated against. */
function currentCells(written: WrittenProduct, product: DeskProduct, currency: string): Record<string, string> {
  const price = (minor: number | null) => (minor === null ? '' : decimalString(money(minor, currency)))
  if (written['Regular price'] === undefined && written['Sale price'] === undefined) return {}
  return { 'Regular price': price(product.regular_price), 'Sale price': price(product.sale_price) }
}

function stockOf(
  { manage_stock: manage, stock_quantity: quantity, backorders, type }: DeskProduct,
  change: StockChange,
  fault: (key: string, problem: string) => void,
): Pick<ProductRow, 'stock' | 'stockStatus'> {
  if (type === 'grouped' || type === 'external') {
    fault('Stock', `a product that is ${type} has no stock of its own`)
    return {}
  }
  if ('uncounted' in change) {
    if (type === 'variable') fault('In stock?', 'follows from its variations')
    return { stock: { manage: 'no' }, stockStatus: change.uncounted }
  }
  if ('by' in change && manage !== 'yes') {
    fault('Stock', 'is not counted yet: say how many there are')
    return {}
  }
  const next = 'by' in change ? (quantity ?? 0) + change.by : change.count
  if (Math.abs(next) > 1_000_000_000) fault('Stock', 'is too large')
  else if (next < 0 && backorders === 'no') fault('Stock', 'must not be negative while backorders are not allowed')
  return { stock: { manage: 'yes', quantity: next } }
}

export type DeskProductRecord = { readonly product: DeskProduct } & Awaited<ReturnType<typeof aroundDeskProduct>>

/** Returns one product with all details for a merchant. */
export async function readDeskProduct(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  id: number,
): Promise<DeskProductRecord | null> {
  const now = clock.now()
  const [[product], around] = await Promise.all([
    findDeskProducts(db.kysely, [id], now),
    aroundDeskProduct(db.kysely, id, now),
  ])
  return product ? { product, ...around } : null
}
