import { z } from 'zod'
import { lineRecords } from '../orders/v3-order-record.ts'
import { idInput as id } from '../shared/number-text.ts'
import { datedFilters, flag, paging, recordShape as shape } from '../shared/rest-input.ts'
import { amountText, metaDataRecord } from '../shared/rest-meta-data.ts'

/** `GET wc/v3/refunds`, `GET wc/v3/orders/{order_id}/refunds` */
export const v3RefundsInput = z.object({
  ...paging,
  ...shape,
  ...datedFilters,
  orderby: z.enum(['date', 'id', 'include', 'modified', 'title', 'slug']).default('date'),
})

export type V3RefundsInput = z.output<typeof v3RefundsInput>

/** A line of an order to refund: pieces, and amounts without and of tax. */
const refundLine = z.looseObject({
  id,
  quantity: z.coerce.number().int().min(0).max(1_000_000).optional(),
  refund_total: amountText.optional(),
  refund_tax: z
    .array(z.looseObject({ refund_total: amountText }))
    .max(50)
    .optional(),
})

const refundLines = z.array(refundLine).max(500).optional()

/** `POST wc/v3/orders/{order_id}/refunds` */
export const v3RefundWrite = z.looseObject({
  amount: amountText.optional(),
  reason: z.string().max(500).default(''),
  /** The provider gives the money back, where it was paid there. */
  api_refund: flag.default(true),
  api_restock: flag.default(true),
  line_items: refundLines,
  shipping_lines: refundLines,
  fee_lines: refundLines,
})

export type V3RefundWrite = z.output<typeof v3RefundWrite>

/** A refund of REST v3. Its lines are the order's, with negative quantities and amounts. */
export const v3RefundRecord = z.object({
  id: z.number().int(),
  parent_id: z.number().int(),
  date_created: z.string(),
  date_created_gmt: z.string(),
  amount: z.string(),
  reason: z.string(),
  refunded_by: z.number().int(),
  refunded_payment: z.boolean(),
  meta_data: metaDataRecord,
  ...lineRecords,
})

export type V3RefundRecord = z.output<typeof v3RefundRecord>
