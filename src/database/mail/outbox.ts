import { type Kysely, sql } from 'kysely'
import type { Database } from '../engine/connect.ts'
import type { Sql } from '../engine/driver/sql.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { hasQueue, mailPriority } from '../operations/job-queue.ts'

type Db = Kysely<Schema>

// Emails about orders wait in their own rows, and any process of the shop claims them, several at a time. A job for
// each cost the database more than the rest of an order, and the notification of a new job serializes all commits. A
// failed email becomes a job: the queue retries.

const listeners = new WeakMap<Sql, () => void>()

/** Calls `wake` when this process has enqueued emails. Emails of other processes must be polled. */
export function onPendingMail({ sql: pool }: Pick<Database, 'sql'>, wake: () => void): void {
  listeners.set(pool, wake)
}

/** For `afterCommit`. */
export function announcePendingMail(pool: Sql): void {
  listeners.get(pool)?.()
}

/**
 * Claims waiting emails, all of one order together, for this process alone. The claimant closes each, moves it to the
 * queue, or releases it.
 * @param most maximum number
 */
export async function claimPendingMail(db: Db, now: Date, most: number): Promise<Row<'sent_mail'>[]> {
  const taken = await db
    .updateTable('sent_mail')
    .set({ waits_since: null, taken_at: now })
    .where('message_id', 'in', (one) =>
      one
        .selectFrom('sent_mail')
        .select('message_id')
        .where('waits_since', 'is not', null)
        .orderBy('order_id')
        .orderBy('message_id')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  return taken.sort((a, b) => (a.order_id ?? 0) - (b.order_id ?? 0) || (a.message_id < b.message_id ? -1 : 1))
}

/** Releases emails that this process claimed and did not begin. */
export async function releaseMail(db: Db, messageIds: readonly string[]): Promise<void> {
  await db
    .updateTable('sent_mail')
    .set({ waits_since: sql`now()`, taken_at: null })
    .where('message_id', 'in', messageIds)
    .where('taken_at', 'is not', null)
    .execute()
}

/** Moves a failed email to the queue, which retries it like any other job. */
export async function enqueueFailedMail(db: Db, messageId: string): Promise<void> {
  await toQueue(sql`message_id = ${messageId}`).execute(db)
}

/**
 * Moves claimed but never closed emails to the queue: their process died, perhaps because of them.
 * @param before latest time of the claim
 */
export async function enqueueAbandonedMail({ kysely, sql: pool }: Database, before: Date): Promise<void> {
  const [lost] = await kysely
    .selectFrom('sent_mail')
    .select('message_id')
    .where('taken_at', '<', before)
    .limit(1)
    .execute()
  if (lost && (await hasQueue(pool))) await toQueue(sql`taken_at < ${before}`).execute(kysely)
}

const toQueue = (which: ReturnType<typeof sql>) => sql`
  with left_over as (
    update sent_mail set taken_at = null where ${which} and taken_at is not null
    returning message_id, traceparent)
  select graphile_worker.add_job('order-mail', json_build_object('messageId', message_id, 'traceparent', traceparent),
    job_key := message_id, job_key_mode := 'preserve_run_at', run_at := now() + interval '2 seconds', priority := ${mailPriority}) from left_over`
