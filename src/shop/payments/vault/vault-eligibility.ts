import { cardMethodId, type ProviderMethod, type WalletPage } from '#contract/payments/constants.ts'
import type { EvaluatedCart } from '../../cart/evaluated-cart.ts'
import { accountOffer } from '../../checkout/checkout-account.ts'
import type { VisitSession } from '../../customers/sessions/visit-session.ts'
import type { Tools } from '../../shared/tools.ts'
import { isSavable } from '../operation/payment-methods.ts'
import { needsSetupToken } from './needs-setup-token.ts'

export type Eligibility = 'yes' | 'log-in' | 'no'

/**
 * Decides whether a visitor may start to save a payment method. Guests may only where their order opens an account.
 * @param wanted whether the form asks for an account
 * @param cart the evaluated cart; none on the page that adds payment methods
 */
export function mayKeep(
  tools: Tools,
  session: Pick<VisitSession, 'customerId'>,
  { method, context, wanted }: { method: ProviderMethod; context: WalletPage; wanted: boolean },
  cart: EvaluatedCart | null,
): Eligibility {
  const { paypal } = tools.settings
  const isNeeded = cart !== null && needsSetupToken(cart)
  const offered = tools.paypal !== null && paypal.enabled && (method !== cardMethodId || paypal.cards.enabled)
  if (!offered || (!isNeeded && !isSavable(tools, method))) return 'no'
  if (session.customerId !== null) return 'yes'
  if (context === 'add_payment_method') return 'log-in'
  const offer = accountOffer(tools, session)
  return offer?.kind === 'open' && (offer.forced || wanted || isNeeded) ? 'yes' : 'log-in'
}
