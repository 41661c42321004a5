import { z } from 'zod'
import { paymentSettings } from './page-settings.ts'

/** `POST cart/refresh`: returns the visitor's part of the settings. Needs no nonce: a cached page gets one here. */
export const cartRefreshInput = z.object({ page: z.string().max(40) })

export const cartRefreshAnswer = z.object({
  cart: paymentSettings.shape.cart.unwrap(),
  queryParams: paymentSettings.shape.queryParams,
  /** For the header `X-WP-Nonce`. */
  nonce: z.string(),
})

export type CartRefreshAnswer = z.infer<typeof cartRefreshAnswer>
