import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { choosesShippingInWallet, type Funding, offeredFundings } from '#domain/payments/funding-sources.ts'
import type { AttemptCallbacks, MountedButton, PaymentProvider } from '../provider.ts'

/** The buttons of one place on a page. */
export type ButtonSet = MountedButton & {
  readonly fundings: readonly Funding[]
  /** False once somebody has emptied a place that a button stood in. */
  isIntact(): boolean
}

/** Nothing is due, and what the shopper pays with is kept for later. */
export function savesOnly(page: string, { cart, ppcp_data: method }: PaymentSettings): boolean {
  if (page === 'add_payment_method') return true
  return (page === 'checkout' || page === 'express') && (cart?.needsSetupToken ?? method.needsSetupToken)
}

/** The buyer may choose address and way of shipping in the wallet's window, and the page is asked what that costs. */
function asksPage(page: string, { ppcp_data: method, cart, product }: PaymentSettings): boolean {
  const bought = page === 'product' ? product : cart
  if (method.shippingCallback === false || page === 'add_payment_method') return false
  return choosesShippingInWallet(page, bought?.needsShipping ?? true, bought?.total ?? '1')
}

/** What an attempt is asked to do on a page: to pay or to keep, and to answer for shipping or not. */
export function callbacksOn(
  page: string,
  settings: PaymentSettings,
  { createSetupToken, kept, shippingChanged, ...callbacks }: Required<AttemptCallbacks>,
): AttemptCallbacks {
  if (savesOnly(page, settings)) return { ...callbacks, createSetupToken, kept }
  return asksPage(page, settings) ? { ...callbacks, shippingChanged } : callbacks
}

/** The buttons that a page is to have now; the provider may still refuse some of them. */
export function buttonsOn(page: string, settings: PaymentSettings): Funding[] {
  const { ppcp_data: method, queryParams, cart, product } = settings
  // What is kept with an order of nothing is kept where the rest of the order is said: at the checkout.
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
    // Of a cart that nobody has told about yet the worst is assumed.
    shippingChanges: choosesShippingInWallet(page, bought?.needsShipping ?? true, bought?.total ?? '1'),
  })
}

/** Says when buttons would look or act otherwise: what is equal needs no drawing anew. */
export function buttonsKey(page: string, settings: PaymentSettings): string {
  const { queryParams, ppcp_data: method } = settings
  const does = [savesOnly(page, settings), asksPage(page, settings)]
  return JSON.stringify([queryParams, buttonsOn(page, settings), method.buttons, does])
}

/**
 * Draws buttons into the slots below `place`, one for each funding, beside those that are there already.
 * @throws PaymentFailure when the provider's script did not load; then none is drawn
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
