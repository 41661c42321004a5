/** Words of the payment interface that both sides share. Constants only, so that a page's scripts carry no schema with them. */

export const walletMethodId = 'ppcp'

/** Field of the checkout form that carries the approved wallet order. */
export const walletOrderField = 'ppcp_paypal_order_id'

export const walletPages = ['product', 'cart', 'checkout', 'order_pay'] as const
export type WalletPage = (typeof walletPages)[number]

export const paymentRoutes = {
  cartItem: 'cart/item',
  cartOrder: 'cart/order',
  cartCheckout: 'cart/checkout',
  cartRefresh: 'cart/refresh',
  orderPay: 'order/pay',
} as const
export type PaymentRoute = (typeof paymentRoutes)[keyof typeof paymentRoutes]

/** An id of the provider's order. Anything else is not sent on. */
export const walletOrderIdPattern = /^[A-Z0-9]{1,36}$/

/** Codes of a failed `cart/checkout` that send the buyer back to the wallet with the same order: another means, or one more step. */
export const restartCodes: readonly string[] = [
  'INSTRUMENT_DECLINED',
  'PAYER_ACTION_REQUIRED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'ORDER_NOT_APPROVED',
]

export const paymentErrorCodes = {
  terms: 'terms',
  invalidClientId: 'invalid_client_id',
  validation: 'validation_errors',
  addToCart: 'add-to-cart-error',
  staleNonce: 'rest_cookie_invalid_nonce',
} as const

/** Body events around the wallet. */
export const walletEvents = {
  /** Args: the provider's global object that is about to go. */
  cleanup: 'paypalInstanceCleanup',
  init: 'wc_ppcp_on_init',
  click: 'wc_ppcp_on_click',
  approve: 'wc_ppcp_on_approve',
  cancel: 'wc_ppcp_on_cancel',
  error: 'wc_ppcp_on_error',
  destroy: 'wc_ppcp_on_destroy',
} as const

/** Containers by page, as extensions look them up. */
export const walletHooks = {
  productContainer: 'wc-ppcp-product-button-container',
  cartContainerId: 'wc-ppcp-cart-button-container',
  cartPaymentsClass: 'wc-ppcp-cart-payments__container',
  checkoutContainer: 'wc-ppcp-checkout-container',
  hiddenButtonClass: 'wc-ppcp-hide-button',
  /** Chosen "new" means that no saved method is used. */
  savedToken: 'input[name="wc-ppcp-payment-token"]:checked',
} as const
