import { cartCheckoutInput } from '#contract/calls/payment-cart-checkout.ts'
import { defineCall } from '../call.ts'
import { submitForm } from '../checkout-answer.tsx'
import { tellCart } from '../fragments.tsx'
import { checkoutAnswer, closeExpress } from '../wallet-answer.ts'

/** `POST cart/checkout`: after approval, places the order and takes the money. A repeat finds it done. */
export const cartCheckoutCall = defineCall({
  name: 'cart/checkout',
  door: 'rest',
  method: 'POST',
  input: cartCheckoutInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'intention',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, fields) {
    const approvedId = fields.ppcp_paypal_order_id
    const submission =
      fields.context === 'checkout'
        ? await submitForm(visit, fields, { approvedId, start: false })
        : await closeExpress(visit, approvedId)
    if (submission.kind === 'redirect' && submission.orderId > 0) tellCart(visit, { hash: '', lines: [] })
    return Response.json(await checkoutAnswer(visit, submission))
  },
})
