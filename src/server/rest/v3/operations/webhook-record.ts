import type { V3Webhook, V3WebhookDelivery } from '#contract/operations/v3-webhooks.ts'
import { hooksOf, topicParts } from '#contract/operations/webhook-topics.ts'
import type { DeliveryRow, WebhookRow } from '#database/operations/webhooks.ts'
import { localTime } from '#shop/shared/local-time.ts'

/** @param timeZone the shop's */
export function webhookRecord(row: WebhookRow, timeZone: string): V3Webhook {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    topic: row.topic,
    ...topicParts(row.topic),
    hooks: [...hooksOf(row.topic)],
    delivery_url: row.delivery_url,
    date_created: localTime(row.created_at, timeZone),
    date_created_gmt: localTime(row.created_at, 'UTC'),
    date_modified: localTime(row.updated_at, timeZone),
    date_modified_gmt: localTime(row.updated_at, 'UTC'),
  }
}

/** @param timeZone the shop's */
export function deliveryRecord(row: DeliveryRow, timeZone: string): V3WebhookDelivery {
  const utc = (at: Date | null) => at && localTime(at, 'UTC')
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    topic: row.topic,
    resource_id: row.resource_id,
    status: row.state,
    attempts: row.attempts,
    duration: (row.duration_ms / 1000).toFixed(3),
    summary: row.summary,
    request_method: 'POST',
    request_url: row.url,
    response_code: row.response_code,
    date_created: localTime(row.created_at, timeZone),
    date_created_gmt: localTime(row.created_at, 'UTC'),
    date_attempted_gmt: utc(row.attempted_at),
    date_next_attempt_gmt: utc(row.next_at),
  }
}
