import { urls } from '#contract/shared/urls.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import type { CheckoutForm } from '#shop/checkout/checkout-form.ts'
import type { CheckoutResult } from '#shop/checkout/checkout-stages.ts'
import { describeCheckout } from '#shop/checkout/describe-checkout.ts'
import { parseCheckout } from '#shop/checkout/parse-checkout.ts'
import { saveCheckoutForm } from '#shop/checkout/save-checkout-form.ts'
import { submitCheckout } from '#shop/checkout/submit-checkout.ts'
import type { ProviderPaymentInput } from '#shop/payments/operation/pay-with-source.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { OrderReview } from '#web/parts/checkout/order-review.tsx'
import { priceText } from '#web/parts/currency/price.tsx'
import { Notices } from '#web/parts/notices/notices.tsx'
import { Payment } from '#web/parts/payments/payment.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { noncesFor } from '../cart/cart-answer.tsx'
import { settleCart } from '../cart/settle-cart.ts'
import { tooManyNotice } from '../customers/account-notices.ts'
import type { Visit } from '../http/visit.ts'
import { errorNotice, expiredNotice } from '../notices/cart-notices.tsx'
import { withSavedMethods } from '../payments/saved-methods.ts'
import { payingCart } from './charged-cart.ts'
import { faultNotices } from './form-notices.ts'
import { shopperOf } from './shopper-facts.ts'

/** Actions whose nonces the checkout page contains. */
export const checkoutNonces = [
  'woocommerce-process_checkout',
  'update-order-review',
  'apply-coupon',
  'remove-coupon',
  'woocommerce-cart',
  'woocommerce-login',
  'wp_rest',
] as const

/** Renders the two fragments of the checkout that depend on address and method. */
export async function checkoutFragments(visit: Visit): Promise<Record<string, string>> {
  const { app } = visit
  const { cart: quoted, facts: cart } = await payingCart(visit)
  const facts = describeCheckout(app.tools, await visit.session(), cart, await withSavedMethods(visit, quoted.methods))
  const nonces = await noncesFor(visit, checkoutNonces)
  const shop = await app.shop()
  return {
    '.woocommerce-checkout-review-order-table': renderPart(shop, <OrderReview cart={cart} />, 'review'),
    '.woocommerce-checkout-payment': renderPart(shop, <Payment facts={facts} nonces={nonces} />, 'payment'),
  }
}

/**
 * The result of "place order", for all endpoints. `reload`: an account was created, and the page must be rendered for a
 * logged-in customer.
 */
export type Submission =
  | { kind: 'redirect'; url: string; orderId: number; walletOrderId?: string }
  | {
      kind: 'notices'
      notices: readonly NoticeFacts[]
      refresh: boolean
      issue?: string
      form?: boolean
      reload?: true
    }

/** Submits a posted form: first settles the cart, so that an unavailable product is not ordered. */
export async function submitForm(
  visit: Visit,
  fields: Readonly<Record<string, unknown>>,
  wish: ProviderPaymentInput,
): Promise<Submission> {
  const { tools } = visit.app
  const form: CheckoutForm = parseCheckout(tools, fields)
  const { fine, looked } = await settleCart(visit, orderingEmail(form))
  const before = await visit.session()
  if (!fine) {
    const kept = await saveCheckoutForm(tools, before, form, looked)
    visit.adopt(kept.session)
    return { kind: 'notices', notices: await visit.takeOwnNotices(), refresh: true }
  }
  const shopper = await shopperOf(visit, fields)
  const result = await submitCheckout(tools, { session: before, form, shopper, wish, looked })
  visit.adopt(result.session)
  const submission = await submissionOf(visit, result)
  const loggedIn = before.customerId === null && result.session.customerId !== null
  if (submission.kind !== 'notices') return submission
  // The approval is no longer valid, so the page asks for a payment method again.
  const taken = before.state.approvedWallet !== null && result.session.state.approvedWallet === null
  return { ...submission, refresh: submission.refresh || taken, ...(loggedIn ? { reload: true } : {}) }
}

/** Null if the email address is invalid: then coupons cannot be checked. */
function orderingEmail({ billing, addressFaults }: CheckoutForm): string | null {
  return addressFaults.billing.some((one) => one.code === 'address' && one.fault.field === 'email')
    ? null
    : billing.email
}

/** Returns the page that shows the shopper the state of the order. */
export const orderReceivedUrl = (visit: Visit, { id, key }: Pick<OrderRow, 'id' | 'key'>): string =>
  visit.path(urls.orderReceived(id, key))

