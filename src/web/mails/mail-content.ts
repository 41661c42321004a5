import type { CustomerOrderMailKind, OrderShopMailKind, StockMailKind } from '#contract/mail/settings.ts'
import type { OrderFacts } from '#shop/checkout/checkout-facts.ts'
import type { PaymentInstructions } from '#shop/payments/operation/payment-method-facts.ts'

// The content of each message. URLs are absolute, since a message is read outside of the shop.

export type OrderMailContent = {
  about: 'order'
  kind: OrderShopMailKind | CustomerOrderMailKind
  order: OrderFacts
  /** The localized date in the shop's time zone. */
  date: string
  firstName: string
  /** The name in the salutation. */
  greeted: string
  /** The customer's name in messages to the shop: the name, else the company, else the email address. */
  customer: string
  orderUrl: string
  /** Null when nothing is due. */
  payUrl: string | null
  /** The instructions of the payment method; null if there are none. */
  payment: PaymentInstructions | null
  downloads: readonly { name: string; url: string }[]
  /** The localized attribution, for the shop; null if unknown. */
  origin: string | null
  /** The language of the order, for the shop, if it differs from the shop's own. */
  spoken: string | null
  refund: { amount: string; reason: string } | null
  note: string | null
}

export type StockMailContent = {
  about: 'stock'
  kind: StockMailKind
  product: { name: string; sku: string; url: string | null }
  /** Negative: that many units are promised and not in stock. */
  onHand: number
  orderNumber: string
}

export type AccountMailContent = {
  about: 'account'
  kind: 'customer_new_account' | 'customer_reset_password' | 'customer_account_change'
  reason:
    | 'welcome'
    | 'choose-password'
    | 'reset-password'
    | 'known-address'
    | 'confirm-email'
    | 'email-changed'
    | 'account-closed'
  username: string
  link: string
}

export type MailContent = OrderMailContent | StockMailContent | AccountMailContent
