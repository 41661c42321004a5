import { z } from 'zod'
import { findMail, type MailOutcome, type MailRow, recordMailOutcomes } from '#database/mail/messages.ts'
import { type OrderRows, readOrderRows } from '#shop/orders/read-order.ts'
import { viewIn } from '../../translation/stored-locale-view.ts'
import { mailContent } from './mail-content.ts'
import type { Mailer } from './mailer.ts'
import { deliverMail, isForShop, type MailApplication } from './send-mail.ts'

const facts = z.object({ messageId: z.string() })

/** Creates the job that retries failed emails: each is sent once, however often the job runs. */
export function orderMailJob(app: MailApplication, mailer: Mailer) {
  return async (payload: unknown): Promise<void> => {
    const row = await findMail(app.tools.db.kysely, facts.parse(payload).messageId)
    if (!row || row.sent_at || row.skipped) return
    const [failure] = await sendOrderMails(app, mailer, [row])
    if (failure) throw failure.error
  }
}

/** @property error why it was not sent */
export type MailFailure = { readonly messageId: string; readonly error: unknown }

/**
 * Sends emails about one order: to the shop in its own language, to the customer in the language of the order. Each is
 * recorded as sent, whatever happens to the others.
 * @param rows emails of one order that are neither sent nor skipped
 */
export async function sendOrderMails(
  app: MailApplication,
  mailer: Mailer,
  rows: readonly MailRow[],
): Promise<readonly MailFailure[]> {
  const { db } = app.tools
  const orderId = rows[0]?.order_id ?? null
  const order = orderId === null ? null : await readOrderRows(app.tools, orderId)
  const ended: { messageId: string; end: MailOutcome }[] = []
  const failures: MailFailure[] = []
  for (const row of rows) {
    const messageId = row.message_id
    try {
      // The subject no longer exists, so there is no recipient.
      ended.push({ messageId, end: (await sendOne(app, mailer, row, order)) ?? { skipped: 'nobody' } })
    } catch (error) {
      failures.push({ messageId, error })
    }
  }
  await recordMailOutcomes(db.kysely, ended)
  return failures
}

async function sendOne(
  app: MailApplication,
  mailer: Mailer,
  row: MailRow,
  order: OrderRows | null,
): Promise<MailOutcome | null> {
  const view = viewIn(app, isForShop(row.kind) ? '' : (order?.row.language ?? ''))
  const content = await mailContent(view.tools, await view.shop(), row, order ?? undefined)
  if (!content) return null
  return deliverMail(view, mailer, row.message_id, content, content.about === 'order' ? content.order.email : '')
}
