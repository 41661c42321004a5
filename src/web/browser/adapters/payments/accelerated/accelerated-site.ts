import type { CardSettings, PaymentSettings } from '#contract/payments/page-settings.ts'
import { allOf } from '../../../runtime/elements.ts'
import { connectedSettings } from '../payment-settings.ts'
import { payPalV5 } from '../paypal-v5.ts'
import type { Accelerated } from '../provider.ts'

/** A guest's checkout form, with the settings of its page. */
export type AcceleratedSite = {
  readonly form: HTMLFormElement
  /** The email address. */
  readonly field: HTMLInputElement
  readonly settings: PaymentSettings
  readonly card: CardSettings
}

/** @returns undefined for customers, who have saved data in the shop */
export function acceleratedSite(place: HTMLElement | null): AcceleratedSite | undefined {
  const form = place?.closest('form')
  const field = form?.elements.namedItem('billing_email')
  const settings = connectedSettings()
  if (!form || !(field instanceof HTMLInputElement) || !settings || settings.isLoggedIn) return undefined
  const card = settings.ppcp_card_data
  return card?.fastlane_enabled ? { form, field, settings, card } : undefined
}

/**
 * Starts the provider's part, with its logo. Failures are logged for the operator only: the checkout works without it.
 * @returns null where there is none
 */
export async function startProvider(
  { form, settings, card }: AcceleratedSite,
  watermark: HTMLElement | null,
): Promise<Accelerated | null> {
  try {
    const countries = allOf<HTMLOptionElement>('#shipping_country option', form).map(({ value }) => value)
    const provider = await payPalV5(settings).startAccelerated({
      shipsTo: countries.filter(Boolean),
      cardholderName: card.fastlane_cardholder_name,
      language: document.documentElement.lang,
    })
    if (provider && watermark) {
      provider.showWatermark(watermark).catch((error) => console.warn('the watermark could not be drawn', error))
    }
    return provider
  } catch (error) {
    console.warn('accelerated checkout could not be started', error)
    return null
  }
}
