import { paymentTokensAnswer, paymentTokensInput } from '#contract/payments/vault.ts'
import { saveSingleUseToken } from '#shop/payments/cards/save-single-use-card.ts'
import { saveApprovedMethod } from '#shop/payments/vault/save-approved-method.ts'
import { saveMethodRefusal } from '../../payments/save-method-refusal.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `POST vault/payment-tokens`: saves an approved payment method. Returns its owner's details for the form; the id is
 * valid for the same visitor only.
 */
export const paymentTokensCall = defineCall({
  name: 'vault/payment-tokens',
  door: 'rest',
  method: 'POST',
  input: paymentTokensInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { setup_token: id, fastlane }) {
    const { tools } = visit.app
    const session = await visit.session()
    const isSingleUse = fastlane === true || fastlane === 'true' || fastlane === '1'
    const kept = isSingleUse
      ? await saveSingleUseToken(tools, session, { token: id, ip: visit.ip })
      : await saveApprovedMethod(tools, session, { id })
    if (!kept.ok) return saveMethodRefusal(visit, kept)
    const { token } = kept
    // The schema keeps only the form's values of PayPal's response.
    return Response.json(paymentTokensAnswer.parse({ id: token.id, payment_source: token.payment_source ?? {} }))
  },
})
