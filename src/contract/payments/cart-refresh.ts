import { z } from 'zod'
import { paymentSettings } from './page-settings.ts'

/** `POST cart/refresh`: the visitor's side of the settings. Needs no nonce: it is where a cached page gets one. */
export const cartRefreshInput = z.object({ page: z.string().max(40) })

export const cartRefreshAnswer = z.object({
  cart: paymentSettings.shape.cart.unwrap(),
  queryParams: paymentSettings.shape.queryParams,
  /** For the header `X-WP-Nonce`. */
  nonce: z.string(),
})

export type CartRefreshAnswer = z.infer<typeof cartRefreshAnswer>
