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

/** Creates the job that reports a shipment to the payment provider; the queue retries failures. */
export function reportShipmentJob(tools: Tools) {
  return (payload: unknown): Promise<void> => sendShipment(tools, facts.parse(payload))
}
