import type { CustomerOrderMailKind, OrderShopMailKind, StockMailKind } from '#contract/mail/settings.ts'
import type { OrderFacts } from '#shop/checkout/checkout-facts.ts'
import type { PaymentInstructions } from '#shop/payments/operation/payment-method-facts.ts'

// What each message has to tell. Addresses are absolute: a message is read elsewhere.

export type OrderMailContent = {
  about: 'order'
  kind: OrderShopMailKind | CustomerOrderMailKind
  order: OrderFacts
  /** As the merchant's calendar has it, in words. */
  date: string
  firstName: string
  /** What the message calls the customer. */
  greeted: string
  /** Whose order it is, as the shop is told: by name, else by the firm, else by the address that is written to. */
  customer: string
  orderUrl: string
  /** Null when nothing is owed. */
  payUrl: string | null
  /** What the way to pay asks of the customer; null when that is nothing. */
  payment: PaymentInstructions | null
  downloads: readonly { name: string; url: string }[]
  /** Where the order came from, in words, for the shop; null where nobody knows. */
  origin: string | null
  /** In which language it was placed, for the shop, where that is another than its own. */
  spoken: string | null
  refund: { amount: string; reason: string } | null
  note: string | null
}

export type StockMailContent = {
  about: 'stock'
  kind: StockMailKind
  product: { name: string; sku: string; url: string | null }
  /** Below zero: that many are promised and not there. */
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
