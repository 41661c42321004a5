import { type Kysely, sql, type Transaction } from 'kysely'
import type { Row, Schema } from './schema.ts'
import { carriedTrace } from './trace.ts'

export type MailRow = Row<'sent_mail'>
type Db = Kysely<Schema>
type Tx = Transaction<Schema>

/** A message of one of these says that the order is over; what follows it in the same order is news again. */
const endings = ['cancelled_order', 'failed_order', 'customer_cancelled_order', 'customer_failed_order']

/**
 * Puts messages about an order down, each with the job that sends it: they leave if and only if the transaction commits.
 * The caller holds the order's lock.
 *
 * A message has one id for what it says, so that asking twice changes nothing. `again` says when the same may be said once
 * more: after the order ended and was taken up again, at every call, or never.
 */
export async function putDownMail(
  tx: Tx,
  orderId: number,
  mails: readonly { kind: string; about?: number }[],
  again: 'after-an-end' | 'always' | 'never',
): Promise<void> {
  if (mails.length === 0) return
  const kinds = mails.map(({ kind }) => kind)
  const about = mails.map((mail) => mail.about ?? null)
  const earlier = {
    never: sql`0`,
    always: sql`(select count(*) from sent_mail m where m.order_id = ${orderId} and m.kind = asked.kind)`,
    'after-an-end': sql`(select count(*) from sent_mail m where m.order_id = ${orderId} and m.kind = any(${endings}::text[]))`,
  }[again]
  await sql`with put as (
      insert into sent_mail (message_id, order_id, kind, recipient, about)
      select concat_ws('-', 'order', ${orderId}::bigint, kind, about, nullif(${earlier}, 0)), ${orderId}, kind, '', about
      from unnest(${kinds}::text[], ${about}::bigint[]) with ordinality as asked (kind, about, place) order by place
      on conflict (message_id) do nothing returning message_id)
    select graphile_worker.add_job('order-mail',
      (jsonb_build_object('messageId', message_id) || ${JSON.stringify(carriedTrace())}::text::jsonb)::json,
      job_key := message_id, job_key_mode := 'preserve_run_at') from put`.execute(tx)
}

export function findMail(db: Db, messageId: string): Promise<MailRow | undefined> {
  return db.selectFrom('sent_mail').selectAll().where('message_id', '=', messageId).executeTakeFirst()
}

/** The row of a message that belongs to no order, put down now unless it is known. */
export async function keepMail(
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

export async function closeMail(
  db: Db,
  messageId: string,
  change: { recipient: string; sent_at: Date } | { skipped: 'disabled' | 'nobody' },
): Promise<void> {
  await db.updateTable('sent_mail').set(change).where('message_id', '=', messageId).execute()
}

/** The messages about an order, in the order in which they were caused. */
export function findMailOfOrder(db: Db, orderId: number): Promise<MailRow[]> {
  return db.selectFrom('sent_mail').selectAll().where('order_id', '=', orderId).orderBy('message_id').execute()
}
