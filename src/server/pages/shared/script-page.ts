import type { ListedProduct, PaymentSettings } from '#contract/payments/page-settings.ts'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { AcceleratedScript } from '../../payments/accelerated-script.tsx'

/** The page that scripts run on. */
export type ScriptPage =
  | 'other'
  | 'account'
  | 'listing'
  | 'product'
  | 'cart'
  | 'checkout'
  | 'order_pay'
  | 'add_payment_method'

/** Settings of the visitor, for private pages only: nonces by action. */
export type OwnSettings = { readonly nonces: Readonly<Record<string, string>>; readonly cspNonce: string }

/** Payment settings that depend on the content of the page. */
export type PaymentFacts = Partial<Pick<PaymentSettings, 'cart' | 'product' | 'order' | 'isLoggedIn'>> & {
  products?: readonly ListedProduct[]
  accelerated?: AcceleratedScript
}

/** Texts and addresses for scripts. */
export type Saying = Pick<ShopContextValue, 't' | 'path' | 'chosenCurrency'>
