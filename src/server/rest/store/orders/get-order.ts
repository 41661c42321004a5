import { type StoreOrderRecord, storeOrder, storeOrderInput } from '#contract/orders/store-order.ts'
import { percentText } from '#contract/shared/merchant-rules.ts'
import { storeProducts } from '#database/catalog/store-products.ts'
import { findCoupons } from '#database/coupons/coupons.ts'
import { findOrderItems, type OrderItemRow, type OrderRow } from '#database/orders/orders.ts'
import { findRefundsWithTax } from '#database/payments/refunds.ts'
import { needsPayment } from '#domain/orders/order-status.ts'
import type { AddressState } from '#shop/customers/sessions/session-state.ts'
import { lineFacts, taxFacts } from '#shop/orders/order-lines.ts'
import type { Visit } from '../../../http/visit.ts'
import { escapeHtml } from '../../../notices/cart-notices.tsx'
import { addressRecord, feeKey } from '../cart/cart-record.ts'
import { mostPieces, permalinkOf } from '../catalog/product-record.ts'
import { storeCall } from '../shared/store-call.ts'
import { currencyMembers, minor, storeImageOf } from '../shared/store-values.ts'
import { requireOrder } from './store-order-access.ts'

/** `order/<id>` */
export const storeOrderCall = storeCall({
  name: 'order/:id',
  method: 'GET',
  summary: 'Read an order',
  tag: 'orders',
  about: 'cart',
  identity: 'order-key',
  load: 'personal-page',
  input: storeOrderInput,
  output: storeOrder,
  async answer({ visit }, { id, key, billing_email: email }) {
    const { row } = await requireOrder(visit, { id, key, email })
    return { body: await orderRecord(visit, row) }
  },
})

async function orderRecord(visit: Visit, order: OrderRow): Promise<StoreOrderRecord> {
  const { db } = visit.app.tools
  const [shop, items, refunds] = await Promise.all([
    visit.app.shop(),
    findOrderItems(db.kysely, order.id),
    findRefundsWithTax(db.kysely, order.id),
  ])
  const ofType = (type: OrderItemRow['type']) => items.filter((item) => item.type === type)
  const lines = ofType('line_item')
  const ids = lines.flatMap(({ product_id, variation_id }) => variation_id ?? product_id ?? [])
  const details = new Map((await storeProducts(db.sql, ids, visit.now)).rows.map((row) => [row.id, row]))
  const currency = currencyMembers(shop, order.currency)
  const sum = (rows: readonly OrderItemRow[], pick: (row: OrderItemRow) => number) =>
    rows.reduce((total, row) => total + pick(row), 0)
  const fees = ofType('fee')
  const coupons = ofType('coupon')
  const codes = coupons.map(({ name }) => name)
  // The order keeps the amounts; a coupon that was deleted since counts as an amount off the cart.
  const types = new Map((await findCoupons(db.kysely, codes)).map(({ code, type }) => [code, type]))
  // Written by the stages of a checkout alone, with this type.
  const [billing, shipping] = [order.billing as Partial<AddressState>, order.shipping as Partial<AddressState>]
  const isOpen = needsPayment({ status: order.status, totalMinor: order.total })
  return {
    id: order.id,
    status: order.status,
    items: lines.map((item) => {
      const detail = details.get(item.variation_id ?? item.product_id ?? 0)
      const each = minor(Math.round(item.total / item.quantity))
      const before = minor(Math.round(item.subtotal / item.quantity))
      const raw = (amount: string) => (amount === '0' ? amount : amount + '0'.repeat(6 - currency.currency_minor_unit))
      return {
        key: String(item.id),
        id: item.variation_id ?? item.product_id ?? 0,
        type: detail?.type ?? 'simple',
        quantity: item.quantity,
        quantity_limits: { minimum: 1, maximum: mostPieces, multiple_of: 1, editable: false },
        name: escapeHtml(item.name),
        short_description: detail?.shortDescription ?? '',
        description: detail?.description ?? '',
        sku: item.sku,
        sold_individually: detail?.soldIndividually ?? false,
        permalink: detail ? permalinkOf(visit, detail, lineFacts(item).attributes) : '',
        images: (detail?.images ?? []).map((image) => storeImageOf(visit, image)),
        variation: lineFacts(item).choices.map(({ slug = '', label, value }) => ({
          raw_attribute: slug === '' ? '' : `attribute_${slug}`,
          attribute: escapeHtml(label),
          value: escapeHtml(value),
        })),
        item_data: [],
        prices: {
          ...currency,
          price: each,
          regular_price: before,
          sale_price: each,
          price_range: null,
          raw_prices: { precision: 6, price: raw(each), regular_price: raw(before), sale_price: raw(each) },
        },
        totals: {
          ...currency,
          line_subtotal: minor(item.subtotal),
          line_subtotal_tax: minor(item.subtotal_tax),
          line_total: minor(item.total),
          line_total_tax: minor(item.total_tax),
        },
        catalog_visibility: detail?.visibility ?? 'hidden',
        extensions: {},
      }
    }),
    coupons: coupons.map((coupon) => ({
      code: coupon.name,
      discount_type: types.get(coupon.name) ?? ('fixed_cart' as const),
      totals: { ...currency, total_discount: minor(coupon.total), total_discount_tax: minor(coupon.total_tax) },
    })),
    fees: fees.map((fee) => ({
      key: feeKey(fee.name),
      name: escapeHtml(fee.name),
      totals: { ...currency, total: minor(fee.total), total_tax: minor(fee.total_tax) },
    })),
    totals: {
      ...currency,
      subtotal: minor(sum(lines, ({ subtotal }) => subtotal)),
      total_discount: minor(order.discount_total),
      total_discount_tax: minor(order.discount_tax),
      total_fees: minor(sum(fees, ({ total }) => total)),
      total_fees_tax: minor(sum(fees, ({ total_tax: tax }) => tax)),
      total_shipping: minor(order.shipping_total),
      total_shipping_tax: minor(order.shipping_tax),
      total_price: minor(order.total),
      total_tax: minor(order.total_tax),
      total_refund: minor(
        refunds.filter(({ state, stray }) => state === 'done' && !stray).reduce((all, { amount }) => all + amount, 0),
      ),
      tax_lines: ofType('tax').map((tax) => ({
        name: escapeHtml(tax.name),
        price: minor(tax.total + tax.total_tax),
        rate: `${percentText(taxFacts(tax).ratePpm ?? 0)}%`,
      })),
    },
    billing_address: { ...addressRecord(billing), email: billing.email ?? '' },
    shipping_address: addressRecord(shipping),
    needs_payment: isOpen,
    needs_shipping: ofType('shipping').length > 0 || lines.some((line) => !lineFacts(line).virtual),
    payment_requirements: ['products'],
    errors: [],
  }
}
