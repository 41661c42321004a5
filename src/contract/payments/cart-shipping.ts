import { z } from 'zod'
import { walletOrderIdPattern } from './constants.ts'

const place = z.string().max(200).default('')

/**
 * `POST cart/shipping`: applies another address or shipping option of the wallet's window. The cart is recalculated and
 * the wallet order gets the new figures. Also takes fields of the form, flat, as texts.
 */
export const cartShippingInput = z
  .object({
    payment_method: z.string().max(40),
    order_id: z.string().regex(walletOrderIdPattern),
    /** As the wallet provides it before approval: without name and street. */
    address: z
      .object({ city: place, state: place, postcode: place, country: z.string().max(2).default('') })
      .optional(),
    /** `0:flat_rate:3`: package, then rate; '' or missing without a choice. */
    shipping_method: z.union([z.string().max(200), z.record(z.string().max(10), z.string().max(200))]).optional(),
  })
  .catchall(z.union([z.string().max(10_000), z.record(z.string().max(200), z.string().max(10_000))]))

/** A response with `code` (a `PaymentError`) rejects the change. */
export const cartShippingAnswer = z.object({ success: z.literal(true), order_id: z.string() })

export type CartShippingInput = z.input<typeof cartShippingInput>
