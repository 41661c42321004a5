import { z } from 'zod'
import { walletOrderIdPattern } from './constants.ts'

const place = z.string().max(200).default('')

/**
 * `POST cart/shipping`: the buyer has chosen another address or another way of shipping in the wallet's window. The cart
 * is worked out for it and the wallet order gets the new figures. Fields of the form may come along, flat, as texts.
 */
export const cartShippingInput = z
  .object({
    payment_method: z.string().max(40),
    order_id: z.string().regex(walletOrderIdPattern),
    /** As the wallet gives it away before approval: without name and street. */
    address: z
      .object({ city: place, state: place, postcode: place, country: z.string().max(2).default('') })
      .optional(),
    /** `0:flat_rate:3`: package, then rate; '' or left out where the buyer has not chosen. */
    shipping_method: z.union([z.string().max(200), z.record(z.string().max(10), z.string().max(200))]).optional(),
  })
  .catchall(z.union([z.string().max(10_000), z.record(z.string().max(200), z.string().max(10_000))]))

/** An answer with `code` (a `PaymentError`) means: reject the change. */
export const cartShippingAnswer = z.object({ success: z.literal(true), order_id: z.string() })

export type CartShippingInput = z.input<typeof cartShippingInput>
