import { type Kysely, sql } from 'kysely'
import { topicsTogether, type WebhookTopic } from '#contract/operations/webhook-topics.ts'
import { poolUnder } from '../engine/pipeline.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { traceForJob } from '../engine/trace.ts'

type Db = Kysely<Schema>

/** Topics with an active webhook, by connection pool. A pool without an entry asks the database each time. */
const activeTopics = new WeakMap<Db, ReadonlySet<string>>()

/** Sets the topics with an active webhook; null: unknown, so that each change asks the database. */
export function setActiveTopics(db: Db, topics: ReadonlySet<string> | null): void {
  if (topics) activeTopics.set(db, topics)
  else activeTopics.delete(db)
}

/** Reports whether a webhook may be active for one of the topics. Costs no statement. */
export function mayBeAnnounced(db: Db, topics: readonly WebhookTopic[]): boolean {
  const known = activeTopics.get(poolUnder(db))
  return !known || topics.some((topic) => topicsTogether(topic).some((one) => known.has(one)))
}

/** Changed records of one topic. */
export type Change = { readonly topic: WebhookTopic; readonly ids: readonly number[] }

/**
 * Announces changed records to webhooks, in the transaction that changes them. Sends no statement while no webhook of
 * the topic is active.
 */
export function announceChange(tx: Db, topic: WebhookTopic, ...ids: readonly number[]): Promise<void> {
  return announceChanges(tx, [{ topic, ids }])
}

/** Announces changes of several topics with one statement, as `announceChange` does. */
export async function announceChanges(tx: Db, changes: readonly Change[]): Promise<void> {
  const asked = changes.flatMap(({ topic, ids }) =>
    mayBeAnnounced(tx, [topic])
      ? topicsTogether(topic).flatMap((one) => [...new Set(ids)].map((id) => ({ topic: one, id })))
      : [],
  )
  if (asked.length === 0) return
  // Read apart from the jobs: without a webhook, the queue need not exist yet.
  const topics = [...new Set(asked.map(({ topic }) => topic))]
  const { rows: webhooks } = await sql<{ id: number; topic: string }>`
    select id, topic from webhooks where status = 'active' and topic = any(${topics}::text[])`.execute(tx)
  if (webhooks.length === 0) return
  const jobs = webhooks.flatMap(({ id: webhookId, topic }) =>
    asked.filter((one) => one.topic === topic).map(({ id }) => ({ webhookId, topic, resourceId: id })),
  )
  // One job until it begins: it reads the record when it sends.
  await enqueueDeliveries(
    tx,
    jobs.map((facts) => ({ facts, key: `webhook:${facts.webhookId}:${facts.topic}:${facts.resourceId}` })),
  )
}

/** A change to deliver; or a delivery of the log, to be attempted again. */
export type DeliveryFacts =
  | { readonly webhookId: number; readonly topic: string; readonly resourceId: number }
  | { readonly webhookId: number; readonly deliveryId: number }

/** @param runAt absent: at once */
type EnqueuedDelivery = { readonly facts: DeliveryFacts; readonly key: string; readonly runAt?: Date }

/**
 * Enqueues jobs of `server/jobs/operations/deliver-webhook.ts`. Deliveries share two queues: slow receivers occupy at
 * most two workers of a process, and payments are not delayed.
 */
export async function enqueueDeliveries(tx: Db, deliveries: readonly EnqueuedDelivery[]): Promise<void> {
  const trace = traceForJob()
  const jobs = deliveries
    // Two transactions take the locks of their keys in the same order.
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ facts, key, runAt }) => ({
      payload: { ...facts, ...trace },
      queue: `webhooks-${facts.webhookId % 2}`,
      key,
      at: runAt ?? null,
    }))
  await sql`
    select graphile_worker.add_job('deliver-webhook', job.payload, queue_name := job.queue, run_at := job.at,
      job_key := job.key, job_key_mode := 'preserve_run_at', priority := ${webhookPriority}::int)
    from json_to_recordset(${JSON.stringify(jobs)}::text::json)
      as job (payload json, queue text, key text, at timestamptz)`.execute(tx)
}

/** On the queue's scale, where 0 is normal: after payments, before emails. */
const webhookPriority = 5

/**
 * Runs a write and its announcement in one transaction, unless it runs in one already or no webhook is active.
 */
export function announcingTogether<Result>(
  db: Db,
  topics: readonly WebhookTopic[],
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction || !mayBeAnnounced(db, topics) ? work(db) : db.transaction().execute(work)
}
