import { paymentTokensAnswer, paymentTokensInput } from '#contract/calls/payment-vault.ts'
import { keepSingleUse } from '#shop/keep-single-use.ts'
import { keepApproved } from '#shop/vault-keep.ts'
import { defineCall } from '../call.ts'
import { keepingRefusal } from '../keeping-answer.ts'

/**
 * `POST vault/payment-tokens`: makes a way to pay of what its owner has agreed to. Answers whose it is, for the form; its
 * id is of use to the same visitor only.
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
      ? await keepSingleUse(tools, session, { token: id, ip: visit.ip })
      : await keepApproved(tools, session, { id })
    if (!kept.ok) return keepingRefusal(visit, kept)
    const { token } = kept
    // The schema lets through what the form is filled with and nothing else of the provider's answer.
    return Response.json(paymentTokensAnswer.parse({ id: token.id, payment_source: token.payment_source ?? {} }))
  },
})
