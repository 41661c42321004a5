import { parseOrderReview } from '#contract/order-review-return.ts'
import { isProviderMethod, orderReviewParameter } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { readCheckoutForm } from '#shop/checkout-form.ts'
import { describeCheckout } from '#shop/describe-checkout.ts'
import { takeForm } from '#shop/submit-checkout.ts'
import { takeOrderReview } from '#shop/take-order-review.ts'
import { CheckoutPage } from '#web/pages/checkout-page.tsx'
import { acceleratedScript } from '../accelerated-script.tsx'
import { fieldsOf } from '../account-notices.ts'
import { approvedIn, methodIn } from '../calls/checkout.ts'
import { noncesFor } from '../cart-answer.tsx'
import { errorNotice } from '../cart-notices.tsx'
import { checkoutNonces, submitForm } from '../checkout-answer.tsx'
import { couponFormNotice } from '../coupon-notices.ts'
import { tellCart, tellCartLeft } from '../fragments.tsx'
import { withKept } from '../kept-methods.ts'
import { isFromShop } from '../origin-check.ts'
import { privatePage } from '../page-answer.tsx'
import { payingCart } from '../paying-cart.ts'
import { seeOther } from '../redirect.ts'
import { settleCart } from '../settle-cart.ts'
import { takeCoupon } from '../take-coupon.ts'
import type { Visit } from '../visit.ts'
import { paymentCart } from './cart.tsx'

/** The checkout of a cart that holds something; an empty one has its own page. */
export async function checkoutPage(visit: Visit): Promise<Response> {
  await takeReturn(visit)
  await settleCart(visit)
  const { cart, facts } = await payingCart(visit)
  tellCart(visit, facts)
  if (facts.lines.length === 0) return seeOther(urls.cart())
  const nonces = await noncesFor(visit, checkoutNonces)
  const checkout = describeCheckout(visit.app.tools, await visit.session(), facts, await withKept(visit, cart.methods))
  // Shown once: who comes again finds the form closed.
  await visit.change((state) => ({
    state: state.refusedLogIn ? { ...state, refusedLogIn: null } : state,
    result: null,
  }))
  const shop = await visit.app.shop()
  const { t } = shop
  // The page prints them, and takes them from the session as it does.
  const invalid = fieldsOf((await visit.session()).state.notices)
  const isLoggedIn = checkout.account === null
  const accelerated = facts.needsPayment ? await acceleratedScript(visit.app, shop, isLoggedIn) : null
  return privatePage(
    visit,
    {
      kind: 'checkout',
      script: 'checkout',
      title: t('Checkout'),
      // Nothing is said to search engines: they keep no cookies, so the cart's address is all that they are ever sent to.
      description: t('Where your order goes to, how it gets there, and how you pay for it.'),
      canonical: urls.checkout(),
      payment: { cart: paymentCart(cart), isLoggedIn, ...(accelerated ? { accelerated } : {}) },
      element: (
        <CheckoutPage
          facts={checkout}
          nonces={nonces}
          invalid={invalid}
          accelerated={accelerated?.fastlane_flow}
          attribution={visit.app.tools.settings.attribution.enabled}
        />
      ),
    },
    nonces,
  )
}

/** A payment that was approved elsewhere and is looked over here comes with the address. */
async function takeReturn(visit: Visit): Promise<void> {
  const parameter = visit.url.searchParams.get(orderReviewParameter)
  const review = parameter === null ? null : parseOrderReview(parameter)
  const taken = review && (await takeOrderReview(visit.app.tools, await visit.session(), review))
  if (taken) visit.adopt(taken)
}

/** The checkout form as a browser posts it by itself. What was typed is kept, whatever the outcome. */
export async function checkoutForm(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const fields = await visit.fields()
  const shop = await visit.app.shop()
  if (fields.apply_coupon !== undefined && typeof fields.coupon_code === 'string') {
    const result = await takeCoupon(visit, fields.coupon_code)
    await visit.addNotice(...couponFormNotice(shop, fields.coupon_code, result))
    return seeOther(urls.checkout())
  }
  const approvedId = approvedIn(fields)
  const empty = (await visit.session()).state.lines.length === 0
  if (empty && !approvedId && !fields.intention) return seeOther(urls.cart())
  if (
    !(await visit.isNonce(
      fields['woocommerce-process-checkout-nonce'] ?? fields._wpnonce,
      'woocommerce-process_checkout',
    ))
  ) {
    await visit.addNotice(errorNotice(shop.t('We were unable to process your order, please try again.')))
    return seeOther(urls.checkout())
  }
  if (fields.woocommerce_checkout_update_totals !== undefined) {
    const { session } = await takeForm(
      visit.app.tools,
      await visit.session(),
      readCheckoutForm(visit.app.tools, fields),
    )
    visit.adopt(session)
    return seeOther(urls.checkout())
  }
  const start = isProviderMethod(methodIn(fields))
  const submission = await submitForm(visit, fields, { approvedId, start, looked: true })
  if (submission.kind === 'redirect') {
    if (!submission.walletOrderId && submission.orderId > 0) await tellCartLeft(visit)
    return seeOther(submission.url)
  }
  await visit.addNotice(...submission.notices)
  return seeOther(urls.checkout())
}
