import { type ExportedOrderColumn, exportedOrderColumns } from '#contract/orders/orders-csv-columns.ts'
import { itemsCell } from '#contract/orders/orders-csv-items.ts'
import { csvLine } from '#contract/shared/csv-line.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import { listOrdersAfter } from '#database/orders/imported-orders.ts'
import type { OrderItemRow, OrderRow } from '#database/orders/orders.ts'
import { findOrderParts } from '#database/orders/rest-orders.ts'
import type { RefundRow } from '#database/payments/refunds.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { money } from '#domain/money/money.ts'
import { addressOf } from '../customers/sessions/login-state.ts'
import { momentText } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'
import { orderNumber } from './imported-order.ts'
import { inMerchantLanguage, lineFacts, taxFacts } from './order-lines.ts'

const ordersAtOnce = 200

/** Yields the lines of an order file: one row an order, with its lists in cells. Drafts are left out. */
export async function* exportOrders({ db }: Pick<Tools, 'db'>): AsyncGenerator<string> {
  yield csvLine(exportedOrderColumns)
  for (let after = 0; ; ) {
    const orders = await listOrdersAfter(db.kysely, after, ordersAtOnce)
    const parts = await findOrderParts(
      db.kysely,
      orders.map(({ id }) => id),
    )
    const itemsOf = Map.groupBy(parts.items, (item) => item.order_id)
    const refundsOf = Map.groupBy(parts.refunds, (refund) => refund.order_id)
    for (const order of orders) {
      const cells = cellsOf(order, itemsOf.get(order.id) ?? [], refundsOf.get(order.id) ?? [])
      yield csvLine(exportedOrderColumns.map((column) => cells[column]))
    }
    const last = orders.at(-1)
    if (!last || orders.length < ordersAtOnce) return
    after = last.id
  }
}

function cellsOf(
  order: OrderRow,
  items: readonly OrderItemRow[],
  refunds: readonly RefundRow[],
): Readonly<Record<ExportedOrderColumn, string>> {
  const [billing, shipping] = [addressOf(order.billing), addressOf(order.shipping)]
  const amount = (minor: number) => decimalString(money(minor, order.currency))
  const ofType = (type: OrderItemRow['type']) => items.filter((item) => item.type === type).map(inMerchantLanguage)
  const sum = (rows: readonly OrderItemRow[], of: 'total' | 'total_tax') =>
    amount(rows.reduce((total, row) => total + row[of], 0))
  const fees = ofType('fee')
  const charges = ofType('shipping')
  const refunded = refunds.filter(({ stray }) => !stray).reduce((total, refund) => total + refund.amount, 0)
  const charge = ({ name, total, total_tax }: OrderItemRow) => ({
    total: amount(total),
    total_tax: amount(total_tax),
    name,
  })
  return {
    order_id: String(order.id),
    order_number: orderNumber(order),
    order_key: order.key,
    date: momentText(order.created_at),
    paid_date: order.paid_at ? momentText(order.paid_at) : '',
    status: order.status,
    shipping_total: amount(order.shipping_total),
    shipping_tax_total: amount(order.shipping_tax),
    fee_total: sum(fees, 'total'),
    fee_tax_total: sum(fees, 'total_tax'),
    tax_total: amount(order.total_tax),
    discount_total: amount(order.discount_total),
    order_total: amount(order.total),
    refunded_total: amount(refunded),
    order_currency: order.currency,
    payment_method: order.payment_method,
    payment_method_title: order.payment_method_title,
    transaction_id: order.transaction_id ?? '',
    shipping_method: charges.map(({ name }) => name).join(', '),
    customer_id: order.customer_id === null ? '' : String(order.customer_id),
    billing_first_name: billing.first_name,
    billing_last_name: billing.last_name,
    billing_company: billing.company,
    billing_email: billing.email,
    billing_phone: billing.phone,
    billing_address_1: billing.address_1,
    billing_address_2: billing.address_2,
    billing_postcode: billing.postcode,
    billing_city: billing.city,
    billing_state: billing.state,
    billing_country: billing.country,
    shipping_first_name: shipping.first_name,
    shipping_last_name: shipping.last_name,
    shipping_company: shipping.company,
    shipping_phone: shipping.phone,
    shipping_address_1: shipping.address_1,
    shipping_address_2: shipping.address_2,
    shipping_postcode: shipping.postcode,
    shipping_city: shipping.city,
    shipping_state: shipping.state,
    shipping_country: shipping.country,
    customer_note: order.customer_note,
    line_items: itemsCell(
      ofType('line_item').map((item) => ({
        sku: item.sku,
        quantity: String(item.quantity),
        subtotal: amount(item.subtotal),
        subtotal_tax: amount(item.subtotal_tax),
        total: amount(item.total),
        total_tax: amount(item.total_tax),
        meta: lineFacts(item)
          .choices.map(({ label, value }) => `${label}=${value}`)
          .join(','),
        name: item.name,
      })),
    ),
    shipping_items: itemsCell(charges.map(charge)),
    fee_items: itemsCell(fees.map(charge)),
    tax_items: itemsCell(
      ofType('tax').map((item) => ({
        total: amount(item.total),
        shipping_total: amount(item.total_tax),
        rate_percent: rateText(item),
        title: item.name,
      })),
    ),
    coupon_items: itemsCell(ofType('coupon').map(({ name, total }) => ({ amount: amount(total), code: name }))),
    prices_include_tax: order.prices_include_tax ? 'yes' : 'no',
    imported_from: order.imported_from ?? '',
  }
}

function rateText(item: OrderItemRow): string {
  const { ratePpm } = taxFacts(item)
  return ratePpm === undefined ? '' : percentText(ratePpm)
}
