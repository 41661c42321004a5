import { accountMailKinds, type MailKind, stockMailKinds } from '#contract/mail/settings.ts'
import { languagesOf } from '#contract/translation/languages.ts'
import { findOrderItems, findOrderNotes, findShownOrder, listOrders } from '#database/orders/orders.ts'
import { findRefunds } from '#database/payments/refunds.ts'
import type { MailDesk } from '#shop/mail/mail-desk.ts'
import { stockNeeds } from '#shop/orders/order-lines.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { createTranslationMemory } from '#shop/translation/translation-memory.ts'
import { composeMail } from '#web/mails/compose-mail.tsx'
import type { MailContent } from '#web/mails/mail-content.ts'
import { sampleMail } from '#web/mails/mail-samples.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { mailContent } from '../jobs/mail/mail-content.ts'
import { createMailer, mailFault, senderOf } from '../jobs/mail/mailer.ts'
import { customMailWords, isForShop, recipientsOf } from '../jobs/mail/send-mail.ts'
import { makeShopContext } from '../pages/shared/shop-context.ts'
import { settingsIn } from '../translation/locale-settings.ts'

/** @param delivery the mail server, empty for none, and the outbox folder used instead */
export function openMailDesk(own: Tools, delivery: { smtpUrl: string; outbox: string }): MailDesk {
  return {
    async preview(kind, orderId, language) {
      const { tools, shop, stop } = await spoken(own, language ?? (await languageOf(own, kind, orderId)))
      const { settings } = tools
      const occasion = await occasionFor(tools, shop, kind, orderId).finally(stop)
      if (!occasion) return null
      const { content } = occasion
      const customer = content.about === 'order' ? content.order.email : ''
      const mail = composeMail(shop, content, await customMailWords(tools, settings.mail.messages[kind]))
      return { ...mail, to: recipientsOf(settings, kind, customer), orderId: occasion.orderId }
    },

    async sendTest({ subject, html, text }, to) {
      const id = `test-${own.chance.hex(8)}@${new URL(own.publicUrl).hostname}`
      const from = senderOf(own.settings)
      await createMailer({ ...delivery, smtpUrl: () => delivery.smtpUrl }).send({
        id,
        to: [to],
        from,
        subject: `[test] ${subject}`,
        html,
        text,
      })
      return delivery.smtpUrl === '' ? delivery.outbox : new URL(delivery.smtpUrl).host
    },

    async reach() {
      const { smtpUrl } = delivery
      return smtpUrl === '' ? { to: null, fault: null } : { to: new URL(smtpUrl).host, fault: await mailFault(smtpUrl) }
    },
  }
}

/** Returns the language of an email: the order's, or the shop's own for emails to the shop and for examples. */
async function languageOf({ db }: Tools, kind: MailKind, orderId: number | null): Promise<string | undefined> {
  if (isForShop(kind) || accountMailKinds.some((known) => known === kind)) return undefined
  const order =
    orderId === null ? (await listOrders(db.kysely, { limit: 1 }))[0] : await findShownOrder(db.kysely, orderId)
  return order?.language
}

/** Returns the tools localized to a language. @param tag absent: the language of the tools */
async function spoken(
  own: Tools,
  tag: string | undefined,
): Promise<{ tools: Tools; shop: ShopContextValue; stop: () => Promise<void> }> {
  const languages = languagesOf(own.settings)
  const language = languages.find((one) => one.tag === tag)
  if (!language || language.slug === '')
    return { tools: own, shop: await makeShopContext({ tools: own }), stop: async () => {} }
  const memory = createTranslationMemory(own)
  const tools: Tools = {
    ...own,
    settings: settingsIn(own.settings, language),
    translator: () => memory.translator(language, own.settings.language),
  }
  return { tools, shop: await makeShopContext({ tools, language, languages: () => languages }), stop: memory.stop }
}

type Occasion = { content: MailContent; orderId: number | null }

/** Returns the subject of a preview: a real one where there is any, otherwise an example. Null for an unknown order. */
async function occasionFor(
  tools: Tools,
  shop: ShopContextValue,
  kind: MailKind,
  wanted: number | null,
): Promise<Occasion | null> {
  const example = { content: sampleMail(shop, kind, tools.publicUrl), orderId: null }
  if (example.content.about === 'account') return example
  const orderId = wanted ?? (await listOrders(tools.db.kysely, { limit: 1 }))[0]?.id
  if (orderId === undefined) return example
  const about = await subjectOf(tools, kind, orderId)
  const content = await mailContent(tools, shop, { kind, order_id: orderId, about })
  if (!content) return wanted === null || isAboutStock(kind) ? example : null
  if (content.about !== 'order' || example.content.about !== 'order') return { content, orderId }
  // A missing refund or note is replaced by an example inside a real order.
  const { refund, note } = example.content
  return { content: { ...content, refund: content.refund ?? refund, note: content.note ?? note }, orderId }
}

const isAboutStock = (kind: MailKind) => stockMailKinds.some((known) => known === kind)

/** Returns the newest refund or note of an order, or its first product with managed stock. */
async function subjectOf({ db }: Tools, kind: MailKind, orderId: number): Promise<number | null> {
  if (isAboutStock(kind)) return [...stockNeeds(await findOrderItems(db.kysely, orderId)).keys()][0] ?? null
  if (kind === 'customer_note') {
    const notes = await findOrderNotes(db.kysely, orderId)
    return notes.findLast((note) => note.for_customer)?.id ?? null
  }
  if (kind.endsWith('refunded_order')) return (await findRefunds(db.kysely, orderId)).at(-1)?.id ?? null
  return null
}
