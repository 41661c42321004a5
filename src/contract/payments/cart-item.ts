import { z } from 'zod'
import { idInput } from '../shared/number-text.ts'

/** `POST cart/item`: adds the product page's choice to the cart and opens a wallet order for it. */
export const cartItemInput = z.object({
  payment_method: z.string().max(40),
  context: z.string().max(40).optional(),
  product_id: idInput,
  /** 0: none chosen, or not a variable product. */
  variation_id: z.coerce.number().int().min(0).default(0),
  qty: z.coerce.number().positive().max(10_000).default(1),
  /** `attribute_pa_colour` → value. */
  variation: z.record(z.string().max(200), z.string().max(200)).default({}),
  /** Pressed button. */
  ppcp_funding: z.string().max(20).optional(),
  /** Currency of the page's buttons; optional. */
  seen_currency: z.string().max(20).optional(),
  /** Version of the terms shown on the page; missing from callers that show none. */
  terms_version: z.string().max(100).optional(),
})

/** Errors have code `add-to-cart-error` and status 200. */
export const cartItemAnswer = z.object({
  order_id: z.string(),
  cart_item_key: z.string(),
  cart: z.object({ total: z.string(), currency: z.string(), needsShipping: z.boolean() }),
})

export type CartItemInput = z.input<typeof cartItemInput>
export type CartItemAnswer = z.infer<typeof cartItemAnswer>
