import { z } from 'zod'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { idInput } from '../shared/number-text.ts'
import { addressInput } from '../shared/rest-address.ts'
import { flag } from '../shared/rest-input.ts'
import { amountText, metaDataInput } from '../shared/rest-meta-data.ts'

const name = z.string().trim().max(200)
/** 0 or null: none. */
const reference = z.preprocess(
  (given) => (given === '' || given === null ? 0 : given),
  z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
)
const lineId = idInput.optional()
/** Null marks the line of an id for its removal. */
const nullable = <Value extends z.ZodType>(value: Value) => value.nullable().optional()

/** A product of an order. Amounts are of the whole line, without tax. */
const lineItemInput = z.looseObject({
  id: lineId,
  product_id: nullable(reference),
  variation_id: reference.optional(),
  sku: name.optional(),
  /** 0 removes the line of an id. */
  quantity: z.coerce.number().int().min(0).max(1_000_000).optional(),
  subtotal: amountText.optional(),
  total: amountText.optional(),
  meta_data: metaDataInput.optional(),
})

const shippingLineInput = z.looseObject({
  id: lineId,
  method_id: nullable(name),
  method_title: name.optional(),
  instance_id: z.union([name, z.number()]).transform(String).optional(),
  total: amountText.optional(),
})

const feeLineInput = z.looseObject({
  id: lineId,
  name: nullable(name),
  tax_class: name.optional(),
  tax_status: z.enum(['taxable', 'none']).optional(),
  total: amountText.optional(),
})

const couponLineInput = z.looseObject({ code: name })

const orderMembers = {
  status: z.enum(orderStatuses).optional(),
  currency: z.string().trim().toUpperCase().optional(),
  /** 0: a guest. */
  customer_id: reference.optional(),
  customer_note: z.string().max(10_000).optional(),
  billing: addressInput.optional(),
  shipping: addressInput.optional(),
  payment_method: z.string().trim().max(100).optional(),
  payment_method_title: name.optional(),
  transaction_id: name.optional(),
  set_paid: flag.optional(),
  meta_data: metaDataInput.optional(),
  line_items: z.array(lineItemInput).max(500).optional(),
  shipping_lines: z.array(shippingLineInput).max(50).optional(),
  fee_lines: z.array(feeLineInput).max(50).optional(),
  coupon_lines: z.array(couponLineInput).max(50).optional(),
}

/** `POST wc/v3/orders`, `PUT wc/v3/orders/{id}`. Unknown members are ignored; missing ones stay unchanged. */
export const v3OrderWrite = z.looseObject(orderMembers)

export type V3OrderWrite = z.output<typeof v3OrderWrite>
export type LineItemInput = z.output<typeof lineItemInput>
export type ShippingLineInput = z.output<typeof shippingLineInput>
export type FeeLineInput = z.output<typeof feeLineInput>
