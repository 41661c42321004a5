import type { Call } from './call.ts'
import { addToCartCall } from './calls/add-to-cart.ts'
import { applyCouponCall } from './calls/apply-coupon.tsx'
import { cartCheckoutCall } from './calls/cart-checkout.ts'
import { cartItemCall } from './calls/cart-item.ts'
import { cartOrderCall } from './calls/cart-order.ts'
import { cartRefreshCall } from './calls/cart-refresh.ts'
import { checkoutCall } from './calls/checkout.ts'
import { getCartTotalsCall } from './calls/get-cart-totals.tsx'
import { getRefreshedFragmentsCall } from './calls/get-refreshed-fragments.ts'
import { getVariationCall } from './calls/get-variation.tsx'
import { removeCouponCall } from './calls/remove-coupon.tsx'
import { removeFromCartCall } from './calls/remove-from-cart.ts'
import { updateOrderReviewCall } from './calls/update-order-review.tsx'
import { updateShippingMethodCall } from './calls/update-shipping-method.tsx'
import { webhook } from './webhooks/paypal.ts'

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
  webhook,
]

const byEndpoint = new Map(calls.filter(({ door }) => door === 'wc-ajax').map((call) => [call.name, call]))

export function wcAjaxCall(endpoint: string): Call | undefined {
  return byEndpoint.get(endpoint)
}

/** The payment routes below their namespace. */
export const restCalls: readonly { path: string; call: Call }[] = calls
  .filter(({ door }) => door === 'rest')
  .map((call) => ({ path: `/wp-json/wc-ppcp/v1/${call.name}`, call }))
