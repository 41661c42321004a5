import { z } from 'zod'

/** `POST order/pay`: opens a wallet order for an order that waits for payment. Answers the wallet order's id as one JSON text. */
export const orderPayInput = z.object({
  payment_method: z.string().max(40),
  order_id: z.coerce.number().int().positive(),
  /** Compared in constant time. */
  order_key: z.string().max(100),
})

export type OrderPayInput = z.input<typeof orderPayInput>
