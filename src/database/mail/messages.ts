import { type Kysely, sql, type Transaction } from 'kysely'
import { columnOf } from '../engine/array-parameter.ts'
import { afterCommit } from '../engine/pipeline.ts'
import type { Row, Schema } from '../engine/schema/schema.ts'
import { traceForJob } from '../engine/trace.ts'
import { announcePendingMail } from './outbox.ts'

export type MailRow = Row<'sent_mail'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** Emails that announce the end of an order; after one of them, the same event of that order is announced again. */
const endings = ['cancelled_order', 'failed_order', 'customer_cancelled_order', 'customer_failed_order']

/**
 * Enqueues emails about an order for `mail-outbox.ts`: they are sent only if the transaction commits. The caller holds
 * the order's lock.
 *
 *
 * The id of an email is derived from its event, so that a repeated call has no effect. `again` permits the same email
 * once more: after the order ended and was reopened, at every call, or never.
 */
export function insertMail(
  tx: Tx,
  orderId: number,
  mails: readonly { kind: string; about?: number }[],
  again: 'after-an-end' | 'always' | 'never',
): Promise<void> {
  const trace = traceForJob()
  return insertMails(
    tx,
    mails.map((mail) => ({ orderId, trace, ...mail })),
    again,
  )
}

/** Enqueues emails of several orders, each in the trace of its origin. */
export async function insertMails(
  tx: Tx,
  mails: readonly { orderId: number; kind: string; about?: number; trace: ReturnType<typeof traceForJob> }[],
  again: 'after-an-end' | 'always' | 'never',
): Promise<void> {
  if (mails.length === 0) return
  const earlier = {
    never: sql`0`,
    always: sql`(select count(*) from sent_mail m where m.order_id = asked.order_id and m.kind = asked.kind)`,
    'after-an-end': sql`(select count(*) from sent_mail m where m.order_id = asked.order_id and m.kind = any(${endings}::text[]))`,
  }[again]
  await sql`
    insert into sent_mail (message_id, order_id, kind, recipient, about, waits_since, traceparent)
    select concat_ws('-', 'order', order_id, kind, about, nullif(${earlier}, 0)), order_id, kind, '', about, now(), traceparent
    from unnest(${columnOf(mails, ({ orderId }) => orderId, 'bigint')}, ${columnOf(mails, ({ kind }) => kind, 'text')},
      ${columnOf(mails, ({ about }) => about, 'bigint')}, ${columnOf(mails, ({ trace }) => trace.traceparent, 'text')})
      with ordinality as asked (order_id, kind, about, traceparent, place) order by place
    on conflict (message_id) do nothing`.execute(tx)
  afterCommit(tx, announcePendingMail)
}

export function findMail(db: Db, messageId: string): Promise<MailRow | undefined> {
  return db.selectFrom('sent_mail').selectAll().where('message_id', '=', messageId).executeTakeFirst()
}

/** Returns the row of an email without an order; inserts it unless it exists. */
export async function insertStandaloneMail(
  db: Db,
  mail: { message_id: string; kind: string; recipient: string },
): Promise<MailRow> {
  await db
    .insertInto('sent_mail')
    .values(mail)
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .execute()
  return db.selectFrom('sent_mail').selectAll().where('message_id', '=', mail.message_id).executeTakeFirstOrThrow()
}

/** The outcome of an email. */
export type MailOutcome = { recipient: string; sent_at: Date } | { skipped: 'disabled' | 'nobody' }

/** Records outcomes of emails. */
export async function recordMailOutcomes(
  db: Db,
  ended: readonly { messageId: string; end: MailOutcome }[],
): Promise<void> {
  if (ended.length === 0) return
  type End = { recipient?: string; sent_at?: Date; skipped?: string }
  const column = (of: (end: End) => string | undefined, type: 'text' | 'timestamptz') =>
    columnOf(ended, ({ end }) => of(end), type)
  await sql`
    update sent_mail set recipient = coalesce(ended.recipient, sent_mail.recipient), sent_at = ended.sent_at,
      skipped = ended.skipped, waits_since = null, taken_at = null
    from unnest(${columnOf(ended, ({ messageId }) => messageId, 'text')}, ${column((end) => end.recipient, 'text')},
      ${column((end) => end.sent_at?.toISOString(), 'timestamptz')}, ${column((end) => end.skipped, 'text')})
      as ended (message_id, recipient, sent_at, skipped)
    where sent_mail.message_id = ended.message_id`.execute(db)
}

/** Returns the emails about an order, in the order of their events. */
export function findMailOfOrder(db: Db, orderId: number): Promise<MailRow[]> {
  return db.selectFrom('sent_mail').selectAll().where('order_id', '=', orderId).orderBy('message_id').execute()
}
