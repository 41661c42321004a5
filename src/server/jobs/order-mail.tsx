import { z } from 'zod'
import type { OrderMailKind } from '#shop/jobs.ts'
import { readOrder } from '#shop/read-order.ts'
import { OrderMail, orderMailText } from '#web/pages/order-mail.tsx'
import { renderPart } from '#web/pages/render.tsx'
import type { Application } from '../application.ts'
import type { Mailer } from './mail.ts'

const facts = z.object({
  orderId: z.number().int(),
  kinds: z.array(z.enum(['customer_processing_order', 'new_order', 'customer_on_hold_order'])),
})

/** Writes to the customer and the shop about an order: each message once, however often the job runs. */
export function orderMailJob(app: Application, mailer: Mailer) {
  return async (payload: unknown): Promise<void> => {
    const { orderId, kinds } = facts.parse(payload)
    const order = await readOrder(app.tools, orderId)
    if (!order) return
    // One address that is refused keeps no other from its message; the job is tried again for the one that failed.
    const outcomes = await Promise.allSettled(kinds.map((kind) => sendOnce(app, mailer, orderId, kind, order)))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

type Order = NonNullable<Awaited<ReturnType<typeof readOrder>>>

async function sendOnce(
  app: Application,
  mailer: Mailer,
  orderId: number,
  kind: OrderMailKind,
  order: Order,
): Promise<void> {
  const { settings, db, clock, publicUrl } = app.tools
  const to = kind === 'new_order' ? settings.email : order.facts.email
  if (to === '') return
  const id = `order-${orderId}-${kind}@${new URL(publicUrl).hostname}`
  const { kysely } = db
  const sent = await kysely
    .insertInto('sent_mail')
    .values({ message_id: id, order_id: orderId, kind, recipient: to, sent_at: null })
    .onConflict((conflict) => conflict.column('message_id').doUpdateSet({ kind }))
    .returning('sent_at')
    .executeTakeFirstOrThrow()
  if (sent.sent_at) return

  const shop = await app.shop()
  const subject = subjectOf(kind, order.facts.number, shop)
  await mailer.send({
    id,
    to,
    from: settings.mail.from.includes('<')
      ? settings.mail.from
      : `"${settings.name.replaceAll('"', '')}" <${settings.mail.from}>`,
    subject,
    html: `<!doctype html>${renderPart(shop, <OrderMail kind={kind} order={order.facts} subject={subject} publicUrl={publicUrl} />)}`,
    text: orderMailText(shop, kind, order.facts, publicUrl),
  })
  await kysely.updateTable('sent_mail').set({ sent_at: clock.now() }).where('message_id', '=', id).execute()
}

function subjectOf(kind: OrderMailKind, number: string, { t, name }: Awaited<ReturnType<Application['shop']>>): string {
  switch (kind) {
    case 'new_order':
      return t('[%s] New order %s', name, number)
    case 'customer_on_hold_order':
      return t('We are checking the payment of your order %s', number)
    case 'customer_processing_order':
      return t('Your order %s has been received', number)
  }
}
