import { z } from 'zod'

/**
 * `POST cart/order`: opens a wallet order for the cart. Also takes the fields of the checkout form under their own
 * names (`billing_email`, `shipping_method[0]`, `intention` …), flat, as texts.
 */
export const cartOrderInput = z
  .object({
    payment_method: z.string().max(40),
    context: z.enum(['product', 'cart', 'minicart', 'checkout', 'express']),
  })
  .catchall(z.string().max(10_000))

/** The wallet order's id as a JSON string. Invalid fields return 400 `validation_errors`. */
export const cartOrderAnswer = z.string()

export type CartOrderInput = z.infer<typeof cartOrderInput>
