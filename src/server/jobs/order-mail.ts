import { z } from 'zod'
import { findMail } from '#database/mail.ts'
import { findOrder } from '#database/orders.ts'
import { viewIn } from '../view-in.ts'
import type { Mailer } from './mail.ts'
import { mailContent } from './mail-content.ts'
import { isForShop, type MailApplication, sendMail } from './send-mail.ts'

const facts = z.object({ messageId: z.string() })

/**
 * Writes about an order, to the shop in its own language and to the customer in the one in which it was placed: each message once, however often the job runs.
 */
export function orderMailJob(app: MailApplication, mailer: Mailer) {
  return async (payload: unknown): Promise<void> => {
    const row = await findMail(app.tools.db.kysely, facts.parse(payload).messageId)
    if (!row || row.sent_at || row.skipped) return
    const order =
      isForShop(row.kind) || row.order_id === null ? null : await findOrder(app.tools.db.kysely, row.order_id)
    const view = viewIn(app, order?.language ?? '')
    const content = await mailContent(view.tools, await view.shop(), row)
    if (!content) return
    await sendMail(view, mailer, row, content, content.about === 'order' ? content.order.email : '')
  }
}
