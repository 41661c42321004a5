/** Constants of the payment interface, shared by server and scripts; no schemas, so that scripts stay small. */

export const walletMethodId = 'ppcp'
/** Cards without a wallet: PayPal's fields in the shop's own form. */
export const cardMethodId = 'ppcp_card'
/** Payment methods of PayPal. */
export const providerMethods = [walletMethodId, cardMethodId] as const
export type ProviderMethod = (typeof providerMethods)[number]

/** Payment methods without a provider, in display order. */
export const offlineMethods = ['bacs', 'cheque', 'cod'] as const

export function isProviderMethod(method: string): method is ProviderMethod {
  return method === walletMethodId || method === cardMethodId
}

/** Returns the names of a method's fields in the checkout form and on the page that adds payment methods. */
export function paymentFields<Method extends string>(method: Method) {
  return {
    /** Id of the approved wallet order. */
    order: `${method}_paypal_order_id`,
    /** Token of a billing agreement, from before the vault. */
    billingToken: `${method}_billing_token`,
    /** PayPal's token of a just approved payment method. */
    paymentToken: `${method}_payment_token`,
    /** Checkbox: save the payment method. */
    save: `${method}_save_payment`,
    /** Pressed button: paypal, paylater, card or venmo. */
    funding: `${method}_funding`,
    /** Radio buttons of saved payment methods: our ids, or `new`. */
    kept: `wc-${method}-payment-token`,
  } as const
}

export const walletOrderField = paymentFields(walletMethodId).order
export const billingTokenField = paymentFields(walletMethodId).billingToken
export const paymentTokenField = paymentFields(walletMethodId).paymentToken
/** Value of the radio button that chooses no saved payment method. */
export const newMethod = 'new'

/** `shop` is a listing; `minicart` any other page with the mini cart; `express` the checkout's express area. */
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
  /** Followed by the token's id. */
  billingToken: 'billing-agreement/token',
} as const
export type PaymentRoute = (typeof paymentRoutes)[keyof typeof paymentRoutes]

/** End of the page's URL after a payment failed away from the shop: the wallet is offered again. */
export const errorReturnHash = 'ppcp_error=true'

/** Query parameter of the checkout: base64 of JSON with an approved wallet order for the shopper's review. */
export const orderReviewParameter = '_ppcp_order_review'

/** Id of a PayPal order. Other values are not sent to PayPal. */
export const walletOrderIdPattern = /^[A-Z0-9]{1,36}$/

/**
 * Codes of a failed `cart/checkout` that reopen the wallet with the same order: for another source, or one more step.
 */
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
   * The page's total or currency is out of date, and it is reloaded: another tab changed the currency, or the chosen
   * payment method changed the order's total.
   */
  pageOutdated: 'currency-changed',
  staleNonce: 'rest_cookie_invalid_nonce',
} as const

/** Body events around the wallet. */
export const walletEvents = {
  /** Args: PayPal's global object, before its removal. */
  cleanup: 'paypalInstanceCleanup',
  init: 'wc_ppcp_on_init',
  click: 'wc_ppcp_on_click',
  approve: 'wc_ppcp_on_approve',
  cancel: 'wc_ppcp_on_cancel',
  error: 'wc_ppcp_on_error',
  destroy: 'wc_ppcp_on_destroy',
  /** The cart data were read again. Args: the cart data. */
  cartData: 'wc_ppcp_cart_data',
} as const

/** Containers by page, as extensions find them. */
export const walletHooks = {
  productContainer: 'wc-ppcp-product-button-container',
  cartContainerId: 'wc-ppcp-cart-button-container',
  cartPaymentsClass: 'wc-ppcp-cart-payments__container',
  checkoutContainer: 'wc-ppcp-checkout-container',
  /** Id of the placeholder that is added to the mini cart's buttons, copied from the template. */
  miniCartContainerId: 'wc-ppcp-minicart-ppcp',
  miniCartClass: 'wc-ppcp-minicart-button-container',
  /** Our own class: a page may have several mini carts, but an id only once. */
  miniCartPlaceClass: 'wc-ppcp-wallet__place--mini-cart',
  miniCartTemplateId: 'wc-ppcp-minicart-template',
  miniCartButtons: '.woocommerce-mini-cart__buttons',
  hiddenButtonClass: 'wc-ppcp-hide-button',
  /** Class of the terms text beside buttons that buy without the checkout form. */
  termsClass: 'wallet-terms',
  expressContainerId: 'wc-ppcp-express-button',
  expressClass: 'wc-ppcp-express-checkout',
  addMethodContainer: 'wc-ppcp-add-payment-method-container',
  /** Chosen saved payment method; the value `new` means none. */
  savedToken: 'input[name="wc-ppcp-payment-token"]:checked',
} as const

/** Classes of the message that a payment is approved and the order must still be placed. */
export const reviewHooks = {
  containerClass: 'wc-ppcp-order-review-message__container',
  textClass: 'wc-ppcp-order-review-message',
  cancelClass: 'wc-ppcp-cancel__payment',
} as const

/** Pay Later messages, as extensions find them: the id ends in a location or, on a listing, in the product's id. */
export const messageHooks = {
  containerClass: 'wc-ppcp-paylater-msg__container',
  idPrefix: 'wc-ppcp-paylater-msg-',
  /** Table row around a message. */
  rowClass: 'wc-ppcp-paylater-msg__row',
  /** Without this class a message takes no space. */
  shownClass: 'is-shown',
} as const

/** Card fields, as extensions find them. */
export const cardHooks = {
  containerClass: 'wc-ppcp-card-fields',
  nameId: 'ppcp-card-name',
  numberId: 'ppcp-card-number',
  expiryId: 'ppcp-card-exp',
  cvvId: 'ppcp-card-cvv',
  /** Wrapper of a field; the message below has `data-parent` with the field's id. */
  fieldClass: 'card-field',
  messageClass: 'card-field-message',
  errorClass: 'error-content',
  validClass: 'card-field--valid',
  invalidClass: 'card-field--invalid',
  focusedClass: 'card-field--focused',
  /** On the method's list item, followed by `--xs`, `--sm`, `--md`, `--lg`. */
  sizeClass: 'card-field-container',
  savedToken: 'input[name="wc-ppcp_card-payment-token"]:checked',
} as const

/** Accelerated card checkout, as extensions find it. */
export const fastlaneHooks = {
  /** Container below the email field. */
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
  /** Form field beside the method's `paymentToken`, which has the card token. */
  flagField: 'ppcp_card_fastlane',
} as const

/** Issues of a checkout that did not use its card: a single-use token is still valid. */
export const unspentCodes: readonly string[] = [
  'UNREACHABLE',
  'OUTDATED',
  'UNKNOWN-ORDER',
  'CANCELLED',
  'COUPON-USED-UP',
  'STOCK',
]
