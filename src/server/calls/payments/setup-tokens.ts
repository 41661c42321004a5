import { isProviderMethod } from '#contract/payments/constants.ts'
import { type SetupTokensAnswer, setupTokensInput } from '#contract/payments/vault.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { startSavingMethod } from '#shop/payments/vault/create-setup-token.ts'
import { mayKeep } from '#shop/payments/vault/vault-eligibility.ts'
import { saveMethodRefusal } from '../../payments/save-method-refusal.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `POST vault/setup-tokens`: starts to save a payment method, with or without a purchase. Returns the wallet's data.
 */
export const setupTokensCall = defineCall({
  name: 'vault/setup-tokens',
  door: 'rest',
  method: 'POST',
  input: setupTokensInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'intention',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { payment_method: method, context, ...fields }) {
    const { tools } = visit.app
    if (!isProviderMethod(method)) return saveMethodRefusal(visit, { reason: 'no' })
    const session = await visit.session()
    const cart = context === 'add_payment_method' ? null : await quoteCart(tools, session.id, session.state)
    const wanted = !['', '0', 'false', undefined].includes(fields.createaccount)
    const eligible = mayKeep(tools, session, { method, context, wanted }, cart)
    if (eligible !== 'yes') return saveMethodRefusal(visit, { reason: eligible })
    const started = await startSavingMethod(tools, session, { method, context, ip: visit.ip })
    if (!started.ok) return saveMethodRefusal(visit, started)
    const { id, approveUrl } = started
    return Response.json({ id, ...(approveUrl === '' ? {} : { approve_url: approveUrl }) } satisfies SetupTokensAnswer)
  },
})
