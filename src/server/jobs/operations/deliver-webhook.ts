import { z } from 'zod'
import { deliverWebhook, type PayloadOf } from '#shop/operations/webhooks/deliver-webhook.ts'
import type { Tools } from '#shop/shared/tools.ts'

const id = z.number().int().positive()
const facts = z.union([
  z.object({ webhookId: id, deliveryId: id }),
  z.object({ webhookId: id, topic: z.string(), resourceId: id }),
])

/** Creates the job that sends one delivery of a webhook. It schedules its own retries. */
export function deliverWebhookJob(tools: Tools, options: { secret: string; payloadOf: PayloadOf }) {
  return (payload: unknown, jobId: string): Promise<void> => deliverWebhook(tools, options, facts.parse(payload), jobId)
}
