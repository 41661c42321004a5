import type { StoreCheckoutRecord, StorePaymentResult } from '#contract/checkout/store-checkout.ts'
import { isProviderMethod, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { findOrder, type OrderRow } from '#database/orders/orders.ts'
import type { FormFault } from '#shop/checkout/checkout-form.ts'
import type { CheckoutResult } from '#shop/checkout/checkout-stages.ts'
import type { PayOrderResult } from '#shop/payments/operation/pay-order.ts'
import { type Submission, submissionOf } from '../../../checkout/checkout-answer.tsx'
import { addressRecord } from '../cart/cart-record.ts'
import { addressError } from '../customers/update-customer.ts'
import type { StoreAnswer, StoreContext } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { checkoutRecord } from './checkout-record.ts'

/** Returns the answer for the end of a checkout. @throws StoreError where no order is placed or paid */
export async function checkoutResultAnswer(context: StoreContext, result: CheckoutResult): Promise<StoreAnswer> {
  const submission = await submissionOf(context.visit, result)
  if (submission.kind === 'redirect') {
    const orderId = result.ok ? result.order.id : 'order' in result ? (result.order?.id ?? 0) : 0
    return orderAnswer(context, submission, { isDone: result.ok && result.kind === 'done', orderId })
  }
  if (result.ok) throw new Error('a placed order has no page')
  throw await failureOf(context, result, textOf(submission))
}

/** Returns the answer for a payment of an existing order. @throws StoreError where it is not paid */
export async function payResultAnswer(
  context: StoreContext,
  result: PayOrderResult,
  submission: Submission,
): Promise<StoreAnswer> {
  if (submission.kind === 'redirect') {
    return orderAnswer(context, submission, {
      isDone: result.ok && result.kind === 'done',
      orderId: submission.orderId,
    })
  }
  throw new StoreError(400, payCode(result), textOf(submission))
}

function payCode(result: PayOrderResult): string {
  if (result.ok) return 'woocommerce_rest_checkout_process_payment_error'
  switch (result.reason) {
    case 'not-payable':
      return 'woocommerce_rest_invalid_order'
    case 'no-such-method':
      return 'woocommerce_rest_checkout_payment_method_disabled'
    case 'total-changed':
    case 'payment':
      return 'woocommerce_rest_checkout_process_payment_error'
  }
}

async function orderAnswer(
  { visit }: StoreContext,
  submission: Submission & { kind: 'redirect' },
  { isDone, orderId }: { isDone: boolean; orderId: number },
): Promise<StoreAnswer> {
  const order = orderId > 0 ? await findOrder(visit.app.tools.db.kysely, orderId) : undefined
  const { walletOrderId } = submission
  const result: StorePaymentResult = {
    payment_status: isDone ? 'success' : 'pending',
    payment_details: walletOrderId ? [{ key: orderField(order), value: walletOrderId }] : [],
    redirect_url: new URL(submission.url, visit.app.tools.publicUrl).href,
  }
  return { body: order ? checkoutRecord(order, result) : await savingRecord(visit, result) }
}

/** The field under which the client posts the approved wallet order. */
const orderField = (order: OrderRow | undefined): string =>
  paymentFields(order && isProviderMethod(order.payment_method) ? order.payment_method : walletMethodId).order

/** Nothing is due, and a payment method is approved first: no order exists yet. */
async function savingRecord(visit: StoreContext['visit'], result: StorePaymentResult): Promise<StoreCheckoutRecord> {
  const { state, customerId } = await visit.session()
  return {
    order_id: 0,
    status: 'checkout-draft',
    order_key: '',
    order_number: '',
    customer_note: state.customerNote,
    customer_id: customerId ?? 0,
    billing_address: { ...addressRecord(state.billing), email: state.billing.email },
    shipping_address: addressRecord(state.shipping),
    payment_method: state.paymentMethod,
    payment_result: result,
    additional_fields: {},
    extensions: {},
  }
}

/** Returns the markup of the notices as one text. */
const textOf = (submission: Submission & { kind: 'notices' }): string =>
  submission.notices.map(({ html }) => html).join(' ')

async function failureOf(
  { visit }: StoreContext,
  result: Extract<CheckoutResult, { ok: false }>,
  text: string,
): Promise<StoreError> {
  switch (result.reason) {
    case 'form':
      return formError(await visit.app.shop(), result.faults, text)
    case 'too-many':
      return new StoreError(
        429,
        'woocommerce_rest_checkout_too_many_requests',
        text,
        {},
        {
          'Retry-After': String(Math.ceil(result.waitMs / 1000)),
        },
      )
    case 'total-changed':
      return new StoreError(409, 'woocommerce_rest_cart_total_changed', text)
    case 'order':
      return orderError(result, text)
    case 'payment': {
      const order = result.order ? { order_id: result.order.id } : {}
      const details = { payment_status: 'failure', ...order, issue: result.issue ?? result.problem }
      return new StoreError(400, 'woocommerce_rest_checkout_process_payment_error', text, details)
    }
    case 'keep':
      return new StoreError(400, 'woocommerce_rest_checkout_process_payment_error', text)
  }
}

function orderError({ problem }: Extract<CheckoutResult, { reason: 'order' }>, text: string): StoreError {
  switch (problem.reason) {
    case 'cart-empty':
      return new StoreError(400, 'woocommerce_rest_cart_empty', text)
    case 'sold-out': {
      const code = problem.shortage.available === 0 ? 'out_of_stock' : 'partially_out_of_stock'
      return new StoreError(409, `woocommerce_rest_product_${code}`, text)
    }
    case 'coupon-used-up':
      return new StoreError(409, 'woocommerce_rest_cart_coupon_error', text)
    case 'being-paid':
    case 'already-paid':
      return new StoreError(409, 'woocommerce_rest_checkout_process_payment_error', text)
  }
}

/** Returns the error for the faults of a checkout; the first one decides about the code. */
function formError(shop: Parameters<typeof addressError>[0], faults: readonly FormFault[], text: string): StoreError {
  const [first] = faults
  switch (first?.code) {
    case undefined:
    case 'address':
      return addressError(shop, faults)
    case 'shipping-country':
      return new StoreError(400, 'woocommerce_rest_invalid_address', text)
    case 'shipping-destination':
      return new StoreError(400, 'woocommerce_rest_invalid_address_country', text)
    case 'shipping-method':
      return new StoreError(400, 'woocommerce_rest_invalid_shipping_option', text)
    case 'payment-method':
      return new StoreError(400, 'woocommerce_rest_checkout_payment_method_disabled', text)
    case 'keep-method':
      return new StoreError(400, 'woocommerce_rest_checkout_missing_payment_method', text)
    case 'terms':
      return new StoreError(400, 'woocommerce_rest_checkout_terms_not_accepted', text)
    case 'log-in-first':
      return new StoreError(403, 'woocommerce_rest_guest_checkout_disabled', text)
    case 'account':
      return first.reason === 'email-taken'
        ? new StoreError(400, 'registration-error-email-exists', text)
        : new StoreError(400, `registration-error-${first.reason}`, text)
  }
}
