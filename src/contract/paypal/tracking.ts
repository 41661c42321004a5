import { z } from 'zod'

/** `POST /v2/checkout/orders/{id}/track`: a parcel of a captured order. */
export type TrackingBody = {
  capture_id: string
  tracking_number: string
  /** One of the provider's codes, or `OTHER` with the name beside it. */
  carrier: string
  carrier_name_other?: string
  notify_payer: boolean
  items?: { name: string; quantity: string; sku?: string }[]
}

/** The order with its parcels; what else it holds is of no interest here. */
export const trackedOrder = z.object({ id: z.string().min(1) })

export type TrackedOrder = z.infer<typeof trackedOrder>
