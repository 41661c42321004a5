import { z } from 'zod'
import { amount } from './amount.ts'

const statusDetails = z.object({ reason: z.string().optional() })

const relatedIds = z.object({
  related_ids: z.object({ order_id: z.string().optional(), capture_id: z.string().optional() }).optional(),
})

/** Capture. Independent of the wallet order's status: `COMPLETED` there can mean `DECLINED` here. */
export const capture = z.object({
  id: z.string().min(1),
  status: z.enum(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
  status_details: statusDetails.optional(),
  amount,
  final_capture: z.boolean().optional(),
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  payee: z.object({ email_address: z.string().optional(), merchant_id: z.string().optional() }).optional(),
  seller_receivable_breakdown: z
    .object({ gross_amount: amount.optional(), paypal_fee: amount.optional(), net_amount: amount.optional() })
    .optional(),
  supplementary_data: relatedIds.optional(),
  create_time: z.string().optional(),
  update_time: z.string().optional(),
})

export type Capture = z.infer<typeof capture>

/** Authorization, to be captured later. */
export const authorization = z.object({
  id: z.string().min(1),
  status: z.enum(['CREATED', 'CAPTURED', 'DENIED', 'PARTIALLY_CAPTURED', 'VOIDED', 'PENDING']),
  status_details: statusDetails.optional(),
  amount,
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  expiration_time: z.string().optional(),
  create_time: z.string().optional(),
})

export type Authorization = z.infer<typeof authorization>

export const refund = z.object({
  id: z.string().min(1),
  status: z.enum(['CANCELLED', 'FAILED', 'PENDING', 'COMPLETED']),
  status_details: statusDetails.optional(),
  amount: amount.optional(),
  custom_id: z.string().optional(),
  invoice_id: z.string().optional(),
  create_time: z.string().optional(),
  /** `up` links to the refunded capture. */
  links: z.array(z.object({ href: z.string(), rel: z.string() })).optional(),
})

export type Refund = z.infer<typeof refund>

/** Without an amount the whole rest is refunded. */
export type RefundBody = { amount?: z.infer<typeof amount>; invoice_id?: string; note_to_payer?: string }

/** Without an amount the full authorized amount is captured; `final_capture` releases the rest. */
export type CaptureAuthorizationBody = {
  amount?: z.infer<typeof amount>
  invoice_id?: string
  final_capture?: boolean
  note_to_payer?: string
}
