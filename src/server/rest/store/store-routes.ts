import type { Call } from '../../calls/shared/define-call.ts'
import { storeAddItemCall, storeCreateItemCall } from './cart/add-item.ts'
import { storeBatch } from './cart/batch.ts'
import { storeCartExtensionsCall } from './cart/cart-extensions.ts'
import {
  storeCartCall,
  storeClearItemsCall,
  storeItemCall,
  storeItemsCall,
  storeRemoveItemByKeyCall,
  storeRemoveItemCall,
  storeUpdateItemByKeyCall,
  storeUpdateItemCall,
} from './cart/cart-items.ts'
import { storeCollectionCall } from './catalog/collection-data.ts'
import { storeProductCall, storeProductsCall } from './catalog/products.ts'
import { storeReviewsCall } from './catalog/reviews.ts'
import {
  storeAttributeCall,
  storeAttributesCall,
  storeAttributeTermsCall,
  storeBrandCall,
  storeBrandsCall,
  storeCategoriesCall,
  storeCategoryCall,
  storeTagsCall,
} from './catalog/terms.ts'
import { storeCheckoutCall, storePlaceOrderCall, storeUpdateCheckoutCall } from './checkout/checkout.ts'
import { storePayOrderCall } from './checkout/pay-order.ts'
import {
  storeApplyCouponCall,
  storeClearCouponsCall,
  storeCouponCall,
  storeCouponsCall,
  storeCreateCouponCall,
  storeDeleteCouponCall,
  storeRemoveCouponCall,
} from './coupons/cart-coupons.ts'
import { storeUpdateCustomerCall } from './customers/update-customer.ts'
import { storeOrderCall } from './orders/get-order.ts'
import { storeSelectShippingRateCall } from './shipping/select-shipping-rate.ts'

/** Writes of the cart, which a batch may contain. */
const batched: readonly Call[] = [
  storeAddItemCall,
  storeUpdateItemCall,
  storeRemoveItemCall,
  storeCreateItemCall,
  storeClearItemsCall,
  storeUpdateItemByKeyCall,
  storeRemoveItemByKeyCall,
  storeApplyCouponCall,
  storeRemoveCouponCall,
  storeCreateCouponCall,
  storeClearCouponsCall,
  storeDeleteCouponCall,
  storeUpdateCustomerCall,
  storeSelectShippingRateCall,
  storeCartExtensionsCall,
]

const versioned: readonly Call[] = [
  storeCartCall,
  storeItemsCall,
  storeItemCall,
  storeCouponsCall,
  storeCouponCall,
  ...batched,
  storeBatch(batched),
  storeCheckoutCall,
  storeUpdateCheckoutCall,
  storePlaceOrderCall,
  storePayOrderCall,
  storeOrderCall,
  storeProductsCall,
  storeCollectionCall,
  storeReviewsCall,
  storeAttributesCall,
  storeAttributeCall,
  storeAttributeTermsCall,
  storeCategoriesCall,
  storeCategoryCall,
  storeTagsCall,
  storeBrandsCall,
  storeBrandCall,
  storeProductCall,
]

/** Every call of the Store API, with and without the version. A fixed path precedes a path with an id in its place. */
export const storeCalls: readonly Call[] = [
  ...versioned,
  ...versioned.map((call): Call => ({ ...call, namespace: 'wc/store' })),
]
