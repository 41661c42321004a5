import type { CsvAddress } from '#contract/addresses/address-csv.ts'
import type { ImportedLine, ImportedOrder, ImportedTax } from '#contract/orders/orders-csv.ts'
import type { ImportedRows, SoldProduct } from '#database/orders/imported-orders.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { type SettledFigures, settleImportedFigures } from '#domain/orders/imported-figures.ts'
import { emptyAddress } from '../customers/sessions/session-state.ts'
import type { Tools } from '../shared/tools.ts'
import type { LineFacts } from './order-lines.ts'

/** Facts beside the file for the rows of an imported order. */
export type ImportSource = {
  readonly id: number
  readonly from: string
  readonly now: Date
  /** Accounts by email address. */
  readonly owners: ReadonlyMap<string, number>
  /** Products by SKU. */
  readonly products: ReadonlyMap<string, SoldProduct>
  /** The stored order, for an update. */
  readonly before: OrderRow | null
}

/** Builds the rows of an imported order. @returns a problem where its figures contradict each other */
export function importedOrderRows(
  { chance }: Pick<Tools, 'chance'>,
  order: ImportedOrder,
  { id, from, now, owners, products, before }: ImportSource,
): ImportedRows | { readonly problem: string } {
  const figures = settleImportedFigures(order.figures)
  const { total } = figures
  if (total < 0) return { problem: 'has a negative total' }
  const refunded = order.refunded === 0 && order.status === 'refunded' ? total : order.refunded
  if (refunded > total) return { problem: 'has more refunded than its total' }
  const billing = addressOf(order.billing, order.email)
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)
  const shippingTax = sumOf(figures.shipping.map(({ tax }) => tax))
  const email = emailIdentity(order.email)
  const note = `Imported from ${from}, where its number was ${order.number}.`
  return {
    refunded,
    note: order.statedStatus === '' ? note : `${note} Its status there was "${order.statedStatus}".`,
    order: {
      id,
      key: before?.key ?? `wc_order_${chance.alphanumeric(22)}`,
      imported_from: from,
      imported_number: order.number,
      status: order.status,
      session_id: `imported:${from}:${order.number}`,
      intention: 'imported',
      cart_hash: '',
      currency: order.currency,
      prices_include_tax: figures.pricesIncludeTax,
      discount_total: sumOf(figures.lines.map((line) => line.subtotal - line.total)),
      discount_tax: sumOf(figures.lines.map((line) => line.subtotalTax - line.totalTax)),
      shipping_total: sumOf(figures.shipping.map((charge) => charge.total)),
      shipping_tax: shippingTax,
      cart_tax: figures.tax - shippingTax,
      total_tax: figures.tax,
      total,
      billing,
      shipping: order.shipping ? addressOf(order.shipping, '') : { ...billing, email: '' },
      customer_note: order.customerNote,
      payment_method: order.method,
      payment_method_title: order.methodTitle,
      transaction_id: order.transaction === '' ? null : order.transaction,
      created_via: 'import',
      customer_id: before?.customer_id ?? (email === '' ? null : (owners.get(email) ?? null)),
      created_at: order.createdAt,
      updated_at: now,
      paid_at: order.paidAt,
    },
    items: itemsOf(order, figures, products),
  }
}

const addressOf = (address: CsvAddress | null, email: string) => ({ ...emptyAddress, ...address, email })

type Item = ImportedRows['items'][number]

function itemsOf(order: ImportedOrder, figures: SettledFigures, products: ReadonlyMap<string, SoldProduct>): Item[] {
  const charge = (type: 'shipping' | 'fee', name: string, amounts?: { total: number; tax: number }): Item => ({
    ...plainItem,
    type,
    name,
    total: amounts?.total ?? 0,
    total_tax: amounts?.tax ?? 0,
  })
  const difference = { total: figures.difference, tax: 0 }
  return [
    ...order.lines.map((line, place) => lineItem(line, figures.lines[place], products.get(line.sku))),
    ...order.charges.map(({ name }, place) => charge('shipping', name, figures.shipping[place])),
    ...order.fees.map(({ name }, place) => charge('fee', name || 'Fee', figures.fees[place])),
    ...(difference.total === 0 ? [] : [charge('fee', 'Other charges', difference)]),
    ...taxesOf(order, figures).map((tax) => ({
      ...plainItem,
      type: 'tax' as const,
      name: tax.name,
      total: tax.total,
      total_tax: tax.shipping,
      facts: { code: tax.name, ...(tax.ratePpm === null ? {} : { ratePpm: tax.ratePpm }) },
    })),
    ...order.coupons.map(({ code, amount }) => ({
      ...plainItem,
      type: 'coupon' as const,
      name: code.toLowerCase(),
      total: amount ?? 0,
    })),
  ]
}

/** Default columns of an item, all of them, so that rows of all types have the same. */
const plainItem = {
  product_id: null,
  variation_id: null,
  sku: '',
  quantity: 1,
  subtotal: 0,
  subtotal_tax: 0,
  total: 0,
  total_tax: 0,
  facts: {},
}

function lineItem(
  line: ImportedLine,
  amounts: SettledFigures['lines'][number] | undefined,
  product: SoldProduct | undefined,
): Item {
  return {
    ...plainItem,
    type: 'line_item',
    name: line.name,
    // A variation has its product's page.
    product_id: product ? (product.parent_id ?? product.id) : null,
    variation_id: product?.parent_id ? product.id : null,
    sku: line.sku,
    quantity: line.quantity,
    subtotal: amounts?.subtotal ?? 0,
    subtotal_tax: amounts?.subtotalTax ?? 0,
    total: amounts?.total ?? 0,
    total_tax: amounts?.totalTax ?? 0,
    facts: {
      choices: line.choices,
      attributes: product?.attributes ?? {},
      virtual: product?.virtual ?? false,
      downloadable: product?.downloadable ?? false,
      stockOwner: null,
    } satisfies LineFacts,
  }
}

/** Returns the taxes as stated, or one for all. */
function taxesOf({ taxes }: ImportedOrder, { tax, shipping }: SettledFigures): readonly ImportedTax[] {
  if (taxes.length > 0 || tax === 0) return taxes
  const onShipping = shipping.reduce((sum, charge) => sum + charge.tax, 0)
  return [{ name: 'Tax', ratePpm: null, total: tax - onShipping, shipping: onShipping }]
}
