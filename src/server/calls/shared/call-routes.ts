import { urls } from '#contract/shared/urls.ts'
import { restUserRecordCall } from '../../rest/desk/get-user.ts'
import { mediaDeleteCall } from '../../rest/desk/media-delete.ts'
import { mediaItemCall } from '../../rest/desk/media-item.ts'
import { mediaListCall } from '../../rest/desk/media-list.ts'
import { mediaPostProcessCall } from '../../rest/desk/media-post-process.ts'
import { mediaUpdateCall } from '../../rest/desk/media-update.ts'
import { mediaUploadCall } from '../../rest/desk/media-upload.ts'
import { statsOnlineNowCall } from '../../rest/desk/statistics-online.ts'
import { statsReportCall } from '../../rest/desk/statistics-report.ts'
import { restUserCall } from '../../rest/desk/update-user.ts'
import { restNamespaceCall } from '../../rest/namespace-index.ts'
import { apiDocsCall } from '../../rest/openapi/docs-call.ts'
import { openApiCall } from '../../rest/openapi/openapi-call.ts'
import { restNonceCall } from '../../rest/rest-nonce.ts'
import { restRootCall } from '../../rest/root-index.ts'
import { storeCalls } from '../../rest/store/store-routes.ts'
import { restStoreIndexCall } from '../../rest/store-index.ts'
import { v3Calls } from '../../rest/v3/v3-routes.ts'
import { webhook } from '../../webhooks/payments/paypal.ts'
import { shippingCallback } from '../../webhooks/payments/shipping-callback.ts'
import { addToCartCall } from '../cart/add-to-cart.ts'
import { getCartTotalsCall } from '../cart/get-cart-totals.tsx'
import { getRefreshedFragmentsCall } from '../cart/get-refreshed-fragments.ts'
import { removeFromCartCall } from '../cart/remove-from-cart.ts'
import { getVariationCall } from '../catalog/get-variation.tsx'
import { checkoutCall } from '../checkout/checkout.ts'
import { updateOrderReviewCall } from '../checkout/update-order-review.tsx'
import { applyCouponCall } from '../coupons/apply-coupon.tsx'
import { removeCouponCall } from '../coupons/remove-coupon.tsx'
import { policyReportCall } from '../operations/csp-report.ts'
import { billingAgreementCall } from '../payments/billing-agreement.ts'
import { billingAgreementTokenCall } from '../payments/billing-agreement-token.ts'
import { cartCheckoutCall } from '../payments/cart-checkout.ts'
import { cartItemCall } from '../payments/cart-item.ts'
import { cartOrderCall } from '../payments/cart-order.ts'
import { cartRefreshCall } from '../payments/cart-refresh.ts'
import { cartShippingCall } from '../payments/cart-shipping.ts'
import { orderPayCall } from '../payments/order-pay.ts'
import { paymentTokensCall } from '../payments/payment-tokens.ts'
import { setupTokensCall } from '../payments/setup-tokens.ts'
import { updateShippingMethodCall } from '../shipping/update-shipping-method.tsx'
import { statsHitCall } from '../statistics/stats-hit.ts'
import { statsOnlineCall } from '../statistics/stats-online.ts'
import { getTranslationsCall } from '../translation/get-translations.ts'
import { editTextsCall } from '../translation/list-translations.ts'
import { editSaveCall } from '../translation/save-translations.ts'
import { editSuggestCall } from '../translation/suggest-translation.ts'
import { translateCall } from '../translation/translate-texts.ts'
import { editUndoCall } from '../translation/undo-translation.ts'
import type { Call } from './define-call.ts'

/** Every call of the public contract. A call without its complete policy does not compile. */
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
  openApiCall,
  apiDocsCall,
  restNamespaceCall,
  restStoreIndexCall,
  restUserCall,
  restUserRecordCall,
  restNonceCall,
  mediaListCall,
  mediaUploadCall,
  mediaItemCall,
  mediaUpdateCall,
  mediaDeleteCall,
  mediaPostProcessCall,
  ...v3Calls,
  ...storeCalls,
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

/** @param action of a request to `admin-ajax.php` */
export function adminAjaxCall(action: string): Call | undefined {
  if (action.startsWith('woocommerce_')) return wcAjaxCall(action.slice('woocommerce_'.length))
  return byAction.get(action)
}

export function wcAjaxCall(endpoint: string): Call | undefined {
  return byEndpoint.get(endpoint)
}

/** The routes below their namespace (by default that of the payment routes), and the calls of each. */
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
