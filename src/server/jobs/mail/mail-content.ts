import { customerOrderMailKinds, orderShopMailKinds, stockMailKinds } from '#contract/mail/settings.ts'
import { urls } from '#contract/shared/urls.ts'
import type { MailRow } from '#database/mail/messages.ts'
import { findOrderItems, findOrderNotes } from '#database/orders/orders.ts'
import { findRefund } from '#database/payments/refunds.ts'
import { fullName, greetedName } from '#domain/addresses/full-name.ts'
import { money } from '#domain/money/money.ts'
import { needsPayment } from '#domain/orders/order-status.ts'
import { originOfOrder, originText } from '#shop/attribution/attribution-origin.ts'
import type { AddressState } from '#shop/customers/sessions/session-state.ts'
import { inMerchantLanguage, itemName } from '#shop/orders/order-lines.ts'
import { localizeOrder, localizeOrderForShop, type OrderRows, readOrderRows } from '#shop/orders/read-order.ts'
import { paymentInstructions } from '#shop/payments/operation/payment-methods.ts'
import type { Tools } from '#shop/shared/tools.ts'
import type { MailContent, OrderMailContent, StockMailContent } from '#web/mails/mail-content.ts'
import { priceText } from '#web/parts/currency/price.tsx'
import { dayText } from '#web/parts/shared/day.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'

type Asked = Pick<MailRow, 'kind' | 'order_id' | 'about'>

/**
 * Returns the current content of an email about an order; null when its subject no longer exists.
 * @param read rows of its order, read a moment ago
 */
export async function mailContent(
  tools: Tools,
  shop: ShopContextValue,
  { kind, order_id: orderId, about }: Asked,
  read?: OrderRows,
): Promise<MailContent | null> {
  if (orderId === null) return null
  const stockKind = stockMailKinds.find((known) => known === kind)
  if (stockKind) return about === null ? null : stockContent(tools, stockKind, about, orderId)
  const orderKind = [...orderShopMailKinds, ...customerOrderMailKinds].find((known) => known === kind)
  if (!orderKind) return null
  const order = read ?? (await readOrderRows(tools, orderId))
  return order && orderContent(tools, shop, orderKind, order, about)
}

const isSpokenHere = (tag: string, { language }: { language: string }) => tag === '' || tag === language

/** Returns the name of a language in another language. */
function languageName(tag: string, reader: string): string {
  return new Intl.DisplayNames(reader, { type: 'language' }).of(tag) ?? tag
}

const withFiles = ['customer_processing_order', 'customer_completed_order', 'customer_invoice']

async function orderContent(
  tools: Tools,
  shop: ShopContextValue,
  kind: OrderMailContent['kind'],
  read: OrderRows,
  about: number | null,
): Promise<OrderMailContent> {
  const { db, settings, publicUrl } = tools
  const { row, opened } = read
  const toCustomer = kind.startsWith('customer_')
  const facts = await (toCustomer ? localizeOrder : localizeOrderForShop)(tools, read)
  const refund = about !== null && kind.endsWith('refunded_order') ? await findRefund(db.kysely, about) : undefined
  // Read now: a cancelled order permits no downloads.
  const files = withFiles.some((known) => known === kind) ? opened : []
  const notes = about !== null && kind === 'customer_note' ? await findOrderNotes(db.kysely, row.id) : []
  const origin = originOfOrder(row)
  const owes = needsPayment({ status: row.status, totalMinor: row.total })
  // Written by the checkout alone, with this type.
  const billing = row.billing as AddressState
  return {
    about: 'order',
    kind,
    order: facts,
    date: dayText(shop, row.created_at),
    firstName: billing.first_name,
    greeted: greetedName(billing, settings.language),
    customer: fullName(billing) || billing.company || facts.email,
    // A customer with an account sees the order there; a guest must enter the address after a time.
    orderUrl:
      publicUrl + shop.path(row.customer_id === null ? urls.orderReceived(row.id, row.key) : urls.viewOrder(row.id)),
    payUrl: owes ? publicUrl + shop.path(urls.orderPay(row.id, row.key)) : null,
    payment: await paymentInstructions(tools, facts),
    downloads: files.map(({ name, token }) => ({ name, url: publicUrl + shop.path(urls.download(token)) })),
    origin: toCustomer || origin.kind === 'unknown' ? null : originText(origin, shop.t),
    spoken: toCustomer || isSpokenHere(row.language, settings) ? null : languageName(row.language, settings.language),
    refund: refund ? { amount: priceText(shop, money(refund.amount, refund.currency)), reason: refund.reason } : null,
    note: notes.find(({ id }) => id === about)?.note ?? null,
  }
}

async function stockContent(
  { db, publicUrl }: Tools,
  kind: StockMailContent['kind'],
  productId: number,
  orderId: number,
): Promise<StockMailContent | null> {
  const product = await db.kysely
    .selectFrom('products as p')
    .leftJoin('products as parent', 'parent.id', 'p.parent_id')
    .select(['p.name', 'p.sku', 'p.slug', 'p.status', 'p.stock_quantity', 'parent.slug as parent_slug'])
    .where('p.id', '=', productId)
    .executeTakeFirst()
  if (!product) return null
  // The name as ordered: a variation's own name does not distinguish it from others.
  const sold = (await findOrderItems(db.kysely, orderId)).find(({ variation_id: id }) => id === productId)
  const slug = product.parent_slug ?? product.slug
  return {
    about: 'stock',
    kind,
    product: {
      name: sold ? itemName(inMerchantLanguage(sold)) : product.name,
      sku: product.sku ?? '',
      url: product.status === 'publish' && slug ? publicUrl + urls.product(slug) : null,
    },
    onHand: product.stock_quantity ?? 0,
    orderNumber: String(orderId),
  }
}
