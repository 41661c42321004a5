import { cardMethodId, type ProviderMethod, type WalletPage } from '#contract/payment-words.ts'
import { accountOffer } from './checkout-account.ts'
import type { EvaluatedCart } from './evaluated-cart.ts'
import { needsSetupToken } from './needs-setup-token.ts'
import { canBeKept } from './payment-methods.ts'
import type { Tools } from './tools.ts'
import type { VisitSession } from './visit-session.ts'

export type Eligibility = 'yes' | 'log-in' | 'no'

/**
 * Whether a visitor may begin to save a way to pay on a page. Guests own nothing: they may where their order opens an
 * account. @param wanted the form asks for an account @param cart on the page where ways to pay are added there is none
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
  if (!offered || (!isNeeded && !canBeKept(tools, method))) return 'no'
  if (session.customerId !== null) return 'yes'
  if (context === 'add_payment_method') return 'log-in'
  const offer = accountOffer(tools, session)
  return offer?.kind === 'open' && (offer.forced || wanted || isNeeded) ? 'yes' : 'log-in'
}