export async function submissionOf(visit: Visit, result: CheckoutResult): Promise<Submission> {
  const shop = await visit.app.shop()
  if (result.ok) {
    const { order } = result
    if (result.kind === 'done') return { kind: 'redirect', url: orderReceivedUrl(visit, order), orderId: order.id }
    return { kind: 'redirect', url: result.approveUrl, orderId: order.id, walletOrderId: result.walletOrderId }
  }
  if (result.reason === 'keep') return { kind: 'redirect', url: result.url, orderId: 0 }
  if (result.reason === 'form') {
    return { kind: 'notices', notices: faultNotices(shop, result.faults), refresh: false, form: true }
  }
  if (result.reason === 'too-many') {
    return { kind: 'notices', notices: [tooManyNotice(shop.t, result.waitMs)], refresh: false }
  }
  if (result.reason === 'total-changed') {
    const text = shop.t('The total is now %s. Please review your order, then place it.', priceText(shop, result.total))
    return { kind: 'notices', notices: [errorNotice(text)], refresh: true }
  }
  if (result.reason === 'order') return { kind: 'notices', notices: orderProblem(shop, result.problem), refresh: true }
  const { problem, order } = result
  // Money may have moved: the order's own page shows its state.
  if ((problem === 'checking' || problem === 'attention') && order) {
    return { kind: 'redirect', url: orderReceivedUrl(visit, order), orderId: order.id }
  }
  const issue = result.issue ?? (problem === 'not-approved' ? 'ORDER_NOT_APPROVED' : problem.toUpperCase())
  return {
    kind: 'notices',
    notices: [errorNotice(paymentProblem(shop, problem))],
    refresh: problem === 'outdated',
    issue,
  }
}

type Problem = Extract<CheckoutResult, { reason: 'order' }>['problem']

function orderProblem({ t, n }: ShopContextValue, problem: Problem): NoticeFacts[] {
  switch (problem.reason) {
    case 'cart-empty':
      return [expiredNotice(t)]
    case 'sold-out':
      return [
        errorNotice(
          problem.shortage.available === 0
            ? t('Someone else was faster: one of your products is out of stock. Please change your cart.')
            : n(
                problem.shortage.available,
                'Someone else was faster: only one piece of one of your products is left. Please change your cart.',
                'Someone else was faster: only %s pieces of one of your products are left. Please change your cart.',
              ),
        ),
      ]
    case 'coupon-used-up':
      return [errorNotice(t('The usage limit of coupon “%s” has been reached.', problem.code))]
    case 'being-paid':
      return [errorNotice(t('This order is being paid right now. Please wait a few seconds.'))]
    case 'already-paid':
      return [errorNotice(t('This order has already been paid.'))]
  }
}

type PaymentProblem = Extract<CheckoutResult, { reason: 'payment' }>['problem']

export function paymentProblem({ t }: ShopContextValue, problem: PaymentProblem): string {
  switch (problem) {
    case 'declined':
      return t('The payment was declined. Nothing was charged; please try another payment method.')
    case 'payer-step':
      return t('PayPal needs one more step from you. Nothing was charged; please complete it at PayPal.')
    case 'card-rejected':
      return t('Your bank could not confirm that this card is yours. Nothing was charged; please use another card.')
    case 'card-retry':
      return t('Your card was not confirmed. Nothing was charged; please try again or use another card.')
    case 'paused':
      return t('Too many payments have failed. Nothing was charged; please wait ten minutes, then try again.')
    case 'address':
      return t('PayPal does not accept the shipping address. Nothing was charged; please check the city and ZIP code.')
    case 'unknown-means':
      return t('This payment method is no longer saved for you. Nothing was charged; please choose another one.')
    case 'not-approved':
      return t('The payment has not been approved yet. Nothing was charged.')
    case 'outdated':
    case 'unknown-order':
      return t('Your cart has changed since you approved the payment. Nothing was charged; please pay again.')
    case 'cancelled':
      return t('This order was canceled. Nothing was charged.')
    case 'coupon-used-up':
      return t('A coupon in this order has been used up in the meantime. Nothing was charged.')
    case 'stock':
      return t('One of your products has gone out of stock in the meantime. Nothing was charged.')
    case 'unreachable':
      return t('The payment provider cannot be reached at the moment. Nothing was charged; please try again.')
    case 'refused':
      return t('The payment provider refused this payment. Nothing was charged; please try another payment method.')
    case 'checking':
      return t('We are checking whether your payment went through. Please do not pay again.')
    case 'attention':
      return t('We received a payment that we need to review. We will email you.')
  }
}

export async function noticesHtml(visit: Visit, notices: readonly NoticeFacts[]): Promise<string> {
  return renderPart(await visit.app.shop(), <Notices notices={notices} />)
}
