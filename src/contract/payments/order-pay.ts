import { z } from 'zod'
import { idInput } from '../shared/number-text.ts'

/**
 * `POST order/pay`: opens a wallet order for an unpaid order. Also takes fields of the method: save, pressed button.
 * Returns the wallet order's id as a JSON string.
 */
export const orderPayInput = z.object({
  payment_method: z.string().max(40),
  order_id: idInput,
  /** Compared in constant time. */
  order_key: z.string().max(100),
  /** Pressed button. */
  ppcp_funding: z.string().max(20).optional(),
  /** Save the payment method. */
  ppcp_save_payment: z.string().max(10).optional(),
  /** Version of the terms shown on the page; missing from callers that show none. */
  terms_version: z.string().max(100).optional(),
})

export type OrderPayInput = z.input<typeof orderPayInput>
