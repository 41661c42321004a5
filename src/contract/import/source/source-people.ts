import { z } from 'zod'
import { addressMembers } from '../../shared/address-members.ts'
import {
  sourceFlag,
  sourceId,
  sourceInteger,
  sourceList,
  sourceMoment,
  sourceObject,
  sourceText,
  sourceWord,
} from './source-values.ts'

/** Customers, reviews and orders as another shop's REST v3 writes them. */

const address = sourceObject({ ...addressMembers(sourceWord), email: sourceWord })

export type SourceAddress = z.output<typeof address>

export const sourceCustomer = z.object({
  id: sourceId,
  email: sourceWord,
  first_name: sourceWord,
  last_name: sourceWord,
  role: sourceWord,
  username: sourceWord,
  date_created_gmt: sourceMoment,
  billing: address,
  shipping: address,
})

export type SourceCustomer = z.output<typeof sourceCustomer>

export const sourceReview = z.object({
  id: sourceId,
  product_id: sourceId,
  date_created_gmt: sourceMoment,
  status: sourceWord,
  reviewer: sourceWord,
  reviewer_email: sourceWord,
  /** Markup. */
  review: sourceText,
  rating: sourceInteger,
  verified: sourceFlag,
})

export type SourceReview = z.output<typeof sourceReview>

/** Amounts are decimal texts. */
export const sourceOrder = z.object({
  id: sourceId,
  number: sourceWord,
  status: sourceWord,
  currency: sourceWord,
  date_created_gmt: sourceMoment,
  date_paid_gmt: sourceMoment,
  discount_total: sourceWord,
  shipping_total: sourceWord,
  total: sourceWord,
  total_tax: sourceWord,
  prices_include_tax: sourceFlag,
  customer_note: sourceText,
  billing: address,
  shipping: address,
  payment_method: sourceWord,
  payment_method_title: sourceWord,
  transaction_id: sourceWord,
  line_items: sourceList(
    z.object({
      name: sourceText,
      sku: sourceWord,
      quantity: sourceInteger,
      subtotal: sourceWord,
      subtotal_tax: sourceWord,
      total: sourceWord,
      total_tax: sourceWord,
      meta_data: sourceList(
        z.object({ key: sourceText, value: z.unknown(), display_key: z.unknown(), display_value: z.unknown() }),
      ),
    }),
  ),
  shipping_lines: sourceList(z.object({ method_title: sourceText, total: sourceWord, total_tax: sourceWord })),
  fee_lines: sourceList(z.object({ name: sourceText, total: sourceWord, total_tax: sourceWord })),
  tax_lines: sourceList(
    z.object({ label: sourceText, rate_percent: sourceWord, tax_total: sourceWord, shipping_tax_total: sourceWord }),
  ),
  coupon_lines: sourceList(z.object({ code: sourceText, discount: sourceWord })),
  refunds: sourceList(z.object({ total: sourceWord })),
})

export type SourceOrder = z.output<typeof sourceOrder>
