import type { Transaction } from 'kysely'
import { type ImportedOrder, orderNumberOf, readImportedOrder } from '#contract/orders/orders-csv.ts'
import { numberedLineItem, type OrderColumn, orderTitles } from '#contract/orders/orders-csv-columns.ts'
import { type Header, type RowFault, readHeader, type TextRow } from '#contract/shared/record-csv.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import {
  findOrderKeys,
  findOrderOwners,
  findSoldProducts,
  type ImportedRows,
  insertImportedOrders,
  lockImportedOrders,
  replaceImportedOrders,
  type StoredImport,
} from '#database/orders/imported-orders.ts'
import { nextOrderIds } from '#database/orders/orders.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import {
  importRecords,
  type RecordImportOptions,
  type RecordImportReport,
  type RecordKind,
  type Written,
} from '../import/import-records.ts'
import { canonicalJson } from '../shared/digest.ts'
import type { Tools } from '../shared/tools.ts'
import { type ImportSource, importedOrderRows } from './imported-order-rows.ts'

export type OrderImportOptions = RecordImportOptions & {
  /** Names the other shop; by default its software. Its numbers identify the orders when a file is imported again. */
  readonly from?: string | undefined
}

type ImportTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'settings'>

/**
 * Imports the orders of another shop as history. They are shown to customers and staff, exported and erased, and
 * nothing else happens with them: see `imported-order.ts`. Orders of this shop in the file are left as they are.
 */
export function importOrders(
  tools: ImportTools,
  rows: AsyncIterable<TextRow>,
  options: OrderImportOptions,
): Promise<RecordImportReport> {
  return importRecords(tools, rows, orderKind(tools, options), options)
}

function orderKind(tools: ImportTools, { from }: OrderImportOptions): RecordKind<ImportedOrder> {
  let header: Header<OrderColumn> = { found: new Map(), numbered: [], unknown: [] }
  const units = { currency: tools.settings.currency, timeZone: tools.settings.timeZone }
  const seen = new Map<string, number>()
  return {
    open(titles) {
      header = readHeader(titles, orderTitles, numberedLineItem)
      const missing = (['number', 'createdAt'] as const).filter((column) => !header.found.has(column))
      if (missing.length === 0) return { unknown: header.unknown }
      const names = { number: 'the number of the order (Order number)', createdAt: 'its date (Order date)' }
      return { unknown: [], missing: `has no column with ${missing.map((column) => names[column]).join(' and ')}` }
    },
    keyOf: (row) => orderNumberOf(header, row),
    read: (rows) => readImportedOrder(header, rows, units),
    async write(tx, orders, existing) {
      const shop = from ?? (header.found.has('financialStatus') ? 'shopify' : 'woocommerce')
      const results: (Written | null)[] = orders.map((order) => {
        const before = seen.get(`${order.source || shop} ${order.number}`)
        seen.set(`${order.source || shop} ${order.number}`, before ?? order.row)
        return before === undefined ? null : faultIn(order, `order ${order.number} begins in row ${before} already`)
      })
      const open = orders.flatMap((order, place) =>
        results[place] ? [] : [{ order, place, from: order.source || shop, number: order.number }],
      )
      const written = await writeOrders(tools, tx, open, existing)
      for (const [at, { place }] of open.entries()) results[place] = written[at] ?? null
      return results.map((result) => result ?? { outcome: 'skipped' })
    },
  }
}

type Open = { readonly order: ImportedOrder; readonly from: string; readonly number: string }

async function writeOrders(
  tools: ImportTools,
  tx: Transaction<Schema>,
  open: readonly Open[],
  existing: 'update' | 'skip',
): Promise<Written[]> {
  const emails = open.map(({ order }) => emailIdentity(order.email)).filter((email) => email !== '')
  const skus = open.flatMap(({ order }) => order.lines.map(({ sku }) => sku)).filter((sku) => sku !== '')
  const keys = open.map(({ order }) => order.key).filter((key) => key !== '')
  const [own, stored, owners, products] = await Promise.all([
    findOrderKeys(tx, keys),
    lockImportedOrders(tx, open),
    findOrderOwners(tx, [...new Set(emails)]),
    findSoldProducts(tx, [...new Set(skus)]),
  ])
  const before = new Map(stored.map((one) => [`${one.order.imported_from} ${one.order.imported_number}`, one]))
  const now = tools.clock.now()
  const ids = (await nextOrderIds(tx, open.length)).values()
  const [inserts, updates]: ImportedRows[][] = [[], []]
  const results = open.map(({ order, from, number }): Written => {
    const known = before.get(`${from} ${number}`)
    // An order of this shop, or history that this shop has exported.
    if (!known && own.has(order.key)) return { outcome: 'skipped' }
    if (known && (existing === 'skip' || known.order.personal_data !== 'kept' || known.order.trashed_at !== null))
      return { outcome: 'skipped' }
    const id = known?.order.id ?? ids.next().value ?? 0
    const source: ImportSource = { id, from, now, owners, products, before: known?.order ?? null }
    const rows = importedOrderRows(tools, order, source)
    if ('problem' in rows) return faultIn(order, rows.problem)
    if (known && isUnchanged(known, rows)) return { outcome: 'unchanged' }
    ;(known ? updates : inserts)?.push(rows)
    return { outcome: known ? 'updated' : 'created', notes: notesOf(order, rows) }
  })
  await insertImportedOrders(tx, inserts ?? [], now)
  await replaceImportedOrders(tx, updates ?? [])
  return results
}

/** Reports whether the file states what is stored, apart from the time of the import. */
function isUnchanged({ order, items, refunded }: StoredImport, rows: ImportedRows): boolean {
  const { updated_at: _, ...wanted } = rows.order
  // The keys are columns, as the type states.
  const kept = Object.fromEntries(Object.keys(wanted).map((column) => [column, order[column as keyof typeof order]]))
  const keptItems = items.map(({ id: _id, order_id: _order, position: _position, ...item }) => item)
  return (
    refunded === rows.refunded &&
    canonicalJson(plain(kept)) === canonicalJson(plain(wanted)) &&
    canonicalJson(plain(keptItems)) === canonicalJson(plain(rows.items))
  )
}

/** Returns dates as text, as JSON has them. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

function notesOf(order: ImportedOrder, { order: { status } }: ImportedRows): RowFault[] {
  const { row, statedStatus: value } = order
  return value === '' ? [] : [{ row, column: 'status', value, problem: `is imported as ${status}` }]
}

function faultIn({ row }: ImportedOrder, problem: string): Written {
  return { faults: [{ row, column: '', value: '', problem }] }
}
