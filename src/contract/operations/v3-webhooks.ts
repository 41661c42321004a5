import { z } from 'zod'
import { datedFilters, paging, recordShape } from '../shared/rest-input.ts'

/** Topic of the form that a new webhook receives; no program subscribes to it. */
export const pingTopic = 'ping'

const statuses = ['active', 'paused', 'disabled'] as const

/** A webhook of REST v3. Its secret is written, never read. */
export const v3Webhook = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.enum(statuses),
  topic: z.string(),
  resource: z.string(),
  event: z.string(),
  hooks: z.array(z.string()),
  delivery_url: z.string(),
  date_created: z.string(),
  date_created_gmt: z.string(),
  date_modified: z.string(),
  date_modified_gmt: z.string(),
})
export type V3Webhook = z.output<typeof v3Webhook>

/** `GET wc/v3/webhooks` */
export const v3WebhooksQuery = z.object({
  ...paging,
  ...recordShape,
  ...datedFilters,
  orderby: z.enum(['date', 'id', 'title']).default('date'),
  status: z.enum(['all', ...statuses]).default('all'),
})
export type V3WebhooksQuery = z.output<typeof v3WebhooksQuery>

const written = {
  name: z.string().trim().max(200).optional(),
  status: z.enum(statuses).optional(),
  secret: z.string().max(200).optional(),
}

export const v3WebhookInput = z.looseObject({
  ...written,
  topic: z.string().max(200).optional(),
  delivery_url: z.string().trim().max(2000).optional(),
})

/** A delivery of the log. Payloads are not stored. */
export const v3WebhookDelivery = z.object({
  id: z.number().int(),
  webhook_id: z.number().int(),
  topic: z.string(),
  resource_id: z.number().int(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number().int(),
  /** Seconds of the last attempt, as text: `0.25`. */
  duration: z.string(),
  summary: z.string(),
  request_method: z.literal('POST'),
  request_url: z.string(),
  response_code: z.number().int().nullable(),
  date_created: z.string(),
  date_created_gmt: z.string(),
  date_attempted_gmt: z.string().nullable(),
  date_next_attempt_gmt: z.string().nullable(),
})
export type V3WebhookDelivery = z.output<typeof v3WebhookDelivery>

/** `GET wc/v3/webhooks/<id>/deliveries` */
export const v3WebhookDeliveriesQuery = z.object({ ...paging, ...recordShape })
