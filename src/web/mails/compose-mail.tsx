import type { FilledIn, MailSettings } from '#contract/mail/settings.ts'
import type { ShopContextValue } from '../parts/shared/shop-context.tsx'
import { AccountMail } from './account-mail.tsx'
import type { MailContent } from './mail-content.ts'
import { MailFrame, Paragraph } from './mail-parts.tsx'
import { mailWords } from './mail-words.ts'
import { renderMailHtml, renderMailText } from './medium.tsx'
import { OrderMail } from './order-mail.tsx'
import { StockMail } from './stock-mail.tsx'

export type ComposedMail = {
  subject: string
  /** Null where the merchant wants plain text messages. */
  html: string | null
  text: string
}

type OwnWords = Pick<MailSettings['messages']['new_order'], 'subject' | 'heading' | 'additional' | 'format'>

/** Composes a message in all its forms. The merchant's settings override the default texts. */
export function composeMail(shop: ShopContextValue, content: MailContent, own: OwnWords): ComposedMail {
  const words = mailWords(shop, content)
  const fill = (text: string) => fillPlaceholders(text, shop, content)
  const subject = oneLine(own.subject === '' ? words.subject : fill(own.subject))
  const title = oneLine(own.heading === '' ? words.title : fill(own.heading))
  const message = (
    <MailFrame subject={subject} title={title} foot={words.foot}>
      {words.lead.map((text) => (
        <Paragraph key={text} text={text} />
      ))}
      <Body content={content} />
      {own.additional !== '' && <Paragraph text={fill(own.additional)} />}
    </MailFrame>
  )
  return {
    subject,
    html: own.format === 'html' ? renderMailHtml(shop, message) : null,
    text: renderMailText(shop, message),
  }
}

function Body({ content }: { content: MailContent }) {
  switch (content.about) {
    case 'order':
      return <OrderMail content={content} />
    case 'stock':
      return <StockMail content={content} />
    case 'account':
      return <AccountMail content={content} />
  }
}

/** Fills `{order_number}` and other placeholders; unknown placeholders stay unchanged. */
function fillPlaceholders(text: string, shop: ShopContextValue, content: MailContent): string {
  const values: Readonly<Partial<Record<FilledIn, string>>> = {
    site_title: shop.name,
    ...(content.about === 'order'
      ? { order_number: content.order.number, order_date: content.date, customer_first_name: content.firstName }
      : {}),
    ...(content.about === 'stock' ? { product_name: content.product.name, order_number: content.orderNumber } : {}),
    ...(content.about === 'account' ? { customer_username: content.username } : {}),
  }
  const known = new Map<string, string>(Object.entries(values))
  return text.replace(/\{(\w+)\}/g, (written, name: string) => known.get(name) ?? written)
}

/** Returns a header value: a single line without directional controls, since its names come from visitors. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}
