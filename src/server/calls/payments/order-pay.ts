import { termsVersionField } from '#contract/checkout/hooks.ts'
import { isProviderMethod, paymentErrorCodes, walletMethodId } from '#contract/payments/constants.ts'
import { orderPayInput } from '#contract/payments/order-pay.ts'
import { agreedTerms } from '#shop/checkout/agreed-terms.ts'
import { payOrder } from '#shop/payments/operation/pay-order.ts'
import { payerOf, readPaymentInput } from '#shop/payments/operation/payment-source.ts'
import { noticesHtml } from '../../checkout/checkout-answer.tsx'
import { guardOrder } from '../../orders/order-access.ts'
import { payingSubmission, storePayingOrder } from '../../payments/order-pay-answer.ts'
import { paymentRefusal } from '../../payments/wallet-answer.ts'
import { defineCall } from '../shared/define-call.ts'

/** `POST order/pay`: opens a wallet order for an existing order. Returns its id. */
export const orderPayCall = defineCall({
  name: 'order/pay',
  door: 'rest',
  method: 'POST',
  input: orderPayInput,
  output: 'json',
  identity: 'order-key',
  idempotency: 'natural',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, fields) {
    const { order_id: id, order_key: key } = fields
    const { t } = await visit.app.shop()
    const guarded = await guardOrder(visit, String(id), key)
    if (guarded.kind !== 'open') return paymentRefusal('invalid_order', t('This order cannot be paid here.'), {}, 404)
    await storePayingOrder(visit, id)
    const method = isProviderMethod(fields.payment_method) ? fields.payment_method : walletMethodId
    const wish = readPaymentInput(fields, method)
    const result = await payOrder(visit.app.tools, id, {
      method,
      seenTotal: null,
      wish,
      payer: payerOf(await visit.session()),
      terms: await agreedTerms(visit.app.tools, fields[termsVersionField]),
      inPage: true,
    })
    const submission = await payingSubmission(visit, result)
    if (submission.kind === 'redirect') {
      if (submission.walletOrderId) return Response.json(submission.walletOrderId)
      return paymentRefusal('already-paid', t('This order has already been paid.'), { redirect: submission.url })
    }
    const messages = await noticesHtml(visit, submission.notices)
    if (!result.ok && result.reason === 'total-changed') {
      // The page's total is out of date: it reloads and shows the notice.
      await visit.addNotice(...submission.notices)
      const message = t('The total has changed. Please review your order, then pay.')
      return paymentRefusal(paymentErrorCodes.pageOutdated, message, { messages })
    }
    const status = submission.issue === 'UNREACHABLE' ? 503 : 400
    return paymentRefusal('order-problem', t('This order cannot be paid for at the moment.'), { messages }, status)
  },
})
