import { isProviderMethod, orderReviewParameter } from '#contract/payments/constants.ts'
import { parseOrderReview } from '#contract/payments/order-review-return.ts'
import { urls } from '#contract/shared/urls.ts'
import { describeCheckout } from '#shop/checkout/describe-checkout.ts'
import { approvedIn, methodIn, parseCheckout } from '#shop/checkout/parse-checkout.ts'
import { saveCheckoutForm } from '#shop/checkout/save-checkout-form.ts'
import { startOrderReview } from '#shop/payments/wallet/resume-order-review.ts'
import { CheckoutPage } from '#web/pages/checkout/checkout-page.tsx'
import { noncesFor } from '../../cart/cart-answer.tsx'
import { setCartCookies, updateCartCookies } from '../../cart/fragments.tsx'
import { settleCart } from '../../cart/settle-cart.ts'
import { payingCart } from '../../checkout/charged-cart.ts'
import { checkoutNonces, submitForm } from '../../checkout/checkout-answer.tsx'
import { applyPostedCoupon } from '../../coupons/apply-coupon.ts'
import { couponFormNotice } from '../../coupons/coupon-notices.ts'
import { fieldsOf } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice } from '../../notices/cart-notices.tsx'
import { acceleratedScript } from '../../payments/accelerated-script.tsx'
import { withSavedMethods } from '../../payments/saved-methods.ts'
import { paymentCart } from '../cart/cart.tsx'
import { privatePage } from '../shared/page-answer.tsx'

/** Answers with the checkout of a filled cart; an empty one has its own page. */
export async function checkoutPage(visit: Visit): Promise<Response> {
  await takeReturn(visit)
  await settleCart(visit)
  const { cart, facts } = await payingCart(visit)
  setCartCookies(visit, facts)
  if (facts.lines.length === 0) return seeOther(urls.cart())
  const nonces = await noncesFor(visit, checkoutNonces)
  const checkout = describeCheckout(
    visit.app.tools,
    await visit.session(),
    facts,
    await withSavedMethods(visit, cart.methods),
  )
  // Shown once: on the next visit the form is closed.
  await visit.change((state) => ({
    state: state.refusedLogIn ? { ...state, refusedLogIn: null } : state,
    result: null,
  }))
  const shop = await visit.app.shop()
  const { t } = shop
  // Printing the notices takes them out of the session.
  const invalid = fieldsOf((await visit.session()).state.notices)
  const isLoggedIn = checkout.account === null
  const accelerated = facts.needsPayment ? await acceleratedScript(visit.app, shop, isLoggedIn) : null
  return privatePage(
    visit,
    {
      kind: 'checkout',
      script: 'checkout',
      title: t('Checkout'),
      // No hint for search engines: without cookies they are always redirected to the cart.
      description: t('Where your order goes, how it gets there and how you pay for it.'),
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

/** Takes over a payment that was approved at the provider and is reviewed here; the address contains it. */
async function takeReturn(visit: Visit): Promise<void> {
  const parameter = visit.url.searchParams.get(orderReviewParameter)
  const review = parameter === null ? null : parseOrderReview(parameter)
  const taken = review && (await startOrderReview(visit.app.tools, await visit.session(), review))
  if (taken) visit.adopt(taken)
}

/** Handles the checkout form without scripts. The input is kept, whatever the outcome. */
export async function checkoutForm(visit: Visit): Promise<Response> {
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const fields = await visit.fields()
  const shop = await visit.app.shop()
  if (fields.apply_coupon !== undefined && typeof fields.coupon_code === 'string') {
    const result = await applyPostedCoupon(visit, fields.coupon_code)
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
    const { session } = await saveCheckoutForm(
      visit.app.tools,
      await visit.session(),
      parseCheckout(visit.app.tools, fields),
    )
    visit.adopt(session)
    return seeOther(urls.checkout())
  }
  const start = isProviderMethod(methodIn(fields))
  const submission = await submitForm(visit, fields, { approvedId, start, looked: true })
  if (submission.kind === 'redirect') {
    if (!submission.walletOrderId && submission.orderId > 0) await updateCartCookies(visit)
    return seeOther(submission.url)
  }
  await visit.addNotice(...submission.notices)
  return seeOther(urls.checkout())
}
