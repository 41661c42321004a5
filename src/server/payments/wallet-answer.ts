import type { CartCheckoutAnswer } from '#contract/payments/cart-checkout.ts'
import { orderReviewParameter, paymentErrorCodes, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { orderReviewParameterFor } from '#contract/payments/order-review-return.ts'
import { urls } from '#contract/shared/urls.ts'
import type { OrderRow } from '#database/orders/orders.ts'
import { countryName } from '#shop/addresses/allowed-countries.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { accountOffer } from '#shop/checkout/checkout-account.ts'
import { fundingIn } from '#shop/payments/operation/payment-source.ts'
import { type ExpressStart, finishExpress, startExpress } from '#shop/payments/wallet/express-checkout.ts'
import { requestOrderReview } from '#shop/payments/wallet/request-order-review.ts'
import { priceText } from '#web/parts/currency/price.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import { currentCart } from '../cart/fragments.tsx'
import { settleCart } from '../cart/settle-cart.ts'
import { noticesHtml, paymentProblem, type Submission, submissionOf, submitForm } from '../checkout/checkout-answer.tsx'
import { faultNotices } from '../checkout/form-notices.ts'
import { shopperOf } from '../checkout/shopper-facts.ts'
import type { Visit } from '../http/visit.ts'
import { errorNotice, escapeHtml } from '../notices/cart-notices.tsx'

/** Returns a refusal as a response of the payment routes. */
export function paymentRefusal(
  code: string,
  message: string,
  data: Record<string, unknown> = {},
  status = 400,
): Response {
  return Response.json({ code, message, data: { status, ...data } }, { status })
}

/** Refuses to charge in another currency than the rendered buttons: another tab has changed it since. */
export async function currencyRefusal(visit: Visit, seen: unknown): Promise<Response | null> {
  if (typeof seen !== 'string' || seen === '' || seen === visit.app.tools.settings.currency) return null
  const shop = await visit.app.shop()
  const { facts } = await currentCart(visit)
  const message = shop.t(
    'The total is now %s. Please review your order, then place it.',
    priceText(shop, facts.totals.total),
  )
  const notice = errorNotice(message)
  const messages = await noticesHtml(visit, [notice])
  // The page reloads and shows the notice there.
  await visit.addNotice(notice)
  return paymentRefusal(paymentErrorCodes.pageOutdated, message, { messages })
}

/**
 * Opens a wallet order for the cart; a failure returns the complete response.
 * @param fields of the request, with the pressed button
 */
export async function openExpress(
  visit: Visit,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<(ExpressStart & { ok: true }) | Response> {
  const { t } = await visit.app.shop()
  const refused = await currencyRefusal(visit, fields.seen_currency)
  if (refused) return refused
  if (!(await settleCart(visit)).fine) {
    return paymentRefusal('cart-problem', t('Your cart must be changed first.'), {
      messages: await noticesHtml(visit, await visit.takeOwnNotices()),
    })
  }
  // Where the order requires a login, an approval would be useless.
  if (accountOffer(visit.app.tools, await visit.session())?.kind === 'log-in-first') {
    return paymentRefusal('cart-problem', t('You must be logged in to place an order.'), {
      messages: await noticesHtml(visit, faultNotices(await visit.app.shop(), [{ code: 'log-in-first' }])),
    })
  }
  const funding = fundingIn(fields[paymentFields(walletMethodId).funding])
  const started = await startExpress(visit.app.tools, await visit.session(), await shopperOf(visit, fields), funding)
  visit.adopt(started.session)
  if (started.ok) return started
  if (started.reason === 'payment' && started.problem === 'unreachable') {
    const message = t('The payment provider cannot be reached at the moment. Nothing was charged; please try again.')
    return paymentRefusal('unreachable', message, {}, 503)
  }
  const submission = await submissionOf(
    visit,
    started.reason === 'order'
      ? started
      : {
          session: started.session,
          ok: false,
          reason: 'payment',
          problem:
            started.problem === 'already-paid' ? 'cancelled' : started.problem === 'paused' ? 'paused' : 'refused',
          order: null,
        },
  )
  if (submission.kind === 'redirect') return paymentRefusal('cart-problem', t('This order has already been paid.'))
  return paymentRefusal('cart-problem', t('Your cart cannot be ordered as it is.'), {
    messages: await noticesHtml(visit, submission.notices),
  })
}

/** Completes an approved wallet order that was started outside the checkout form. */
export async function closeExpress(
  visit: Visit,
  walletOrderId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Submission> {
  const result = await finishExpress(
    visit.app.tools,
    await visit.session(),
    walletOrderId,
    await shopperOf(visit, fields),
  )
  visit.adopt(result.session)
  if (result.ok || result.reason !== 'review') return submissionOf(visit, result)
  const { t } = await visit.app.shop()
  if (result.problem === 'no-shipping') {
    await visit.addNotice(
      errorNotice(t('We do not ship to the address from your wallet. Please choose another one. Nothing was charged.')),
    )
    return { kind: 'redirect', url: visit.path(urls.checkout()), orderId: 0 }
  }
  if (result.problem === 'not-sold-there') {
    const { language } = await visit.app.shop()
    const { country } = (await visit.session()).state.billing
    await visit.addNotice(errorNotice(t('We do not sell to %s.', countryName(language, country))))
    return { kind: 'redirect', url: visit.path(urls.checkout()), orderId: 0 }
  }
  if (result.problem === 'currency-changed') {
    await visit.addNotice(
      errorNotice(
        t('The currency was changed in the meantime. Nothing was charged; please review your order, then pay.'),
      ),
    )
    return { kind: 'redirect', url: visit.path(urls.checkout()), orderId: 0 }
  }
  if (result.problem === 'coupons') {
    // Removes the coupons, with a notice of the reason.
    await settleCart(visit, (await visit.session()).state.billing.email)
    await visit.addNotice(errorNotice(paymentProblem(await visit.app.shop(), 'outdated')))
    return { kind: 'redirect', url: visit.path(urls.checkout()), orderId: 0 }
  }
  return redirectToReview(visit, walletOrderId, [reviewNotice(t, result.problem)])
}

function reviewNotice(t: ShopContextValue['t'], problem: string): NoticeFacts {
  if (problem === 'no-address') return errorNotice(t('Please enter an address to continue.'))
  return problem === 'account' ? accountNeededNotice(t) : totalChanged(t)
}

/**
 * Completes a wallet order that the checkout opened with an invalid form: the form is posted with its input now.
 * Remaining faults, of the form or its total, are shown on the checkout, with the payment ready.
 */
export async function closeUnchecked(
  visit: Visit,
  fields: Readonly<Record<string, unknown>>,
  order: OrderRow,
  walletOrderId: string,
): Promise<Submission> {
  const submission = await submitForm(visit, fields, { approvedId: walletOrderId, start: false, unchecked: true })
  if (submission.kind === 'redirect' || !(submission.form || submission.issue === 'OUTDATED')) return submission
  visit.adopt(await requestOrderReview(visit.app.tools, await visit.session(), order, walletOrderId))
  const { t } = await visit.app.shop()
  return redirectToReview(visit, walletOrderId, submission.form ? submission.notices : [totalChanged(t)])
}

const totalChanged = (t: ShopContextValue['t']): NoticeFacts => ({
  kind: 'notice',
  html: t('Your address has changed the total. Please review your order, then place it.'),
})

const accountNeededNotice = (t: ShopContextValue['t']): NoticeFacts => ({
  kind: 'notice',
  html: escapeHtml(
    t(
      'Nothing has been charged yet: an order requires an account here. Please create one or log in, then place your order.',
    ),
  ),
})

async function redirectToReview(
  visit: Visit,
  walletOrderId: string,
  notices: readonly NoticeFacts[],
): Promise<Submission> {
  await visit.addNotice(...notices)
  const url = visit.path(urls.checkout({ [orderReviewParameter]: orderReviewParameterFor(walletOrderId) }))
  return { kind: 'redirect', url, orderId: 0 }
}

/** Returns a submission as a response of the route `cart/checkout`. */
export async function checkoutAnswer(visit: Visit, submission: Submission): Promise<CartCheckoutAnswer> {
  if (submission.kind === 'redirect') return { result: 'success', redirect: submission.url }
  return {
    result: 'failure',
    messages: await noticesHtml(visit, submission.notices),
    refresh: submission.refresh,
    reload: false,
    ...(submission.issue ? { code: submission.issue } : {}),
  }
}
