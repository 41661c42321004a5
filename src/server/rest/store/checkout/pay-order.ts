import { storeCheckout, storePayOrderInput } from '#contract/checkout/store-checkout.ts'
import { agreedTerms } from '#shop/checkout/agreed-terms.ts'
import { approvedIn } from '#shop/checkout/parse-checkout.ts'
import { payPlacedOrder } from '#shop/checkout/pay-placed-order.ts'
import { payOrder } from '#shop/payments/operation/pay-order.ts'
import { payerOf, readPaymentInput } from '#shop/payments/operation/payment-source.ts'
import { orderOfWallet, payingSubmission, storePayingOrder } from '../../../payments/order-pay-answer.ts'
import { requireOrder } from '../orders/store-order-access.ts'
import { storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { isInPage, paymentDataFields, termsField } from './checkout-fields.ts'
import { payResultAnswer } from './checkout-result.ts'

/** `checkout/<id>`: pays an order that exists. Its addresses stay as they were placed. */
export const storePayOrderCall = storeCall({
  name: 'checkout/:id',
  method: 'POST',
  summary: 'Pay an existing order',
  tag: 'checkout',
  about: 'cart',
  identity: 'order-key',
  load: 'checkout',
  input: storePayOrderInput,
  output: storeCheckout,
  async answer(context, input) {
    const { visit, tools } = context
    const email = input.billing_email || input.billing_address?.email || ''
    const { row: order } = await requireOrder(visit, { id: input.id, key: input.key, email })
    const method = input.payment_method ?? order.payment_method
    const fields = { ...paymentDataFields(method, input.payment_data), payment_method: method }
    await storePayingOrder(visit, order.id)
    const approvedId = approvedIn(fields)
    if (approvedId) {
      const own = await orderOfWallet(visit, approvedId)
      if (own?.id !== order.id) {
        const message = 'This payment does not belong to the order.'
        throw new StoreError(400, 'woocommerce_rest_checkout_process_payment_error', message)
      }
      const paid = await payPlacedOrder(tools, { kind: 'approved', order, walletOrderId: approvedId })
      return payResultAnswer(context, paid, await payingSubmission(visit, paid))
    }
    const result = await payOrder(tools, order.id, {
      method,
      seenTotal: null,
      wish: readPaymentInput(fields, method),
      payer: payerOf(await visit.session()),
      terms: await agreedTerms(tools, input.additional_fields[termsField]),
      inPage: isInPage(input.payment_data),
    })
    return payResultAnswer(context, result, await payingSubmission(visit, result))
  },
})
