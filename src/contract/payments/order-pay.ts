import { z } from 'zod'
import { idInput } from '../shared/number-text.ts'

/** `POST order/pay`: opens a wallet order for an order that waits for payment. Fields of the method may come along: keep it, the button pressed. Answers the wallet order's id as one JSON text. */
export const orderPayInput = z.object({
  payment_method: z.string().max(40),
  order_id: idInput,
  /** Compared in constant time. */
  order_key: z.string().max(100),
  /** Which button was pressed. */
  ppcp_funding: z.string().max(20).optional(),
  /** Keep the means for the next time. */
  ppcp_save_payment: z.string().max(10).optional(),
  /** The version of the terms that the page showed; left out by callers that show none. */
  terms_version: z.string().max(100).optional(),
})

export type OrderPayInput = z.input<typeof orderPayInput>
