import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { choosesShippingInWallet, type Funding, offeredFundings } from '#domain/payments/funding-sources.ts'
import type { AttemptCallbacks, MountedButton, PaymentProvider } from '../provider.ts'

/** The buttons of one place on a page. */
export type ButtonSet = MountedButton & {
  readonly fundings: readonly Funding[]
  /** False after another script has emptied a container of a button. */
  isIntact(): boolean
}

/** Returns true if nothing is due and the payment method is saved for later. */
export function savesOnly(page: string, { cart, ppcp_data: method }: PaymentSettings): boolean {
  if (page === 'add_payment_method') return true
  return (page === 'checkout' || page === 'express') && (cart?.needsSetupToken ?? method.needsSetupToken)
}

/**
 * Returns true if the buyer may choose address and shipping method in the wallet's window, and the page has to
 * calculate the costs.
 */
function asksPage(page: string, { ppcp_data: method, cart, product }: PaymentSettings): boolean {
  const bought = page === 'product' ? product : cart
  if (method.shippingCallback === false || page === 'add_payment_method') return false
  return choosesShippingInWallet(page, bought?.needsShipping ?? true, bought?.total ?? '1')
}

/** Selects an attempt's callbacks for a page: pay or save, with or without shipping changes. */
export function callbacksOn(
  page: string,
  settings: PaymentSettings,
  { createSetupToken, kept, shippingChanged, ...callbacks }: Required<AttemptCallbacks>,
): AttemptCallbacks {
  if (savesOnly(page, settings)) return { ...callbacks, createSetupToken, kept }
  return asksPage(page, settings) ? { ...callbacks, shippingChanged } : callbacks
}

/** Returns the buttons that a page offers now; the provider may still refuse some of them. */
export function buttonsOn(page: string, settings: PaymentSettings): Funding[] {
  const { ppcp_data: method, queryParams, cart, product } = settings
  // An order of nothing that saves a payment method needs the other details of the order: only the checkout has them.
  if (cart?.needsSetupToken && (page === 'cart' || page === 'minicart')) return []
  const sections = {
    paypal: method.paypal_sections,
    paylater: method.paylater_sections,
    card: method.credit_card_sections,
    venmo: method.venmo_sections,
  }
  const bought = page === 'product' ? product : cart
  return offeredFundings({ funding: method.funding, order: method.buttons_order, sections }, page, {
    vault: queryParams.vault === 'true' || savesOnly(page, settings),
    // An unknown cart is assumed to need shipping and payment.
    shippingChanges: choosesShippingInWallet(page, bought?.needsShipping ?? true, bought?.total ?? '1'),
  })
}

/**
 * Returns a key that changes when buttons need another look or behaviour; with an equal key they are not rendered
 * again.
 */
export function buttonsKey(page: string, settings: PaymentSettings): string {
  const { queryParams, ppcp_data: method } = settings
  const does = [savesOnly(page, settings), asksPage(page, settings)]
  return JSON.stringify([queryParams, buttonsOn(page, settings), method.buttons, does])
}

/**
 * Renders buttons into the slots below `place`, one for each funding, beside existing ones.
 * @throws PaymentFailure when the provider's script did not load; then none is rendered
 */
export async function mountButtons(
  provider: PaymentProvider,
  place: HTMLElement,
  fundings: readonly Funding[],
  {
    buttons,
    enabled,
    attempt,
  }: Pick<PaymentSettings['ppcp_data'], 'buttons'> & { enabled: boolean; attempt: AttemptCallbacks },
): Promise<ButtonSet> {
  const tries = await Promise.allSettled(
    fundings.map(async (funding) => {
      const slot = place.querySelector(`[data-funding="${funding}"]`)
      if (!slot) return undefined
      const host = document.createElement('div')
      slot.append(host)
      try {
        const button = await provider.mountButton(host, { funding, style: buttons[funding], enabled, attempt })
        if (button) return { funding, host, button }
        host.remove()
        return undefined
      } catch (error) {
        host.remove()
        throw error
      }
    }),
  )
  const made = tries.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  const close = () => {
    for (const { host, button } of made) {
      button.close()
      host.remove()
    }
  }
  const failed = tries.find((one) => one.status === 'rejected')
  if (failed) {
    close()
    throw failed.reason
  }
  return {
    fundings: made.map(({ funding }) => funding),
    isIntact: () => made.every(({ host }) => host.isConnected && host.childElementCount > 0),
    setEnabled(next) {
      for (const { button } of made) button.setEnabled(next)
    },
    close,
  }
}
