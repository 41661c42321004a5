import { currencyExponent } from '#domain/money/currency-exponent.ts'
import type { StatedCharge, StatedFigures, StatedLine } from '#domain/orders/imported-figures.ts'
import { type CsvAddress, plainText, readAddress } from '../addresses/address-csv.ts'
import { type Header, type RowFault, RowReader, type TextRow } from '../shared/record-csv.ts'
import { amountIn, answerIn, countIn, momentIn, rateIn } from '../shared/tolerant-cells.ts'
import type { OrderColumn } from './orders-csv-columns.ts'
import { type CsvItem, itemIn, itemsIn } from './orders-csv-items.ts'
import { type HistoryStatus, historyStatus } from './orders-csv-status.ts'

export type ImportedLine = StatedLine & {
  readonly name: string
  readonly sku: string
  readonly quantity: number
  readonly choices: readonly { readonly label: string; readonly value: string }[]
}
export type ImportedCharge = StatedCharge & { readonly name: string }
/** A tax as the file states it, in minor units; `ratePpm` null: unknown. */
export type ImportedTax = {
  readonly name: string
  readonly ratePpm: number | null
  readonly total: number
  readonly shipping: number
}

/** An order of a file, with its figures as stated. */
export type ImportedOrder = {
  readonly row: number
  readonly number: string
  /** The key of an order that this shop may have written itself; '' if unknown. */
  readonly key: string
  /** The shop that the file itself names, as our own export does; '' if it names none. */
  readonly source: string
  readonly status: HistoryStatus
  /** The status in the file, where it has no equal here; '' otherwise. */
  readonly statedStatus: string
  readonly currency: string
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly email: string
  readonly billing: CsvAddress | null
  readonly shipping: CsvAddress | null
  readonly customerNote: string
  readonly method: string
  readonly methodTitle: string
  readonly transaction: string
  readonly lines: readonly ImportedLine[]
  readonly charges: readonly ImportedCharge[]
  readonly fees: readonly ImportedCharge[]
  readonly taxes: readonly ImportedTax[]
  readonly coupons: readonly { readonly code: string; readonly amount: number | null }[]
  readonly refunded: number
  readonly figures: StatedFigures
}

export type OrderFileUnits = { readonly currency: string; readonly timeZone: string }

/** The largest number of an order's rows or line items. */
const mostItems = 1000

