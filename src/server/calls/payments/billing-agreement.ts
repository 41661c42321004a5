import { walletMethodId } from '#contract/payments/constants.ts'
import { billingTokenInput } from '#contract/payments/vault.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { startBillingAgreement } from '#shop/payments/vault/billing-agreement.ts'
import { saveMethodRefusal } from '../../payments/save-method-refusal.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `POST billing-agreement/token`: starts a billing agreement, the predecessor of the vault. Returns its token, valid
 * for the same visitor only.
 */
export const billingAgreementCall = defineCall({
  name: 'billing-agreement/token',
  door: 'rest',
  method: 'POST',
  input: billingTokenInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'intention',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { payment_method: method }) {
    if (method !== walletMethodId) return saveMethodRefusal(visit, { reason: 'no' })
    const { tools } = visit.app
    const session = await visit.session()
    const { needsShipping } = await quoteCart(tools, session.id, session.state)
    const started = await startBillingAgreement(tools, session, { needsShipping, ip: visit.ip })
    return started.ok ? Response.json(started.id) : saveMethodRefusal(visit, started)
  },
})
