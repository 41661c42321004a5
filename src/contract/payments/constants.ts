/** Words of the payment interface that both sides share. Constants only, so that a page's scripts carry no schema with them. */

export const walletMethodId = 'ppcp'
/** Cards without a wallet: fields of the provider's in the shop's own form. */
export const cardMethodId = 'ppcp_card'
/** The methods whose money the provider moves. */
export const providerMethods = [walletMethodId, cardMethodId] as const
export type ProviderMethod = (typeof providerMethods)[number]

/** Ways to pay that need no provider, in the order in which they are offered. */
export const offlineMethods = ['bacs', 'cheque', 'cod'] as const

export function isProviderMethod(method: string): method is ProviderMethod {
  return method === walletMethodId || method === cardMethodId
}

/** Names of a method's fields in the checkout form and in that of the page where ways to pay are added. */
export function paymentFields<Method extends string>(method: Method) {
  return {
    /** Carries the approved wallet order. */
    order: `${method}_paypal_order_id`,
    /** A token of an agreement from before there was a vault. */
    billingToken: `${method}_billing_token`,
    /** The provider's token of a way to pay that was approved just now. */
    paymentToken: `${method}_payment_token`,
    /** A tick: keep it for the next time. */
    save: `${method}_save_payment`,
    /** Which button was pressed: paypal, paylater, card or venmo. */
    funding: `${method}_funding`,
    /** Radios of what is kept: ids of ours, or `new`. */
    kept: `wc-${method}-payment-token`,
  } as const
}

export const walletOrderField = paymentFields(walletMethodId).order
export const billingTokenField = paymentFields(walletMethodId).billingToken
export const paymentTokenField = paymentFields(walletMethodId).paymentToken
/** Of the radios that choose a kept way to pay: none of them. */
export const newMethod = 'new'

/** `shop` is a listing; `minicart` any other page that has the cart beside it; `express` the checkout's own express area. */
export const walletPages = [
  'product',
  'cart',
  'checkout',
  'express',
  'order_pay',
  'add_payment_method',
  'minicart',
  'shop',
] as const
export type WalletPage = (typeof walletPages)[number]
/** A listing has messages, and no buttons but those of its mini cart. */
export type ButtonPage = Exclude<WalletPage, 'shop'>

export const paymentRoutes = {
  cartItem: 'cart/item',
  cartOrder: 'cart/order',
  cartCheckout: 'cart/checkout',
  cartRefresh: 'cart/refresh',
  cartShipping: 'cart/shipping',
  orderPay: 'order/pay',
  setupTokens: 'vault/setup-tokens',
  paymentTokens: 'vault/payment-tokens',
  /** With the token's id behind it. */
  billingToken: 'billing-agreement/token',
} as const
export type PaymentRoute = (typeof paymentRoutes)[keyof typeof paymentRoutes]

/** After a payment that failed away from the shop the page's address ends in this: the wallet is offered anew. */
export const errorReturnHash = 'ppcp_error=true'

/** Query parameter of the checkout: base64 of JSON that names an approved wallet order to be looked over once more. */
export const orderReviewParameter = '_ppcp_order_review'

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
  shipping: 'shipping_error',
  /**
   * What the page shows is not what is charged any more, and it is loaded anew: another tab has chosen another currency, or an
   * order comes to something else by the way to pay that was chosen for it.
   */
  pageOutdated: 'currency-changed',
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
  /** The cart that the payment code knows was read again. Args: the cart data. */
  cartData: 'wc_ppcp_cart_data',
} as const

/** Containers by page, as extensions look them up. */
export const walletHooks = {
  productContainer: 'wc-ppcp-product-button-container',
  cartContainerId: 'wc-ppcp-cart-button-container',
  cartPaymentsClass: 'wc-ppcp-cart-payments__container',
  checkoutContainer: 'wc-ppcp-checkout-container',
  /** Of the placeholder that is added to the mini cart's buttons, copied from the template. */
  miniCartContainerId: 'wc-ppcp-minicart-ppcp',
  miniCartClass: 'wc-ppcp-minicart-button-container',
  /** Our own name for it, since a page may hold several mini carts and an id only once. */
  miniCartPlaceClass: 'wc-ppcp-wallet__place--mini-cart',
  miniCartTemplateId: 'wc-ppcp-minicart-template',
  miniCartButtons: '.woocommerce-mini-cart__buttons',
  hiddenButtonClass: 'wc-ppcp-hide-button',
  /** Of the sentence about the terms beside buttons that buy without the checkout form. */
  termsClass: 'wallet-terms',
  /** Chosen "new" means that no saved method is used. */
  expressContainerId: 'wc-ppcp-express-button',
  expressClass: 'wc-ppcp-express-checkout',
  addMethodContainer: 'wc-ppcp-add-payment-method-container',
  savedToken: 'input[name="wc-ppcp-payment-token"]:checked',
} as const

/** Of the message that a payment is approved and waits for the order to be placed. */
export const reviewHooks = {
  containerClass: 'wc-ppcp-order-review-message__container',
  textClass: 'wc-ppcp-order-review-message',
  cancelClass: 'wc-ppcp-cancel__payment',
} as const

/** Pay-later messages, as extensions look them up: the id ends in a location or, on a listing, in the product's id. */
export const messageHooks = {
  containerClass: 'wc-ppcp-paylater-msg__container',
  idPrefix: 'wc-ppcp-paylater-msg-',
  /** Around a message among the rows of a table. */
  rowClass: 'wc-ppcp-paylater-msg__row',
  /** Until then a message takes no room. */
  shownClass: 'is-shown',
} as const

/** Card fields, as extensions look them up. */
export const cardHooks = {
  containerClass: 'wc-ppcp-card-fields',
  nameId: 'ppcp-card-name',
  numberId: 'ppcp-card-number',
  expiryId: 'ppcp-card-exp',
  cvvId: 'ppcp-card-cvv',
  /** Around a field; the message under it has `data-parent` with the field's id. */
  fieldClass: 'card-field',
  messageClass: 'card-field-message',
  errorClass: 'error-content',
  validClass: 'card-field--valid',
  invalidClass: 'card-field--invalid',
  focusedClass: 'card-field--focused',
  /** With `--xs`, `--sm`, `--md`, `--lg` behind it, on the method's list item. */
  sizeClass: 'card-field-container',
  savedToken: 'input[name="wc-ppcp_card-payment-token"]:checked',
} as const

/** Accelerated card checkout, as extensions look it up. */
export const fastlaneHooks = {
  /** Around all that stands under the e-mail field. */
  placeClass: 'wc-ppcp-fastlane',
  watermarkId: 'fastlane-watermark',
  signUpLinkClass: 'wc-ppcp-fastlane-signup',
  modalClass: 'wc-ppcp-popup__container',
  modalBodyClass: 'wc-ppcp-popup__body',
  modalCloseClass: 'wc-ppcp-popup__close',
  tokenizedCardClass: 'wc-ppcp-tokenized-card',
  cancelClass: 'wc-ppcp-tokenized-card__cancel',
  changeClass: 'wc-ppcp-tokenized-card__change',
  changeAddressClass: 'wc-ppcp-tokenized-card__address',
  /** The card's token travels in the form under the method's `paymentToken`, with this beside it. */
  flagField: 'ppcp_card_fastlane',
} as const

/** Issues of a checkout that was refused before its card was tried, or without knowing: a token that works once still does. */
export const unspentCodes: readonly string[] = [
  'UNREACHABLE',
  'OUTDATED',
  'UNKNOWN-ORDER',
  'CANCELLED',
  'COUPON-USED-UP',
  'STOCK',
]
