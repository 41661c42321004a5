import type { ListedProduct, PaymentSettings } from '#contract/payments/page-settings.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { AcceleratedScript } from '../../payments/accelerated-script.tsx'

/** Which page the scripts find themselves on. */
export type ScriptPage =
  | 'other'
  | 'account'
  | 'listing'
  | 'product'
  | 'cart'
  | 'checkout'
  | 'order_pay'
  | 'add_payment_method'

/** What is the visitor's own and stands on private pages only: nonces by action. */
export type OwnSettings = { readonly nonces: Readonly<Record<string, string>>; readonly cspNonce: string }

/** What the payment settings say about what this page shows. */
export type PaymentFacts = Partial<Pick<PaymentSettings, 'cart' | 'product' | 'order' | 'isLoggedIn'>> & {
  products?: readonly ListedProduct[]
  accelerated?: AcceleratedScript
}

/** What scripts are told in words, and where they are led. */
export type Saying = Pick<ShopContextValue, 't' | 'path' | 'chosenCurrency'>
