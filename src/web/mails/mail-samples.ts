import {
  accountMailKinds,
  customerOrderMailKinds,
  type MailKind,
  mailKinds,
  orderShopMailKinds,
  stockMailKinds,
} from '#contract/mail/settings.ts'
import { fullName, greetedName } from '#domain/addresses/full-name.ts'
import { money } from '#domain/money/money.ts'
import type { OrderFacts } from '#shop/checkout/checkout-facts.ts'
import { priceText } from '../parts/currency/price.tsx'
import type { ShopContextValue } from '../parts/shared/shop-context.tsx'
import type { AccountMailContent, MailContent, OrderMailContent, StockMailContent } from './mail-content.ts'

const ada = { first_name: 'Ada', last_name: 'Lind' }

/** Returns sample content for a message preview. @param base the shop's URL */
export function sampleMail(shop: ShopContextValue, kind: MailKind, base: string): MailContent {
  const orderKind = [...orderShopMailKinds, ...customerOrderMailKinds].find((known) => known === kind)
  if (orderKind) return sampleOrderMail(shop, orderKind, base)
  const stockKind = stockMailKinds.find((known) => known === kind)
  if (stockKind) return sampleStockMail(stockKind, base)
  const accountKind = accountMailKinds.find((known) => known === kind)
  return sampleAccountMail(accountKind ?? 'customer_new_account', base)
}

export const isMailKind = (word: string): word is MailKind => mailKinds.some((known) => known === word)

export function sampleOrderMail(
  shop: ShopContextValue,
  kind: OrderMailContent['kind'],
  base: string,
): OrderMailContent {
  const owes = kind === 'customer_failed_order' || kind === 'customer_invoice'
  const amount = (minor: number) => money(minor, shop.currency)
  const order = sampleOrder(shop, kind)
  return {
    about: 'order',
    kind,
    order,
    date: new Intl.DateTimeFormat(shop.language, { dateStyle: 'long', timeZone: 'UTC' }).format(order.createdAt),
    firstName: ada.first_name,
    greeted: greetedName(ada, shop.language),
    customer: fullName(ada),
    orderUrl: `${base}/my-account/view-order/1001/`,
    payUrl: owes ? `${base}/checkout/order-pay/1001/?pay_for_order=true&key=wc_order_sample` : null,
    payment: null,
    downloads:
      kind === 'customer_completed_order' ? [{ name: 'Care instructions.pdf', url: `${base}/download/sample/` }] : [],
    refund: kind.endsWith('refunded_order')
      ? {
          amount: priceText(shop, amount(kind === 'customer_refunded_order' ? 13490 : 6400)),
          reason: 'One came broken.',
        }
      : null,
    spoken: null,
    origin: kind.startsWith('customer_') ? null : shop.t('Organic: %s', 'Google'),
    note: kind === 'customer_note' ? 'Your carafes leave on Tuesday.\nThe courier will ring.' : null,
  }
}

function sampleOrder({ currency, language, t }: ShopContextValue, kind: MailKind): OrderFacts {
  const country = new Intl.DisplayNames([language], { type: 'region' }).of('US') ?? 'US'
  const amount = (minor: number) => money(minor, currency)
  const address = [fullName(ada), '12 Harbour Street', 'San Francisco, CA 94110', country]
  return {
    id: 1001,
    number: '1001',
    key: 'wc_order_sample',
    status: kind === 'customer_on_hold_order' ? 'on-hold' : 'processing',
    paymentState: 'paid',
    createdAt: new Date('2026-05-04T10:20:00Z'),
    email: 'ada@example.test',
    currency,
    lines: [
      {
        productId: null,
        name: 'Tidal carafe',
        url: null,
        sku: 'CARAFE',
        quantity: 2,
        choices: [{ label: 'Color', value: 'Sea green' }],
        subtotal: amount(12800),
        total: amount(12800),
      },
    ],
    totals: [
      { key: 'cart_subtotal', label: t('Subtotal'), value: amount(12800) },
      { key: 'shipping', label: 'Standard', value: amount(690) },
      { key: 'payment_method', label: t('Payment method'), value: 'PayPal' },
      { key: 'order_total', label: t('Total'), value: amount(13490) },
    ],
    includedTaxes: [],
    total: amount(13490),
    billing: address,
    shipping: address,
    phone: '+1 415 555 0100',
    customerNote: 'Please leave it with the neighbours.',
    paymentMethod: 'ppcp',
    paymentMethodTitle: 'PayPal',
  }
}

function sampleStockMail(kind: StockMailContent['kind'], base: string): StockMailContent {
  const onHand = { low_stock: 2, no_stock: 0, backorder: -3 }[kind]
  const product = { name: 'Tidal carafe', sku: 'CARAFE', url: `${base}/product/tidal-carafe/` }
  return { about: 'stock', kind, product, onHand, orderNumber: '1001' }
}

function sampleAccountMail(kind: AccountMailContent['kind'], base: string): AccountMailContent {
  const samples = {
    customer_reset_password: { reason: 'reset-password', path: 'lost-password/?key=sample&id=1' },
    customer_new_account: { reason: 'welcome', path: 'confirm-email/?key=sample&id=1' },
    customer_account_change: { reason: 'confirm-email', path: 'confirm-email/?key=sample&id=1' },
  } as const
  const { reason, path } = samples[kind]
  return { about: 'account', kind, reason, username: 'ada', link: `${base}/my-account/${path}` }
}
