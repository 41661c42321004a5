import { z } from 'zod'
import type { PurchaseUnitBody, ShippingOptionBody } from './order.ts'

const text = z.string().max(300)

/** PayPal's request for the figures of an order with another address or shipping option. */
export const shippingQuestion = z.object({
  id: z.string().regex(/^[A-Z0-9]{1,36}$/),
  shipping_address: z
    .object({
      country_code: z.string().length(2),
      admin_area_1: text.optional(),
      admin_area_2: text.optional(),
      postal_code: text.optional(),
    })
    .optional(),
  shipping_option: z.object({ id: z.string().max(127) }).optional(),
})

/** Response that accepts the change: PayPal applies the figures to its order. */
export type ShippingFigures = {
  id: string
  purchase_units: readonly (Pick<PurchaseUnitBody, 'reference_id' | 'amount' | 'items'> & {
    shipping_options: readonly ShippingOptionBody[]
  })[]
}

export type ShippingIssue =
  | 'ADDRESS_ERROR'
  | 'COUNTRY_ERROR'
  | 'STATE_ERROR'
  | 'ZIP_ERROR'
  | 'METHOD_UNAVAILABLE'
  | 'STORE_UNAVAILABLE'
