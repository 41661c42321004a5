import { termsVersionField } from '#contract/checkout/hooks.ts'
import { errorReturnHash, walletOrderIdPattern } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { findOrderOfWallet } from '#database/payments/wallet-orders.ts'
import { quoteCart } from '#shop/cart/quote-cart.ts'
import { payAndClose } from '#shop/checkout/submit-checkout.ts'
import { isPriceFreezeOver } from '#shop/orders/frozen-order.ts'
import { lockDeclineUnlessPaid } from '#shop/payments/operation/lock-decline.ts'
import { setCartCookies } from '../../cart/fragments.tsx'
import { type Submission, submissionOf } from '../../checkout/checkout-answer.tsx'
import { seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { closeOrderPay, orderOfWallet } from '../../payments/order-pay-answer.ts'
import { closeExpress, openExpress } from '../../payments/wallet-answer.ts'
import { productForm } from '../cart/product-form.ts'

/**
 * Starts a payment by redirect from the cart or a product form, for browsers without scripts. A product form fills the
 * cart first. Then the wallet order is created, and the shopper is redirected to approve it.
 */
export async function walletStart(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const { t } = await visit.app.shop()
  const fields = await visit.fields()
  if (fields['add-to-cart'] !== undefined || fields.product_id !== undefined) {
    const before = (await visit.session()).version
    const answer = await productForm(visit)
    // Nothing was added: the page before shows the reason.
    const { state, version } = await visit.session()
    if (version === before || state.notices.some(({ kind }) => kind === 'error')) return answer
    await visit.takeOwnNotices()
  }
  if ((await visit.session()).state.lines.length === 0) return seeOther(urls.cart())
  const opened = await openExpress(visit, { [termsVersionField]: fields[termsVersionField] })
  if (!(opened instanceof Response)) return seeOther(opened.approveUrl)
  const answer = (await opened.json()) as { message?: string; data?: { messages?: string } }
  await visit.addNotice(
    opened.status === 503 || !answer.data?.messages
      ? errorNotice(answer.message ?? t('The payment could not be started.'))
      : // Markup of our own renderer, without its list.
        { kind: 'error', html: answer.data.messages.replace(/<\/?(ul|li)[^>]*>/g, '') },
  )
  return seeOther(urls.cart())
}

/** Handles the provider's redirect after approval: always completes the payment, whatever page began it. */
export function walletReturn(visit: Visit): Promise<Response> {
  return returned(visit, visit.url.searchParams.get('token') ?? '')
}

async function returned(visit: Visit, token: string): Promise<Response> {
  const { t } = await visit.app.shop()
  const order = walletOrderIdPattern.test(token) ? await orderOfWallet(visit, token) : null
  if (!order) {
    await visit.addNotice(
      errorNotice(
        (await paysIndependently(visit, token))
          ? t('If you approved a payment, it is being checked, and you will get an email. Please do not pay again.')
          : t('This payment does not belong to your cart. Nothing was charged.'),
      ),
    )
    return seeOther(urls.cart())
  }
  const ofCart = await isOfCart(visit, order)
  const submission = ofCart ? await finishReturn(visit, order, token) : await closeOrderPay(visit, token)
  if (submission.kind === 'redirect') {
    if (submission.orderId > 0 && ofCart) setCartCookies(visit, { hash: '', lines: [] })
    return seeOther(submission.url)
  }
  await visit.addNotice(...submission.notices)
  if (ofCart) await withoutApproval(visit)
  return seeOther(ofCart ? `${urls.checkout()}#${errorReturnHash}` : urls.orderPay(order.id, order.key))
}

/**
 * Checks whether a wallet order pays for an order outside this visitor's session. The shopper may have begun it in
 * another browser, or have lost the cookie on the way. A shopper who approved before seeing the final total confirms
 * it in the first browser.
 */
async function paysIndependently(visit: Visit, token: string): Promise<boolean> {
  const { db, paymentEnvironment } = visit.app.tools
  const found = walletOrderIdPattern.test(token) ? await findOrderOfWallet(db.kysely, token) : null
  return found?.order.created_via === 'checkout' && found.wallet.environment === paymentEnvironment
}

/** Checks whether the order is that of the cart, not an earlier order that is paid on its order-pay page. */
async function isOfCart(visit: Visit, order: OrderRow): Promise<boolean> {
  const { state } = await visit.session()
  return state.awaitingOrder === order.id || !state.ownOrders.includes(order.id)
}

async function finishReturn(visit: Visit, order: OrderRow, walletOrderId: string): Promise<Submission> {
  const { tools } = visit.app
  if (order.created_via === 'wallet' && order.payment_state !== 'paid') return closeExpress(visit, walletOrderId)
  const session = await visit.session()
  if ((await isOutdated(visit, order)) && (await lockDeclineUnlessPaid(tools, order.id, walletOrderId))) {
    return submissionOf(visit, { session, ok: false, reason: 'payment', problem: 'outdated', order })
  }
  const result = await payAndClose(tools, { kind: 'approved', session, order, walletOrderId })
  visit.adopt(result.session)
  return submissionOf(visit, result)
}

/** Checks whether the price freeze is over and the total has changed since: the shopper must review the order again. */
async function isOutdated(visit: Visit, order: OrderRow): Promise<boolean> {
  const { tools } = visit.app
  if (order.status !== 'pending' || order.payment_state !== 'pending' || !isPriceFreezeOver(tools, order)) return false
  const { id, state } = await visit.session()
  const { quote } = await quoteCart(tools, id, state)
  return quote.lines.length > 0 && (quote.total !== order.total || quote.currency !== order.currency)
}

/** Handles the provider's redirect after a cancellation, and the checkout's link that discards an approval. */
export async function walletCancel(visit: Visit): Promise<Response> {
  const { t } = await visit.app.shop()
  const { state } = await visit.session()
  const token = visit.url.searchParams.get('token') ?? state.approvedWallet ?? ''
  const order = walletOrderIdPattern.test(token) ? await orderOfWallet(visit, token) : null
  // It was approved, and the webhook arrived first.
  if (order && !(await lockDeclineUnlessPaid(visit.app.tools, order.id, token))) return returned(visit, token)
  const paying = order && !(await isOfCart(visit, order)) ? order : null
  if (!paying) await withoutApproval(visit)
  await visit.addNotice({ kind: 'notice', html: escapeHtml(t('The payment was canceled. Nothing was charged.')) })
  if (paying) return seeOther(urls.orderPay(paying.id, paying.key))
  return seeOther(state.billing.email !== '' ? urls.checkout() : urls.cart())
}

/** Resets the checkout to the choice of a payment method. */
async function withoutApproval(visit: Visit): Promise<void> {
  await visit.change((state) => ({
    state: state.approvedWallet === null ? state : { ...state, approvedWallet: null },
    result: undefined,
  }))
}