/** Returns the number of the order that a row belongs to; '' if the row has none, and continues the one before it. */
export function orderNumberOf(header: Header<OrderColumn>, row: TextRow): string {
  return plainText(new RowReader(header, row).text('number').replace(/^#/, ''), 100)
}

/**
 * Reads the rows of one order. Order columns count in the first row, item columns in all.
 * @returns null with faults where the order cannot be imported
 */
export function readImportedOrder(
  header: Header<OrderColumn>,
  rows: readonly TextRow[],
  units: OrderFileUnits,
): { readonly record: ImportedOrder | null; readonly faults: readonly RowFault[] } {
  const [first = { row: 0, cells: [] }] = rows
  const reader = new RowReader(header, first)
  const currency = reader.read('currency', units.currency, (text) =>
    /^[A-Za-z]{3}$/.test(text) ? { value: text.toUpperCase() } : { problem: 'must be a currency code like EUR' },
  )
  const decimals = currencyExponent(currency)
  const moment = (column: OrderColumn) =>
    reader.read<Date | null>(column, null, (text) => momentIn(text, units.timeZone))
  const amount = (column: OrderColumn) => reader.read<number | null>(column, null, (text) => amountIn(text, decimals))

  const number = orderNumberOf(header, first)
  if (number === '') reader.fault('number', 'is missing')
  const createdAt = moment('createdAt')
  if (createdAt === null && reader.faults.length === 0) reader.fault('createdAt', 'is missing')
  const paid = moment('paidAt')
  const { status, stated } = historyStatus({
    status: reader.text('status'),
    financial: reader.text('financialStatus'),
    fulfillment: reader.text('fulfillmentStatus'),
    isCancelled: reader.text('cancelledAt') !== '',
  })
  const isSettled = status === 'processing' || status === 'completed' || status === 'refunded'
  const paidAt = paid ?? (isSettled && !header.found.has('paidAt') ? createdAt : null)

  const nested = [
    ...(reader.text('lineItems') === '' ? [] : itemsIn(reader.text('lineItems'))),
    ...reader.numbered().map(itemIn),
  ]
  const faults = reader.faults
  const lines =
    nested.length > 0
      ? nested.map((item) =>
          lineOf(item, decimals, (problem) => faults.push(faultOf(first, 'line_items', item, problem))),
        )
      : rows.flatMap((row) => lineOfRow(new RowReader(header, row), decimals, faults))
  if (lines.length > mostItems) reader.fault(null, `has more than ${mostItems} line items`)

  const listed = (column: OrderColumn) =>
    itemsIn(reader.text(column)).map((item) => ({
      name: plainText(item.get('method_title') || item.get('title') || item.get('name') || item.get('code') || '', 200),
      total: itemAmount(item, ['total', 'amount'], decimals) ?? 0,
      tax: itemAmount(item, ['total_tax', 'tax', 'shipping_tax_amount'], decimals),
      shipping: itemAmount(item, ['shipping_total', 'shipping_tax_total'], decimals) ?? 0,
      rate: item.get('rate_percent') ?? '',
    }))
  const stateds = { shipping: amount('shippingTotal'), fee: amount('feeTotal') }
  const charges: ImportedCharge[] = listed('shippingItems')
  if (charges.length === 0 && (stateds.shipping || reader.text('shippingMethod') !== ''))
    charges.push({
      name: plainText(reader.text('shippingMethod'), 200) || 'Shipping',
      total: stateds.shipping ?? 0,
      tax: amount('shippingTax'),
    })
  const fees: ImportedCharge[] = listed('feeItems')
  if (fees.length === 0 && stateds.fee) fees.push({ name: 'Fee', total: stateds.fee, tax: amount('feeTax') })
  const taxes = taxesOf(reader, listed('taxItems'), decimals)
  const total = amount('total')
  if (total !== null && total < 0) reader.fault('total', 'must not be negative')
  const goods = lines.reduce((sum, line) => sum + line.subtotal, 0)
  const subtotal = amount('subtotal')
  // Shopify's subtotal is what the goods cost after all discounts.
  const isShopify = header.found.has('financialStatus')
  const discount = isShopify && subtotal !== null ? Math.max(0, goods - subtotal) : (amount('discount') ?? 0)
  const tax =
    amount('tax') ?? (taxes.length > 0 ? taxes.reduce((sum, each) => sum + each.total + each.shipping, 0) : null)
  const refunded = amount('refunded') ?? 0
  if (refunded < 0) reader.fault('refunded', 'must not be negative')

  const coupons = couponsOf(reader.text('coupons'), decimals)
  const [billing, shipping] = [readAddress(reader, 'billing'), readAddress(reader, 'shipping')]
  const phone = plainText(reader.text('phone'), 200)
  const pricesIncludeTax = reader.read<boolean | null>('pricesIncludeTax', null, answerIn)
  if (faults.length > 0 || createdAt === null) return { record: null, faults }
  const title = plainText(reader.text('methodTitle'), 200)
  const method = plainText(reader.text('method'), 100)
  return {
    faults,
    record: {
      row: first.row,
      number,
      key: reader.text('key'),
      source: plainText(reader.text('importedFrom'), 100),
      status,
      statedStatus: stated,
      currency,
      createdAt,
      paidAt,
      email: reader.text('email').toLowerCase().slice(0, 254),
      billing: billing && { ...billing, phone: billing.phone || phone },
      shipping,
      customerNote: reader.text('customerNote').slice(0, 5000).toWellFormed(),
      method,
      methodTitle: title || method,
      transaction: plainText(reader.text('transaction'), 200),
      lines,
      charges,
      fees,
      taxes,
      coupons: coupons.map(({ code, amount: off }) => ({
        code,
        amount: off ?? (coupons.length === 1 ? discount : null),
      })),
      refunded,
      figures: { currency, lines, shipping: charges, fees, discount, tax, total, pricesIncludeTax },
    },
  }
}

function faultOf(row: TextRow, column: string, item: CsvItem, problem: string): RowFault {
  return { row: row.row, column, value: item.get('name') ?? '', problem }
}

function itemAmount(item: CsvItem, names: readonly string[], decimals: number): number | null {
  const text = names.map((name) => item.get(name)).find((each) => each !== undefined && each !== '')
  const read = text === undefined ? null : amountIn(text, decimals)
  return read && 'value' in read ? read.value : null
}

/** Reads an item of a list in a cell. */
function lineOf(item: CsvItem, decimals: number, fault: (problem: string) => void): ImportedLine {
  const count = countIn(item.get('quantity') || '1', 1)
  if ('problem' in count) fault(`its quantity ${count.problem}`)
  const quantity = 'value' in count ? count.value : 1
  const total = itemAmount(item, ['total'], decimals)
  const price = itemAmount(item, ['price'], decimals)
  const subtotal =
    itemAmount(item, ['subtotal', 'sub_total'], decimals) ?? total ?? (price === null ? null : price * quantity)
  if (subtotal === null) fault('it has no total')
  const name = plainText(item.get('name') ?? '', 500)
  if (name === '') fault('it has no name')
  const totalTax = itemAmount(item, ['total_tax', 'tax'], decimals)
  return {
    name,
    sku: plainText(item.get('sku') ?? '', 200),
    quantity,
    subtotal: subtotal ?? 0,
    subtotalTax: itemAmount(item, ['subtotal_tax', 'sub_total_tax'], decimals),
    total,
    totalTax,
    taxable: true,
    choices: choicesIn(item.get('meta') ?? ''),
  }
}

/** Parses `Colour=Sand,Size=M`. */
function choicesIn(meta: string): { label: string; value: string }[] {
  return meta.split(/,(?=[^,=]+=)/).flatMap((part) => {
    const at = part.indexOf('=')
    const label = plainText(part.slice(0, at), 100)
    // Names with an underscore are notes of programs.
    return at < 1 || label.startsWith('_') ? [] : [{ label, value: plainText(part.slice(at + 1), 200) }]
  })
}

/** Reads the line item of a row; none where the row has none. */
function lineOfRow(reader: RowReader<OrderColumn>, decimals: number, faults: RowFault[]): ImportedLine[] {
  const name = plainText(reader.text('itemName'), 500)
  if (name === '') return []
  const amount = (column: OrderColumn) => reader.read<number | null>(column, null, (text) => amountIn(text, decimals))
  const quantity = reader.read('itemQuantity', 1, (text) => countIn(text, 1))
  const [price, total, off] = [amount('itemPrice'), amount('itemTotal'), amount('itemDiscount')]
  const subtotal = amount('itemSubtotal') ?? (price === null ? total : price * quantity)
  if (subtotal === null && reader.faults.length === 0) reader.fault('itemName', 'has no price')
  const line = {
    name,
    sku: plainText(reader.text('itemSku'), 200),
    quantity,
    subtotal: subtotal ?? 0,
    subtotalTax: amount('itemSubtotalTax'),
    // A discount on the line is part of the order's discount, where the file states the goods after discounts.
    total: total ?? (off && !reader.has('subtotal') ? Math.max(0, (subtotal ?? 0) - off) : null),
    totalTax: amount('itemTax'),
    taxable: reader.read('itemTaxable', true, answerIn),
    choices: [],
  }
  faults.push(...reader.faults)
  return [line]
}

type ListedTax = { name: string; total: number; shipping: number; rate: string }

/** Returns the taxes by rate: of a list in a cell, or of five pairs of columns. */
function taxesOf(reader: RowReader<OrderColumn>, listed: readonly ListedTax[], decimals: number): ImportedTax[] {
  const pairs = ([1, 2, 3, 4, 5] as const).map((place) => ({
    name: plainText(reader.text(`taxName${place}`), 200),
    total: reader.read(`taxValue${place}`, 0, (text) => amountIn(text, decimals)),
    shipping: 0,
    rate: '',
  }))
  return [...listed, ...pairs]
    .filter(({ total, shipping }) => total !== 0 || shipping !== 0)
    .map(({ name, total, shipping, rate }) => {
      const percent = rateIn(rate || (/([\d.,]+) ?%/.exec(name)?.[1] ?? ''))
      return { name: name || 'Tax', ratePpm: 'value' in percent ? percent.value : null, total, shipping }
    })
}

/** Parses a list of coupons, or a code alone. */
function couponsOf(cell: string, decimals: number): { code: string; amount: number | null }[] {
  if (cell === '') return []
  if (!/(^|\|)\s*code\s*:/i.test(cell))
    return cell
      .split(/[,;|]/)
      .flatMap((code) => (code.trim() === '' ? [] : [{ code: plainText(code, 100), amount: null }]))
  return itemsIn(cell).map((item) => ({
    code: plainText(item.get('code') ?? '', 100),
    amount: itemAmount(item, ['amount', 'discount'], decimals),
  }))
}
