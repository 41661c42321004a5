import { urls } from '#contract/urls.ts'
import { findOrder, findOrderItems, type OrderItemRow, type OrderRow } from '#database/orders.ts'
import { money } from '#domain/money/money.ts'
import type { OrderFacts } from './checkout-facts.ts'
import { lineFacts } from './order-lines.ts'
import type { AddressState } from './session-state.ts'
import type { Tools } from './tools.ts'

/** An order as pages, mails and the merchant's commands show it, or null. */
export async function readOrder(
  tools: Pick<Tools, 'db'>,
  id: number,
): Promise<{ row: OrderRow; facts: OrderFacts } | null> {
  const [row, items] = await Promise.all([findOrder(tools.db.kysely, id), findOrderItems(tools.db.kysely, id)])
  if (!row) return null
  const slugs = await productSlugs(tools, items)
  return { row, facts: orderFacts(row, items, slugs) }
}

async function productSlugs({ db }: Pick<Tools, 'db'>, items: readonly OrderItemRow[]): Promise<Map<number, string>> {
  const ids = items.flatMap(({ product_id }) => product_id ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('products')
    .select(['id', 'slug'])
    .where('id', 'in', ids)
    .where('status', '=', 'publish')
    .execute()
  return new Map(rows.map(({ id, slug }) => [id, slug]))
}

export function orderFacts(
  row: OrderRow,
  items: readonly OrderItemRow[],
  slugs: ReadonlyMap<number, string>,
): OrderFacts {
  const inCurrency = (minor: number) => money(minor, row.currency)
  const lines = items.filter(({ type }) => type === 'line_item')
  const billing = row.billing as AddressState
  const withTax = row.prices_include_tax
  const shown = (net: number, tax: number) => inCurrency(withTax ? net + tax : net)
  return {
    id: row.id,
    number: String(row.id),
    key: row.key,
    status: row.status,
    paymentState: row.payment_state,
    createdAt: row.created_at,
    email: billing.email,
    currency: row.currency,
    lines: lines.map((item) => {
      const slug = item.product_id === null ? undefined : slugs.get(item.product_id)
      return {
        productId: item.product_id,
        name: item.name,
        url: slug ? urls.product(slug) : null,
        sku: item.sku,
        quantity: item.quantity,
        choices: lineFacts(item).choices,
        subtotal: shown(item.subtotal, item.subtotal_tax),
        total: shown(item.total, item.total_tax),
      }
    }),
    totals: totalsRows(row, items, shown),
    total: inCurrency(row.total),
    billing: addressLines(billing),
    shipping: items.some(({ type }) => type === 'shipping') ? addressLines(row.shipping as AddressState) : [],
    phone: billing.phone,
    customerNote: row.customer_note,
    paymentMethod: row.payment_method,
    paymentMethodTitle: row.payment_method_title,
  }
}

type Rows = { key: string; label: string; value: OrderFacts['total'] | string }[]

function totalsRows(
  row: OrderRow,
  items: readonly OrderItemRow[],
  shown: (net: number, tax: number) => OrderFacts['total'],
): Rows {
  const of = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const sum = (rows: readonly OrderItemRow[], figure: 'subtotal' | 'subtotal_tax') =>
    rows.reduce((total, item) => total + item[figure], 0)
  const lines = of('line_item')
  const rows: Rows = [
    { key: 'cart_subtotal', label: 'Subtotal', value: shown(sum(lines, 'subtotal'), sum(lines, 'subtotal_tax')) },
  ]
  if (row.discount_total > 0) {
    const off = shown(row.discount_total, row.discount_tax)
    rows.push({ key: 'discount', label: 'Discount', value: { ...off, minor: -off.minor } })
  }
  for (const rate of of('shipping')) {
    const cost = shown(rate.total, rate.total_tax)
    rows.push({ key: 'shipping', label: rate.name, value: cost.minor === 0 ? 'Free' : cost })
  }
  for (const fee of of('fee')) rows.push({ key: 'fee', label: fee.name, value: shown(fee.total, fee.total_tax) })
  if (!row.prices_include_tax) {
    for (const tax of of('tax')) {
      rows.push({ key: 'tax', label: tax.name, value: money(tax.total + tax.total_tax, row.currency) })
    }
  }
  rows.push({ key: 'payment_method', label: 'Payment method', value: row.payment_method_title })
  rows.push({ key: 'order_total', label: 'Total', value: money(row.total, row.currency) })
  return rows
}

/** An address as it is written on a parcel; empty parts leave no line. */
export function addressLines(address: AddressState): string[] {
  const place = [address.city, [address.state, address.postcode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return [
    `${address.first_name} ${address.last_name}`.trim(),
    address.company,
    address.address_1,
    address.address_2,
    place,
    address.country && countryName(address.country),
  ].filter(Boolean)
}

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code
}
