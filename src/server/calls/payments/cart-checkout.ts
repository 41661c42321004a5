import { type CartCheckoutInput, cartCheckoutInput } from '#contract/payments/cart-checkout.ts'
import { cardMethodId } from '#contract/payments/constants.ts'
import { openExpressOrder } from '#shop/payments/wallet/wallet-shipping.ts'
import { updateCartCookies } from '../../cart/fragments.tsx'
import { type Submission, submitForm } from '../../checkout/checkout-answer.tsx'
import type { Visit } from '../../http/visit.ts'
import { closeOrderPay } from '../../payments/order-pay-answer.ts'
import { checkoutAnswer, closeExpress, closeUnchecked } from '../../payments/wallet-answer.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST cart/checkout`: places the order after the approval and captures the payment. Idempotent. */
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
    const [first, second] =
      fields.payment_method === cardMethodId
        ? [fields.ppcp_card_paypal_order_id, fields.ppcp_paypal_order_id]
        : [fields.ppcp_paypal_order_id, fields.ppcp_card_paypal_order_id]
    // The schema requires one of them.
    const approvedId = first ?? second ?? ''
    if (fields.context === 'order_pay') {
      return Response.json(await checkoutAnswer(visit, await closeOrderPay(visit, approvedId)))
    }
    const submission =
      fields.context === 'checkout'
        ? await closeForm(visit, fields, approvedId)
        : await closeExpress(visit, approvedId, fields)
    if (submission.kind === 'redirect' && submission.orderId > 0) await updateCartCookies(visit)
    return Response.json(await checkoutAnswer(visit, submission))
  },
})

async function closeForm(visit: Visit, fields: CartCheckoutInput, approvedId: string): Promise<Submission> {
  const open = await openExpressOrder(visit.app.tools, await visit.session(), approvedId)
  if (open) return closeUnchecked(visit, fields, open, approvedId)
  return submitForm(visit, fields, { approvedId, start: false })
}
