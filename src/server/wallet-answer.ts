import type { CartCheckoutAnswer } from '#contract/calls/payment-cart-checkout.ts'
import { walletMethodId } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { type ExpressStart, finishExpress, startExpress } from '#shop/express-checkout.ts'
import { errorNotice } from './cart-notices.tsx'
import { noticesHtml, type Submission, submissionOf } from './checkout-answer.tsx'
import { settleCart } from './settle-cart.ts'
import type { Visit } from './visit.ts'

/** A refusal in the payment routes' words. */
export function paymentRefusal(
  code: string,
  message: string,
  data: Record<string, unknown> = {},
  status = 400,
): Response {
  return Response.json({ code, message, data: { status, ...data } }, { status })
}

const shopperOf = (visit: Visit) => ({ customerIp: visit.ip, customerUserAgent: visit.userAgent })

/** Opens a wallet order for the cart; the answer in case of failure is ready to be sent. */
export async function openExpress(visit: Visit): Promise<(ExpressStart & { ok: true }) | Response> {
  const { t } = await visit.app.shop()
  if (!(await settleCart(visit))) {
    return paymentRefusal('cart-problem', t('Your cart needs a change first.'), {
      messages: await noticesHtml(visit, await visit.takeNotices()),
    })
  }
  const started = await startExpress(visit.app.tools, await visit.session(), shopperOf(visit))
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
          problem: started.problem === 'already-paid' ? 'cancelled' : 'refused',
          order: null,
        },
  )
  if (submission.kind === 'redirect') return paymentRefusal('cart-problem', t('This order is paid.'))
  return paymentRefusal('cart-problem', t('Your cart cannot be ordered as it is.'), {
    messages: await noticesHtml(visit, submission.notices),
  })
}

/** Finishes an approved wallet order that was started outside the checkout form. */
export async function closeExpress(visit: Visit, walletOrderId: string): Promise<Submission> {
  const result = await finishExpress(visit.app.tools, await visit.session(), walletOrderId, shopperOf(visit))
  visit.adopt(result.session)
  if (result.ok || result.reason !== 'review') return submissionOf(visit, result)
  const { t } = await visit.app.shop()
  if (result.problem === 'no-shipping') {
    await visit.addNotice(
      errorNotice(t('We do not ship to the address from your wallet. Please choose another one. Nothing was charged.')),
    )
    return { kind: 'redirect', url: urls.checkout(), orderId: 0 }
  }
  await visit.addNotice({
    kind: 'notice',
    html: t('Your address has changed the total. Please look over your order, then place it.'),
  })
  const review = Buffer.from(
    JSON.stringify({ payment_method: walletMethodId, paypal_order: walletOrderId, fields: {} }),
  ).toString('base64')
  return { kind: 'redirect', url: urls.checkout({ _ppcp_order_review: review }), orderId: 0 }
}

/** A submission as the route `cart/checkout` answers it. */
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
