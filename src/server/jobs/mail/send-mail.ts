import { type MailKind, type MailSettings, type ShopMailKind, shopMailKinds } from '#contract/mail/settings.ts'
import type { ShopSettings } from '#contract/shared/settings.ts'
import { type MailOutcome, type MailRow, recordMailOutcomes } from '#database/mail/messages.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { localizeFacts } from '#shop/translation/localize-facts.ts'
import { composeMail } from '#web/mails/compose-mail.tsx'
import type { MailContent } from '#web/mails/mail-content.ts'
import type { Application } from '../../operations/startup/application.ts'
import { type Mailer, senderOf } from './mailer.ts'

type MailWords = MailSettings['messages'][MailKind]

export type MailApplication = Pick<Application, 'tools' | 'shop' | 'languages' | 'inLanguage'>

/** Sends an enqueued email to the recipients of the merchant's settings, and closes its row. A sent one is skipped. */
export async function sendMail(
  app: Pick<MailApplication, 'tools' | 'shop'>,
  mailer: Mailer,
  row: MailRow,
  content: MailContent,
  customer: string,
): Promise<void> {
  if (row.sent_at || row.skipped) return
  const end = await deliverMail(app, mailer, row.message_id, content, customer)
  await recordMailOutcomes(app.tools.db.kysely, [{ messageId: row.message_id, end }])
}

/** Sends an email to the recipients of the merchant's settings. @returns the result for its row */
export async function deliverMail(
  { tools, shop }: Pick<MailApplication, 'tools' | 'shop'>,
  mailer: Mailer,
  messageId: string,
  content: MailContent,
  customer: string,
): Promise<MailOutcome> {
  const { settings, clock, publicUrl } = tools
  const words = settings.mail.messages[content.kind]
  const to = recipientsOf(settings, content.kind, customer)
  if (!words.enabled || to.length === 0) return { skipped: words.enabled ? 'nobody' : 'disabled' }
  await mailer.send({
    id: `${messageId}@${new URL(publicUrl).hostname}`,
    to,
    from: senderOf(settings),
    ...(content.about === 'order' && isForShop(content.kind) && customer ? { replyTo: customer } : {}),
    ...composeMail(await shop(), content, await customMailWords(tools, words)),
  })
  // Customers' addresses are stored only in their orders and accounts, where they can be erased.
  const recipient = isForShop(content.kind) ? to.join(', ') : 'customer'
  return { recipient, sent_at: clock.now() }
}

/** Returns the merchant's texts that replace the defaults. Placeholders stay unchanged. */
export function customMailWords<Words extends Pick<MailWords, 'subject' | 'heading' | 'additional'>>(
  tools: Pick<Tools, 'translator'>,
  words: Words,
): Promise<Words> {
  return localizeFacts(tools, (say) => ({
    ...words,
    subject: say.text(words.subject),
    heading: say.text(words.heading),
    additional: say.text(words.additional),
  }))
}

export function isForShop(kind: string): kind is ShopMailKind {
  return shopMailKinds.some((known) => known === kind)
}

/** @param customer the address of the customer concerned, or nothing */
export function recipientsOf(
  { mail, email }: Pick<ShopSettings, 'mail' | 'email'>,
  kind: MailKind,
  customer: string,
): readonly string[] {
  if (!isForShop(kind)) return customer === '' ? [] : [customer]
  const { recipients } = mail.messages[kind]
  return recipients.length > 0 ? recipients : [email].filter(Boolean)
}
