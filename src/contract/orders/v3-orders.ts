import { z } from 'zod'
import { orderStatuses } from '#domain/orders/order-status.ts'
import { idInput as id } from '../shared/number-text.ts'
import { datedFilters, listOf, notEmpty, paging, recordShape as shape } from '../shared/rest-input.ts'

/** `GET wc/v3/orders`. Unknown parameters are ignored, as in the public interface. */
export const v3OrdersInput = z.object({
  ...paging,
  ...shape,
  ...datedFilters,
  orderby: z.enum(['date', 'id', 'include', 'title', 'slug', 'modified']).default('date'),
  /** `trash`: known in the interface, and always empty here. */
  status: listOf(z.enum(['any', 'trash', ...orderStatuses])).default(['any']),
  /** 0: orders of guests. */
  customer: z.preprocess(notEmpty, z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)).optional(),
  product: id.optional(),
})

/** `GET wc/v3/orders/{id}` */
export const v3OrderInput = z.object({ ...shape, id })

/** `GET wc/v3/orders/{id}/refunds` */
export const v3OrderRefundsInput = z.object({ ...paging, ...shape, id, order: z.enum(['asc', 'desc']).default('desc') })

export type V3OrdersInput = z.output<typeof v3OrdersInput>

/** Every member of an order, in the public interface's order. */
export const v3OrderKeys = [
  'id',
  'parent_id',
  'number',
  'order_key',
  'created_via',
  'version',
  'status',
  'currency',
  'date_created',
  'date_created_gmt',
  'date_modified',
  'date_modified_gmt',
  'discount_total',
  'discount_tax',
  'shipping_total',
  'shipping_tax',
  'cart_tax',
  'total',
  'total_tax',
  'prices_include_tax',
  'customer_id',
  'customer_ip_address',
  'customer_user_agent',
  'customer_note',
  'billing',
  'shipping',
  'payment_method',
  'payment_method_title',
  'transaction_id',
  'date_paid',
  'date_paid_gmt',
  'date_completed',
  'date_completed_gmt',
  'cart_hash',
  'meta_data',
  'line_items',
  'tax_lines',
  'shipping_lines',
  'fee_lines',
  'coupon_lines',
  'refunds',
  'payment_url',
  'is_editable',
  'needs_payment',
  'needs_processing',
] as const

export type V3OrderKey = (typeof v3OrderKeys)[number]
