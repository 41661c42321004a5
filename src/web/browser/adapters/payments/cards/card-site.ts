import type { CardSettings, PaymentSettings } from '#contract/payments/page-settings.ts'
import { connectedSettings } from '../payment-settings.ts'

/** A form that pays, or saves a payment method, with the settings of its page. */
export type CardSite = {
  readonly form: HTMLFormElement
  readonly page: 'checkout' | 'order_pay' | 'add_payment_method'
  readonly settings: PaymentSettings
  readonly card: CardSettings
}

export function cardSite(form: HTMLFormElement | null | undefined): CardSite | undefined {
  const settings = connectedSettings()
  const card = settings?.ppcp_card_data
  if (!form || !card) return undefined
  // Proof of the cast: the server prints card fields only on these pages.
  return { form, page: settings.generalData.page as CardSite['page'], settings, card }
}

/** Nothing is charged: the card is saved for later. */
export function keepsCard({ page }: CardSite): boolean {
  return page === 'add_payment_method' || (page === 'checkout' && connectedSettings()?.cart?.needsSetupToken === true)
}

/** Fields serve as long as this stays the same: the parameters of the provider's script, and what the card is for. */
export function drawingKey(site: CardSite): string {
  return JSON.stringify([connectedSettings()?.queryParams, keepsCard(site)])
}
