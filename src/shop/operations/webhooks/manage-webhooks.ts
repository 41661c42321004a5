import type { Kysely } from 'kysely'
import { pingTopic } from '#contract/operations/v3-webhooks.ts'
import { isWebhookTopic } from '#contract/operations/webhook-topics.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import type { Schema } from '#database/engine/schema/schema.ts'
import { enqueueDeliveries } from '#database/operations/announce-change.ts'
import {
  type DeliveryRow,
  deleteWebhook,
  findDelivery,
  findWebhook,
  followActiveTopics,
  insertDelivery,
  insertWebhook,
  nextWebhookId,
  updateWebhook,
  type WebhookRow,
  webhooksChanged,
} from '#database/operations/webhooks.ts'
import { localTime } from '../../shared/local-time.ts'
import type { Tools } from '../../shared/tools.ts'
import { sealWebhookSecret } from './webhook-secret.ts'

type WebhookTools = Pick<Tools, 'db' | 'chance' | 'clock' | 'settings'>

/** @param secret the shop's, which encrypts those of webhooks; `who` is the caller, for the access log */
export type WebhookManager = { readonly secret: string; readonly who: string }

export type WrittenWebhook = {
  readonly name?: string | undefined
  readonly status?: WebhookRow['status'] | undefined
  readonly topic?: string | undefined
  readonly deliveryUrl?: string | undefined
  readonly secret?: string | undefined
}

export type WebhookFault = 'topic' | 'delivery-url' | 'unknown'
export type WebhookResult<Value> = { ok: true; value: Value } | { ok: false; fault: WebhookFault }

/**
 * Creates a webhook, and enqueues its ping.
 * @returns it with its plain secret, which cannot be shown again
 */
export async function createWebhook(
  tools: WebhookTools,
  { secret: shopSecret, who }: WebhookManager,
  { name, status = 'active', topic = '', deliveryUrl = '', secret: given }: WrittenWebhook,
): Promise<WebhookResult<{ webhook: WebhookRow; secret: string }>> {
  const fault = faultOf({ topic, deliveryUrl })
  if (fault) return { ok: false, fault }
  const now = tools.clock.now()
  const secret = given || tools.chance.alphanumeric(50)
  const webhook = await change(tools, async (tx) => {
    const id = await nextWebhookId(tx)
    const row = await insertWebhook(tx, {
      id,
      name: name || `Webhook created on ${localTime(now, tools.settings.timeZone).replace('T', ' ')}`,
      status,
      topic,
      delivery_url: deliveryUrl,
      secret: sealWebhookSecret(tools, shopSecret, { id, secret }),
      made_by: who,
      created_at: now,
      updated_at: now,
    })
    await recordAccess(tx, { at: now, who, action: 'webhooks create', subject: `webhook:${id}` })
    await enqueueDelivery(tx, row, { topic: pingTopic, resourceId: id, now })
    return row
  })
  return { ok: true, value: { webhook, secret } }
}

/** Changes a webhook. Activating it resets its failures. @param written absent members stay unchanged */
export async function changeWebhook(
  tools: WebhookTools,
  { secret: shopSecret, who }: WebhookManager,
  id: number,
  { name, status, topic, deliveryUrl, secret }: WrittenWebhook,
): Promise<WebhookResult<WebhookRow>> {
  const fault = faultOf({ topic, deliveryUrl })
  if (fault) return { ok: false, fault }
  const now = tools.clock.now()
  const changed = await change(tools, async (tx) => {
    const row = await updateWebhook(tx, id, {
      ...(name ? { name } : {}),
      ...(status ? { status } : {}),
      ...(status === 'active' ? { failure_count: 0 } : {}),
      ...(topic ? { topic } : {}),
      ...(deliveryUrl ? { delivery_url: deliveryUrl } : {}),
      ...(secret ? { secret: sealWebhookSecret(tools, shopSecret, { id, secret }) } : {}),
      updated_at: now,
    })
    if (row) await recordAccess(tx, { at: now, who, action: 'webhooks change', subject: `webhook:${id}` })
    return row
  })
  return changed ? { ok: true, value: changed } : { ok: false, fault: 'unknown' }
}

/** Deletes a webhook with its log. @returns the deleted row */
export async function removeWebhook(
  tools: WebhookTools,
  { who }: Pick<WebhookManager, 'who'>,
  id: number,
): Promise<WebhookRow | null> {
  const gone = await change(tools, async (tx) => {
    const row = await deleteWebhook(tx, id)
    const at = tools.clock.now()
    if (row) await recordAccess(tx, { at, who, action: 'webhooks delete', subject: `webhook:${id}` })
    return row
  })
  return gone ?? null
}

/** Enqueues a ping. @returns its delivery */
export async function pingWebhook(tools: WebhookTools, id: number): Promise<DeliveryRow | null> {
  return tools.db.kysely.transaction().execute(async (tx) => {
    const webhook = await findWebhook(tx, id)
    return webhook ? enqueueDelivery(tx, webhook, { topic: pingTopic, resourceId: id, now: tools.clock.now() }) : null
  })
}

/**
 * Delivers an earlier delivery again, with the record as it is now: a new delivery of the log.
 * @returns null if it does not exist, `inactive` if its webhook is not active
 */
export async function replayDelivery(tools: WebhookTools, id: number): Promise<DeliveryRow | null | 'inactive'> {
  return tools.db.kysely.transaction().execute(async (tx) => {
    const earlier = await findDelivery(tx, id)
    const webhook = earlier && (await findWebhook(tx, earlier.webhook_id))
    if (!webhook) return null
    if (webhook.status !== 'active' && earlier.topic !== pingTopic) return 'inactive'
    const { topic, resource_id: resourceId } = earlier
    return enqueueDelivery(tx, webhook, { topic, resourceId, now: tools.clock.now() })
  })
}

async function enqueueDelivery(
  tx: Kysely<Schema>,
  webhook: WebhookRow,
  { topic, resourceId, now }: { topic: string; resourceId: number; now: Date },
): Promise<DeliveryRow> {
  const { id: webhookId, delivery_url: url } = webhook
  const delivery = await insertDelivery(tx, {
    webhook_id: webhookId,
    topic,
    resource_id: resourceId,
    url,
    created_at: now,
  })
  const facts = { webhookId, deliveryId: delivery.id }
  await enqueueDeliveries(tx, [{ facts, key: deliveryKey(delivery.id) }])
  return delivery
}

/** Key of the job that attempts a delivery of the log. */
export const deliveryKey = (id: number) => `webhook-delivery:${id}`

/** Changes webhooks, and updates the topics of all processes: of this one before the answer. */
async function change<Result>(
  { db }: Pick<Tools, 'db'>,
  work: (tx: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  const result = await db.kysely.transaction().execute(async (tx) => {
    const done = await work(tx)
    await webhooksChanged(tx)
    return done
  })
  await followActiveTopics(db)
  return result
}

function faultOf({
  topic,
  deliveryUrl,
}: Partial<Record<'topic' | 'deliveryUrl', string | undefined>>): WebhookFault | null {
  if (topic !== undefined && !isWebhookTopic(topic)) return 'topic'
  if (deliveryUrl === undefined) return null
  const url = URL.parse(deliveryUrl)
  const isGood = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  return isGood ? null : 'delivery-url'
}
