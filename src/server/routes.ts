import { urls } from '#contract/urls.ts'
import type { Call } from './call.ts'
import { addToCartCall } from './calls/add-to-cart.ts'
import { applyCouponCall } from './calls/apply-coupon.tsx'
import { billingAgreementCall } from './calls/billing-agreement.ts'
import { billingAgreementTokenCall } from './calls/billing-agreement-token.ts'
import { cartCheckoutCall } from './calls/cart-checkout.ts'
import { cartItemCall } from './calls/cart-item.ts'
import { cartOrderCall } from './calls/cart-order.ts'
import { cartRefreshCall } from './calls/cart-refresh.ts'
import { cartShippingCall } from './calls/cart-shipping.ts'
import { checkoutCall } from './calls/checkout.ts'
import { editSaveCall } from './calls/edit-save.ts'
import { editSuggestCall } from './calls/edit-suggest.ts'
import { editTextsCall } from './calls/edit-texts.ts'
import { editUndoCall } from './calls/edit-undo.ts'
import { getCartTotalsCall } from './calls/get-cart-totals.tsx'
import { getRefreshedFragmentsCall } from './calls/get-refreshed-fragments.ts'
import { getTranslationsCall } from './calls/get-translations.ts'
import { getVariationCall } from './calls/get-variation.tsx'
import { mediaDeleteCall } from './calls/media-delete.ts'
import { mediaItemCall } from './calls/media-item.ts'
import { mediaListCall } from './calls/media-list.ts'
import { mediaPostProcessCall } from './calls/media-post-process.ts'
import { mediaUpdateCall } from './calls/media-update.ts'
import { mediaUploadCall } from './calls/media-upload.ts'
import { orderPayCall } from './calls/order-pay.ts'
import { paymentTokensCall } from './calls/payment-tokens.ts'
import { policyReportCall } from './calls/policy-report.ts'
import { removeCouponCall } from './calls/remove-coupon.tsx'
import { removeFromCartCall } from './calls/remove-from-cart.ts'
import { restNamespaceCall } from './calls/rest-namespace.ts'
import { restNonceCall } from './calls/rest-nonce.ts'
import { restRootCall } from './calls/rest-root.ts'
import { restUserCall } from './calls/rest-user.ts'
import { restUserRecordCall } from './calls/rest-user-record.ts'
import { setupTokensCall } from './calls/setup-tokens.ts'
import { statsHitCall } from './calls/stats-hit.ts'
import { statsOnlineCall } from './calls/stats-online.ts'
import { statsOnlineNowCall } from './calls/stats-online-now.ts'
import { statsReportCall } from './calls/stats-report.ts'
import { translateCall } from './calls/translate.ts'
import { updateOrderReviewCall } from './calls/update-order-review.tsx'
import { updateShippingMethodCall } from './calls/update-shipping-method.tsx'
import { v3OrderCall } from './calls/v3-order.ts'
import { v3OrderRefundsCall } from './calls/v3-order-refunds.ts'
import { v3OrdersCall } from './calls/v3-orders.ts'
import { webhook } from './webhooks/paypal.ts'
import { shippingCallback } from './webhooks/shipping-callback.ts'

/** Every call of the public contract. A call that declares less than its whole policy does not compile. */
export const calls: readonly Call[] = [
  addToCartCall,
  removeFromCartCall,
  getRefreshedFragmentsCall,
  getCartTotalsCall,
  applyCouponCall,
  removeCouponCall,
  updateShippingMethodCall,
  updateOrderReviewCall,
  getVariationCall,
  checkoutCall,
  cartItemCall,
  cartOrderCall,
  cartCheckoutCall,
  cartRefreshCall,
  cartShippingCall,
  orderPayCall,
  setupTokensCall,
  paymentTokensCall,
  billingAgreementCall,
  billingAgreementTokenCall,
  restRootCall,
  restNamespaceCall,
  restUserCall,
  restUserRecordCall,
  restNonceCall,
  mediaListCall,
  mediaUploadCall,
  mediaItemCall,
  mediaUpdateCall,
  mediaDeleteCall,
  mediaPostProcessCall,
  v3OrdersCall,
  v3OrderCall,
  v3OrderRefundsCall,
  translateCall,
  getTranslationsCall,
  editTextsCall,
  editSaveCall,
  editUndoCall,
  editSuggestCall,
  statsHitCall,
  statsOnlineCall,
  statsReportCall,
  statsOnlineNowCall,
  policyReportCall,
  webhook,
  shippingCallback,
]

const byEndpoint = new Map(calls.filter(({ door }) => door === 'wc-ajax').map((call) => [call.name, call]))

const byAction = new Map(calls.filter(({ door }) => door === 'admin-ajax').map((call) => [call.name, call]))

/** @param action of a request to the platform's own door */
export function adminAjaxCall(action: string): Call | undefined {
  if (action.startsWith('woocommerce_')) return wcAjaxCall(action.slice('woocommerce_'.length))
  return byAction.get(action)
}

export function wcAjaxCall(endpoint: string): Call | undefined {
  return byEndpoint.get(endpoint)
}

/** The routes below their namespace, which is the payment routes' unless they name another, and the calls at each. */
export const restCalls: ReadonlyMap<string, readonly [Call, ...Call[]]> = calls
  .filter(({ door }) => door === 'rest')
  .reduce((routes, call) => {
    const others = routes.get(restPath(call))
    return routes.set(restPath(call), others ? [...others, call] : [call])
  }, new Map<string, readonly [Call, ...Call[]]>())

export function restPath({ namespace = 'wc-ppcp/v1', name }: Pick<Call, 'namespace' | 'name'>): string {
  if (namespace === 'root') return urls.rest(name.slice(1)).replace(/\/$/, '')
  return namespace === 'api' ? `/api/${name}` : urls.rest(`${namespace}/${name}`)
}
