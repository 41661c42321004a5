import { pingTopic } from '#contract/operations/v3-webhooks.ts'
import { topicParts } from '#contract/operations/webhook-topics.ts'
import { transaction } from '#database/engine/connect.ts'
import { type DeliveryFacts, enqueueDeliveries } from '#database/operations/announce-change.ts'
import {
  countWebhookFailure,
  type DeliveryRow,
  deliveryOfJob,
  findDelivery,
  findWebhook,
  followActiveTopics,
  resetWebhookFailures,
  updateDelivery,
  updateWebhook,
  type WebhookRow,
  webhooksChanged,
} from '#database/operations/webhooks.ts'
import type { Tools } from '../../shared/tools.ts'
import { deliveryKey } from './manage-webhooks.ts'
import { openWebhookSecret, webhookSignature } from './webhook-secret.ts'

export type DeliveryTools = Pick<Tools, 'db' | 'clock' | 'chance' | 'network' | 'log' | 'publicUrl'>

/** Returns the record of REST v3 that a delivery sends; null if it no longer exists. */
export type PayloadOf = (resource: string, id: number, webhookId: number) => Promise<object | null>

const timeoutMs = 60_000
const minuteMs = 60_000
/** Waits before the attempts after the first. */
const backOffMinutes = [1, 5, 30, 2 * 60, 8 * 60]
/** Consecutive failures that a webhook survives. */
const mostFailures = 5

/**
 * Attempts a delivery, and schedules the next attempt if it fails. A process that dies after sending sends again, with
 * the same delivery id: at least once.
 */
export async function deliverWebhook(
  tools: DeliveryTools,
  { secret: shopSecret, payloadOf }: { readonly secret: string; readonly payloadOf: PayloadOf },
  facts: DeliveryFacts,
  jobId: string,
): Promise<void> {
  const { kysely } = tools.db
  const webhook = await findWebhook(kysely, facts.webhookId)
  // Deleted meanwhile, with its log.
  if (!webhook) return
  const delivery = await deliveryFor(tools, webhook, facts, jobId)
  if (delivery?.state !== 'pending') return
  const isPing = delivery.topic === pingTopic
  if (webhook.status !== 'active' && !isPing) return close(tools, delivery, `The webhook is ${webhook.status}.`)
  const secret = openWebhookSecret(shopSecret, webhook)
  if (secret === null) {
    tools.log.error({ webhookId: webhook.id }, 'webhook secret is encrypted with another secret: set it again')
    return close(tools, delivery, 'The secret was encrypted with another VITRINE_SECRET: set it again.')
  }
  const request = isPing ? pingOf(webhook) : await requestOf(tools, webhook, delivery, secret, payloadOf)
  if (!request) return close(tools, delivery, 'The record no longer exists.')
  const outcome = await send(tools, webhook.delivery_url, request)
  await settle(tools, webhook, delivery, outcome)
}

function deliveryFor(
  { db, clock }: DeliveryTools,
  webhook: WebhookRow,
  facts: DeliveryFacts,
  jobId: string,
): Promise<DeliveryRow | undefined> {
  if ('deliveryId' in facts) return findDelivery(db.kysely, facts.deliveryId)
  return deliveryOfJob(db.kysely, {
    webhook_id: webhook.id,
    job_id: jobId,
    topic: facts.topic,
    resource_id: facts.resourceId,
    url: webhook.delivery_url,
    created_at: clock.now(),
  })
}

type WebhookRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

const userAgent = 'Vitrine Hookshot'

/** A form without a signature, as programs expect when a webhook is saved. */
const pingOf = ({ id }: WebhookRow): WebhookRequest => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
  body: `webhook_id=${id}`,
})

async function requestOf(
  { publicUrl }: DeliveryTools,
  webhook: WebhookRow,
  { id, topic, resource_id: resourceId }: DeliveryRow,
  secret: string,
  payloadOf: PayloadOf,
): Promise<WebhookRequest | null> {
  const { resource, event } = topicParts(topic)
  const payload =
    resource === 'action'
      ? { action: event, arg: resourceId }
      : event === 'deleted'
        ? { id: resourceId }
        : await payloadOf(resource, resourceId, webhook.id)
  if (payload === null) return null
  const body = JSON.stringify(payload)
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-WC-Webhook-Source': `${publicUrl}/`,
    'X-WC-Webhook-Topic': topic,
    'X-WC-Webhook-Resource': resource,
    'X-WC-Webhook-Event': event,
    'X-WC-Webhook-Signature': webhookSignature(secret, body),
    'X-WC-Webhook-ID': String(webhook.id),
    'X-WC-Webhook-Delivery-ID': String(id),
  }
  return { headers, body }
}

/** @param code null: there was no response */
type Outcome = { readonly ok: boolean; readonly code: number | null; readonly summary: string; readonly ms: number }

/** Sends without following redirects. Only 2xx counts as delivered. */
async function send(
  { network, clock }: DeliveryTools,
  url: string,
  { headers, body }: WebhookRequest,
): Promise<Outcome> {
  const start = clock.now().getTime()
  const ms = () => Math.max(0, clock.now().getTime() - start)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const init = { method: 'POST', headers, body, redirect: 'manual', signal, reach: 'internet' } as const
    const response = await network.fetch(url, init)
    // The body is of no interest, and may be endless.
    await response.body?.cancel().catch(() => undefined)
    return { ok: response.ok, code: response.status, summary: `HTTP ${response.status}`, ms: ms() }
  } catch (error) {
    const summary = signal.aborted ? `no response within ${timeoutMs / 1000} seconds` : problemOf(error)
    return { ok: false, code: null, summary, ms: ms() }
  }
}

/** The platform's fetch gives its reason as the cause: `connect ECONNREFUSED 203.0.113.7:443`. */
function problemOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 200)
}

async function settle(
  tools: DeliveryTools,
  webhook: WebhookRow,
  { id, topic, attempts: before }: DeliveryRow,
  { ok, code, summary, ms }: Outcome,
): Promise<void> {
  const now = tools.clock.now()
  const attempts = before + 1
  const attempt = { attempts, response_code: code, summary, duration_ms: ms, attempted_at: now }
  const isPing = topic === pingTopic
  const isDisabled = await transaction(tools, async (tx) => {
    if (ok) {
      await updateDelivery(tx, id, { ...attempt, state: 'delivered', next_at: null })
      if (!isPing) await resetWebhookFailures(tx, webhook.id)
      return false
    }
    const isOver = !isPing && (await countWebhookFailure(tx, webhook.id)) > mostFailures
    const minutes = isPing || isOver ? undefined : backOffMinutes[attempts - 1]
    const nextAt = minutes === undefined ? null : new Date(now.getTime() + minutes * minuteMs)
    await updateDelivery(tx, id, { ...attempt, state: nextAt ? 'pending' : 'failed', next_at: nextAt })
    if (nextAt) {
      const facts = { webhookId: webhook.id, deliveryId: id }
      await enqueueDeliveries(tx, [{ facts, key: deliveryKey(id), runAt: nextAt }])
    }
    if (isOver) {
      await updateWebhook(tx, webhook.id, { status: 'disabled', updated_at: now })
      await webhooksChanged(tx)
    }
    return isOver
  })
  if (!isDisabled) return
  await followActiveTopics(tools.db)
  tools.log.warn({ webhookId: webhook.id, summary }, 'webhook disabled after repeated failures')
}

const close = ({ db, clock }: DeliveryTools, { id }: DeliveryRow, summary: string): Promise<void> =>
  updateDelivery(db.kysely, id, { state: 'failed', summary, next_at: null, attempted_at: clock.now() })
