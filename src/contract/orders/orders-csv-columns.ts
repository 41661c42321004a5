import { addressTitles } from '../addresses/address-csv.ts'
import type { ColumnTitles } from '../shared/record-csv.ts'

/**
 * Columns of order files: the titles of the classic export plug-ins, then Shopify's. A file has one row an order with
 * lists in cells, or one row a line item.
 */
const ownTitles = {
  number: ['order number formatted', 'order number', 'number', 'name', 'order id', 'order', 'id'],
  key: ['order key'],
  importedFrom: ['imported from'],
  status: ['status', 'order status', 'post status'],
  financialStatus: ['financial status'],
  fulfillmentStatus: ['fulfillment status'],
  cancelledAt: ['cancelled at'],
  createdAt: ['date created', 'order date', 'created at', 'date', 'post date'],
  paidAt: ['date paid', 'paid date', 'paid at'],
  currency: ['order currency', 'currency'],
  email: ['billing email', 'email', 'customer email', 'email billing'],
  phone: ['phone'],
  // An ID of another shop, which means nothing here.
  customerId: ['customer id', 'customer user'],
  customerNote: ['customer note', 'notes', 'note'],
  method: ['payment method', 'payment method id', 'payment gateway'],
  methodTitle: ['payment method title'],
  transaction: ['transaction id', 'payment reference', 'payment id'],
  pricesIncludeTax: ['prices include tax', 'taxes included'],
  total: ['order total', 'total', 'order total amount'],
  subtotal: ['subtotal'],
  tax: ['tax total', 'order total tax', 'total tax', 'order total tax amount', 'taxes'],
  shippingTotal: ['shipping total', 'order shipping', 'shipping', 'shipping cost', 'order shipping amount'],
  shippingTax: ['shipping tax total', 'order shipping tax', 'shipping tax'],
  feeTotal: ['fee total'],
  feeTax: ['fee tax total'],
  discount: ['discount total', 'cart discount', 'cart discount amount', 'discount amount'],
  coupons: ['coupon items', 'coupons', 'coupon code', 'discount code', 'coupon codes'],
  refunded: ['refunded total', 'refunded amount', 'total refunded', 'order refund amount', 'order total refunded'],
  shippingMethod: ['shipping method', 'shipping method title'],
  lineItems: ['line items'],
  shippingItems: ['shipping items'],
  feeItems: ['fee items'],
  taxItems: ['tax items'],
  itemName: ['lineitem name', 'item name', 'product name', 'item title'],
  itemSku: ['lineitem sku', 'item sku', 'product sku', 'sku'],
  itemQuantity: ['lineitem quantity', 'item quantity', 'quantity', 'qty'],
  itemPrice: ['lineitem price', 'item price', 'item cost', 'price'],
  itemDiscount: ['lineitem discount'],
  itemTaxable: ['lineitem taxable'],
  itemSubtotal: ['item subtotal', 'order line subtotal', 'line subtotal'],
  itemSubtotalTax: ['item subtotal tax', 'order line subtotal tax', 'line subtotal tax'],
  itemTotal: ['item total', 'order line total', 'line total'],
  itemTax: ['item total tax', 'item tax', 'order line tax', 'line tax', 'order line total tax'],
  taxName1: ['tax 1 name'],
  taxValue1: ['tax 1 value'],
  taxName2: ['tax 2 name'],
  taxValue2: ['tax 2 value'],
  taxName3: ['tax 3 name'],
  taxValue3: ['tax 3 value'],
  taxName4: ['tax 4 name'],
  taxValue4: ['tax 4 value'],
  taxName5: ['tax 5 name'],
  taxValue5: ['tax 5 value'],
} as const satisfies Readonly<Record<string, readonly string[]>>

const billingAndShipping = addressTitles()

export type OrderColumn = keyof typeof ownTitles | keyof typeof billingAndShipping

export const orderTitles: ColumnTitles<OrderColumn> = { ...ownTitles, ...billingAndShipping }

/** Columns of files with one column for each line item. */
export const numberedLineItem = /^line item \d+$/

/** The columns of an order file of this shop, in their order: those of the classic export, and three of our own. */
export const exportedOrderColumns = [
  'order_id',
  'order_number',
  'order_key',
  'date',
  'paid_date',
  'status',
  'shipping_total',
  'shipping_tax_total',
  'fee_total',
  'fee_tax_total',
  'tax_total',
  'discount_total',
  'order_total',
  'refunded_total',
  'order_currency',
  'payment_method',
  'payment_method_title',
  'transaction_id',
  'shipping_method',
  'customer_id',
  'billing_first_name',
  'billing_last_name',
  'billing_company',
  'billing_email',
  'billing_phone',
  'billing_address_1',
  'billing_address_2',
  'billing_postcode',
  'billing_city',
  'billing_state',
  'billing_country',
  'shipping_first_name',
  'shipping_last_name',
  'shipping_company',
  'shipping_phone',
  'shipping_address_1',
  'shipping_address_2',
  'shipping_postcode',
  'shipping_city',
  'shipping_state',
  'shipping_country',
  'customer_note',
  'line_items',
  'shipping_items',
  'fee_items',
  'tax_items',
  'coupon_items',
  'prices_include_tax',
  'imported_from',
] as const

export type ExportedOrderColumn = (typeof exportedOrderColumns)[number]
