import { z } from 'zod'

const place = z.string().max(200).default('').catch('')

/** `update_order_review`: address and payment method, as far as the form is filled in. */
export const updateOrderReviewInput = z.object({
  payment_method: z.string().max(40).default('').catch(''),
  country: place,
  state: place,
  postcode: place,
  city: place,
  address: place,
  address_2: place,
  s_country: place,
  s_state: place,
  s_postcode: place,
  s_city: place,
  s_address: place,
  s_address_2: place,
  has_full_address: z.string().default('false').catch('false'),
  /** The whole form, url-encoded inside the field. */
  post_data: z.string().max(100_000).default('').catch(''),
  /** The page is being left: the values are stored, and no totals are requested. */
  leaving: z.literal('1').optional().catch(undefined),
  shipping_method: z.record(z.string(), z.string().max(100)).default({}).catch({}),
})

export type UpdateOrderReviewInput = z.infer<typeof updateOrderReviewInput>
