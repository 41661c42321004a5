import { z } from 'zod'
import type { Tools } from '#shop/shared/tools.ts'
import { sendShipment } from '#shop/shipping/report-shipment.ts'

const facts = z.object({
  orderId: z.number().int(),
  trackingNumber: z.string(),
  carrier: z.string(),
  items: z.array(z.object({ itemId: z.number().int(), quantity: z.number().int() })),
  notifyPayer: z.boolean(),
})

/** Reports a parcel to the payment provider; what fails is tried again by the queue. */
export function reportShipmentJob(tools: Tools) {
  return (payload: unknown): Promise<void> => sendShipment(tools, facts.parse(payload))
}
