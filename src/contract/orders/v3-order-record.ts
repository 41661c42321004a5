import { z } from 'zod'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { billingRecord, shippingRecord } from '../shared/rest-address.ts'
import { metaDataRecord } from '../shared/rest-meta-data.ts'

const text = z.string()
const id = z.number().int()
const time = text.nullable()
const amount = text.regex(/^-?\d+(\.\d+)?$/)

const taxes = z.array(z.object({ id, total: text, subtotal: text }))
const lineItem = z.object({
  id,
  name: text,
  parent_name: text.nullable(),
  product_id: id,
  variation_id: id,
  quantity: z.number(),
  tax_class: text,
  subtotal: amount,
  subtotal_tax: amount,
  total: amount,
  total_tax: amount,
  meta_data: metaDataRecord,
  sku: text,
  price: z.number(),
  taxes,
})
const shippingLine = z.object({
  id,
  method_title: text,
  method_id: text,
  instance_id: text,
  total: amount,
  total_tax: amount,
  meta_data: metaDataRecord,
  taxes,
})
const feeLine = z.object({
  id,
  name: text,
  tax_class: text,
  tax_status: text,
  amount,
  total: amount,
  total_tax: amount,
  meta_data: metaDataRecord,
  taxes,
})

/** Lists of lines that an order and a refund share. */
export const lineRecords = {
  line_items: z.array(lineItem),
  shipping_lines: z.array(shippingLine),
  fee_lines: z.array(feeLine),
}

/** An order of REST v3, in the sequence of its members. */
export const v3OrderRecord = z.object({
  id,
  parent_id: id,
  number: text,
  order_key: text,
  created_via: text,
  version: text,
  status: z.enum([...orderStatuses, 'trash']),
  currency: text,
  date_created: time,
  date_created_gmt: time,
  date_modified: time,
  date_modified_gmt: time,
  discount_total: amount,
  discount_tax: amount,
  shipping_total: amount,
  shipping_tax: amount,
  cart_tax: amount,
  total: amount,
  total_tax: amount,
  prices_include_tax: z.boolean(),
  customer_id: id,
  customer_ip_address: text,
  customer_user_agent: text,
  customer_note: text,
  billing: billingRecord,
  shipping: shippingRecord,
  payment_method: text,
  payment_method_title: text,
  transaction_id: text,
  date_paid: time,
  date_paid_gmt: time,
  date_completed: time,
  date_completed_gmt: time,
  cart_hash: text,
  meta_data: metaDataRecord,
  line_items: lineRecords.line_items,
  tax_lines: z.array(
    z.object({
      id,
      rate_code: text,
      rate_id: id,
      label: text,
      compound: z.boolean(),
      tax_total: amount,
      shipping_tax_total: amount,
      rate_percent: z.number().optional(),
      meta_data: metaDataRecord,
    }),
  ),
  shipping_lines: lineRecords.shipping_lines,
  fee_lines: lineRecords.fee_lines,
  coupon_lines: z.array(
    z.object({ id, code: text, discount: amount, discount_tax: amount, meta_data: metaDataRecord }),
  ),
  refunds: z.array(z.object({ id, reason: text, total: amount })),
  payment_url: text,
  is_editable: z.boolean(),
  needs_payment: z.boolean(),
  needs_processing: z.boolean(),
})

export type V3OrderRecord = z.output<typeof v3OrderRecord>
