import type { FeeLineInput, LineItemInput, ShippingLineInput, V3OrderWrite } from '#contract/orders/v3-order-input.ts'
import { findProductsByReference } from '#database/orders/manual-products.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { couponCode } from '#domain/coupons/coupon.ts'
import { currencyExponent } from '#domain/money/currency-exponent.ts'
import { parseAmount } from '#domain/money/parse-amount.ts'
import type { Tools } from '../../shared/tools.ts'
import { lineFacts } from '../order-lines.ts'
import {
  type Manual,
  type ManualFee,
  type ManualLine,
  type ManualOrder,
  type ManualShipping,
  manualFault,
} from './manual-order.ts'

export type ManualLines = Pick<ManualOrder, 'lines' | 'shippingLines' | 'fees' | 'coupons'>
type Given = Pick<V3OrderWrite, 'line_items' | 'shipping_lines' | 'fee_lines' | 'coupon_lines'>

/** Reports whether the request changes lines. */
export function hasLines({ line_items, shipping_lines, fee_lines, coupon_lines }: Given): boolean {
  return [line_items, shipping_lines, fee_lines, coupon_lines].some((lines) => lines !== undefined)
}

/**
 * Applies the lines of a request to those of an order. A line with the id of an item changes or removes it; one without
 * is added; all others stay with their amounts. Coupons are replaced as a whole.
 * @param before the order, with its items; null for a new one
 */
export async function readManualLines(
  tools: Tools,
  { line_items, shipping_lines, fee_lines, coupon_lines }: Given,
  before: { readonly order: Pick<OrderRow, 'prices_include_tax'>; readonly items: readonly OrderItemRow[] } | null,
): Promise<Manual<ManualLines>> {
  const items = before?.items ?? []
  const of = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const coupons = coupon_lines
    ? [...new Set(coupon_lines.map(({ code }) => couponCode(code)))]
    : of('coupon').map(({ name }) => name)
  const kept = keptLines(of('line_item'), {
    pricesIncludeTax: before?.order.prices_include_tax ?? false,
    hasCoupons: of('coupon').length > 0,
  })
  const lines = await readProducts(tools, line_items ?? [], kept)
  if (!lines.ok) return lines
  const shipping = merged(of('shipping').map(keptShipping), shipping_lines ?? [], 'shipping_lines', (line, before) =>
    line.method_id === null ? 'removed' : readShipping(tools, line, before),
  )
  if (!shipping.ok) return shipping
  const fees = merged(of('fee').map(keptFee), fee_lines ?? [], 'fee_lines', (line, before) =>
    line.name === null ? 'removed' : readFee(tools, line, before),
  )
  if (!fees.ok) return fees
  return { ok: true, value: { lines: lines.value, shippingLines: shipping.value, fees: fees.value, coupons } }
}

type Read<Line> = Manual<Line> | 'removed'

/** Applies written lines to the kept ones, by the ids of their items. */
function merged<Line extends { readonly itemId: number | null }, Written extends { id?: number | undefined }>(
  kept: readonly Line[],
  written: readonly Written[],
  parameter: string,
  read: (line: Written, before: Line | null) => Read<Line>,
): Manual<readonly Line[]> {
  let lines = [...kept]
  for (const line of written) {
    const before = line.id === undefined ? null : lines.find(({ itemId }) => itemId === line.id)
    if (before === undefined) return manualFault(parameter, `The order has no line ${line.id}.`)
    const result = read(line, before)
    if (result === 'removed') lines = lines.filter((one) => one !== before)
    else if (!result.ok) return result
    else if (before) lines = lines.map((one) => (one === before ? result.value : one))
    else lines.push(result.value)
  }
  return { ok: true, value: lines }
}

async function readProducts(
  tools: Tools,
  written: readonly LineItemInput[],
  kept: readonly ManualLine[],
): Promise<Manual<readonly ManualLine[]>> {
  const products = await findProductsByReference(tools.db.kysely, {
    ids: written.flatMap(({ product_id, variation_id }) => [product_id ?? 0, variation_id ?? 0]),
    skus: written.flatMap(({ sku }) => sku ?? []),
  })
  return merged(kept, written, 'line_items', (line, before) => {
    if (before && (line.quantity === 0 || line.product_id === null)) return 'removed'
    const quantity = line.quantity ?? before?.quantity ?? 1
    if (quantity === 0) return manualFault('line_items', 'The quantity of a new line must be at least 1.')
    const sold =
      products.find(({ id }) => id === line.variation_id) ??
      products.find(({ id }) => id === line.product_id) ??
      products.find(({ sku }) => line.sku !== undefined && sku === line.sku)
    const soldId = sold?.id ?? (isNamed(line) ? null : (before?.soldId ?? null))
    if (soldId === null) return manualFault('line_items', 'A line must name an existing product, by product_id or sku.')
    const isOther = soldId !== before?.soldId || quantity !== before.quantity
    const amounts = statedAmounts(tools, line, isOther ? null : (before?.amounts ?? null))
    if (!amounts.ok) return amounts
    const attributes = { ...before?.attributes, ...writtenOptions(line) }
    return {
      ok: true,
      value: { itemId: before?.itemId ?? null, soldId, quantity, attributes, amounts: amounts.value },
    }
  })
}

