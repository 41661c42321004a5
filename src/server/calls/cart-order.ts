import { cartOrderInput } from '#contract/calls/payment-cart-order.ts'
import { defineCall } from '../call.ts'
import { noticesHtml, submitForm } from '../checkout-answer.tsx'
import { openExpress, paymentRefusal } from '../wallet-answer.ts'

/** `POST cart/order`: opens a wallet order for the cart, from the checkout with its form checked first. Answers its id. */
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
    if (fields.context !== 'checkout') {
      const opened = await openExpress(visit)
      return opened instanceof Response ? opened : Response.json(opened.walletOrderId)
    }
    const submission = await submitForm(visit, fields, { approvedId: null, start: true })
    if (submission.kind === 'redirect') {
      if (submission.walletOrderId) return Response.json(submission.walletOrderId)
      return paymentRefusal('already-paid', t('This order is paid.'), { redirect: submission.url })
    }
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
