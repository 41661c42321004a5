import type { Generated } from 'kysely'

export type WebhookStatus = 'active' | 'paused' | 'disabled'

export type WebhooksTable = {
  id: Generated<number>
  name: string
  status: Generated<WebhookStatus>
  topic: string
  delivery_url: string
  /** Encrypted: see `shop/operations/webhooks/webhook-secret.ts`. */
  secret: string
  /** Failed attempts since the last success. */
  failure_count: Generated<number>
  made_by: string
  created_at: Date
  updated_at: Date
}

export type WebhookDeliveriesTable = {
  id: Generated<number>
  webhook_id: number
  /** The queue's job that wrote the row. */
  job_id: string | null
  topic: string
  resource_id: number
  url: string
  state: Generated<'pending' | 'delivered' | 'failed'>
  attempts: Generated<number>
  /** Null: there was no response. */
  response_code: number | null
  summary: Generated<string>
  /** Duration of the last attempt. */
  duration_ms: Generated<number>
  created_at: Date
  attempted_at: Date | null
  /** Time of the next attempt. */
  next_at: Date | null
}