const isNamed = ({ product_id, variation_id, sku }: LineItemInput) =>
  Boolean(product_id) || Boolean(variation_id) || (sku !== undefined && sku !== '')

/** Returns the options of a line from its metadata: `pa_colour`, `attribute_pa_colour`, `colour`. */
function writtenOptions({ meta_data = [] }: LineItemInput): Record<string, string> {
  return Object.fromEntries(
    meta_data.flatMap(({ key, value }) =>
      typeof value === 'string' && key !== '' ? [[key.replace(/^attribute_/, ''), value]] : [],
    ),
  )
}

function statedAmounts(
  { settings }: Tools,
  { subtotal, total }: LineItemInput,
  kept: ManualLine['amounts'],
): Manual<ManualLine['amounts']> {
  if (subtotal === undefined && total === undefined) return { ok: true, value: kept }
  const after = minorOf(settings, total ?? subtotal ?? '')
  const before = subtotal === undefined ? after : minorOf(settings, subtotal)
  if (before === null || after === null || before < 0 || after < 0)
    return manualFault('line_items', 'An amount of a line must not be negative, or more precise than the currency.')
  if (after > before) return manualFault('line_items', 'The total of a line must not exceed its subtotal.')
  return { ok: true, value: { subtotal: before, total: after, includesTax: false } }
}

/** Returns minor units; null where the currency has fewer decimals. */
function minorOf({ currency }: Tools['settings'], text: string): number | null {
  const parsed = parseAmount(text, currencyExponent(currency))
  return parsed.ok ? parsed.minor : null
}

/**
 * Existing lines keep their amounts. Where prices include tax, they keep them with tax, so that the same rates give the
 * same amounts again. A discount by coupons is not kept: the coupons are applied again.
 */
function keptLines(
  items: readonly OrderItemRow[],
  { pricesIncludeTax, hasCoupons }: { pricesIncludeTax: boolean; hasCoupons: boolean },
): ManualLine[] {
  return items.map((item) => {
    const subtotal = item.subtotal + (pricesIncludeTax ? item.subtotal_tax : 0)
    const total = hasCoupons ? subtotal : item.total + (pricesIncludeTax ? item.total_tax : 0)
    return {
      itemId: item.id,
      soldId: item.variation_id ?? item.product_id ?? 0,
      quantity: item.quantity,
      attributes: lineFacts(item).attributes,
      amounts: { subtotal, total, includesTax: pricesIncludeTax },
    }
  })
}

const keptShipping = ({ id, name, total, total_tax, facts }: OrderItemRow): ManualShipping => ({
  itemId: id,
  rateId: String(facts.rateId ?? ''),
  label: name,
  cost: total,
  taxable: total_tax !== 0 || total === 0,
})

const keptFee = ({ id, name, total, total_tax, facts }: OrderItemRow): ManualFee => ({
  itemId: id,
  name,
  amount: total,
  taxable: total_tax !== 0,
  taxClass: String(facts.taxClass ?? ''),
})

function readShipping(
  { settings, shippingZones }: Tools,
  line: ShippingLineInput,
  before: ManualShipping | null,
): Manual<ManualShipping> {
  const [oldMethod = '', oldInstance = ''] = before?.rateId.split(':') ?? []
  const method = line.method_id ?? oldMethod
  const instance = line.instance_id ?? (line.method_id === undefined ? oldInstance : '')
  if (method === '') return manualFault('shipping_lines', 'A shipping line must have a method_id.')
  const cost = line.total === undefined ? (before?.cost ?? null) : minorOf(settings, line.total)
  if (cost === null || cost < 0)
    return manualFault('shipping_lines', 'A shipping line must have a total of at least 0.')
  const known = shippingZones
    .flatMap(({ methods }) => methods)
    .find(({ instanceId, method: kind }) => kind === method && String(instanceId) === instance)
  return {
    ok: true,
    value: {
      itemId: before?.itemId ?? null,
      rateId: `${method}:${instance}`,
      label: line.method_title ?? before?.label ?? known?.title ?? method,
      cost,
      taxable: known === undefined || ('taxable' in known ? known.taxable : true),
    },
  }
}

function readFee({ settings }: Tools, line: FeeLineInput, before: ManualFee | null): Manual<ManualFee> {
  const name = line.name ?? before?.name ?? ''
  const amount = line.total === undefined ? (before?.amount ?? null) : minorOf(settings, line.total)
  if (name === '') return manualFault('fee_lines', 'A fee must have a name.')
  if (amount === null) return manualFault('fee_lines', 'A fee must have a total, in decimals of the currency.')
  const taxClass = line.tax_class ?? before?.taxClass ?? ''
  if (taxClass !== '' && !settings.taxes.classes.includes(taxClass))
    return manualFault('fee_lines', `There is no tax class "${taxClass}".`)
  const taxable = line.tax_status === undefined ? (before?.taxable ?? true) : line.tax_status === 'taxable'
  return { ok: true, value: { itemId: before?.itemId ?? null, name, amount, taxable, taxClass } }
}
