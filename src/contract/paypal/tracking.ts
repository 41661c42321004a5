import { z } from 'zod'

/** `POST /v2/checkout/orders/{id}/track`: a shipment of a captured order. */
export type TrackingBody = {
  capture_id: string
  tracking_number: string
  /** A PayPal carrier code, or `OTHER` with the name beside it. */
  carrier: string
  carrier_name_other?: string
  notify_payer: boolean
  items?: { name: string; quantity: string; sku?: string }[]
}

/** The order with its shipments; other members are not used. */
export const trackedOrder = z.object({ id: z.string().min(1) })

export type TrackedOrder = z.infer<typeof trackedOrder>
