import { type CartOrderInput, cartOrderInput } from '#contract/payments/cart-order.ts'
import { walletMethodId } from '#contract/payments/constants.ts'
import { noticesHtml, submitForm } from '../../checkout/checkout-answer.tsx'
import type { Visit } from '../../http/visit.ts'
import { currencyRefusal, openExpress, paymentRefusal } from '../../payments/wallet-answer.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `POST cart/order`: opens a wallet order for the cart. From the checkout the form is validated first where the setting
 * requires it. Returns the id.
 */
export const cartOrderCall = defineCall({
  name: 'cart/order',
  door: 'rest',
  method: 'POST',
  input: cartOrderInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'intention',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, fields) {
    const { t } = await visit.app.shop()
    if ((await visit.session()).state.lines.length === 0) return paymentRefusal('cart-empty', t('Your cart is empty.'))
    if (fields.context !== 'checkout') return express(visit, fields)
    const submission = await submitForm(visit, fields, { approvedId: null, start: true, inPage: true })
    if (submission.kind === 'redirect') {
      if (submission.walletOrderId) return Response.json(submission.walletOrderId)
      return paymentRefusal('already-paid', t('This order has already been paid.'), { redirect: submission.url })
    }
    const otherCurrency = await currencyRefusal(visit, fields.seen_currency)
    if (otherCurrency) return otherCurrency
    // The wallet provides payer and address; the form is validated on return.
    const { paypal } = visit.app.tools.settings
    if (submission.form && !paypal.validateFirst && fields.payment_method === walletMethodId)
      return express(visit, fields)
    const messages = await noticesHtml(visit, submission.notices)
    if (submission.issue === 'UNREACHABLE') {
      return paymentRefusal(
        'unreachable',
        t('The payment provider cannot be reached at the moment. Nothing was charged; please try again.'),
        { messages },
        503,
      )
    }
    return paymentRefusal(submission.form ? 'validation_errors' : 'cart-problem', t('Please check the form.'), {
      messages,
    })
  },
})

async function express(visit: Visit, fields: CartOrderInput): Promise<Response> {
  const opened = await openExpress(visit, fields)
  return opened instanceof Response ? opened : Response.json(opened.walletOrderId)
}
