/** The hidden field with the version of the terms that the page shows. */
export const termsVersionField = 'terms_version'

/** Hooks of checkout and order-pay page, see `hooks.ts`. */
export const checkoutHooks = {
  form: 'form.checkout',
  page: '.woocommerce-checkout',
  orderPayForm: 'form#order_review',
  addMethodForm: 'form#add_payment_method',
  orderReview: '#order_review',
  review: '.woocommerce-checkout-review-order',
  reviewTable: '.woocommerce-checkout-review-order-table',
  payment: '.woocommerce-checkout-payment',
  methods: '.wc_payment_methods, .woocommerce-PaymentMethods',
  methodRadio: 'input[name=payment_method]',
  paymentBox: '.payment_box',
  keptMethod: '.woocommerce-SavedPaymentMethods-tokenInput',
  placeOrder: '#place_order',
  terms: '#terms',
  termsLink: 'a.woocommerce-terms-and-conditions-link',
  termsText: '.woocommerce-terms-and-conditions',
  shipToDifferent: '#ship-to-different-address input',
  shippingAddress: 'div.shipping_address',
  createAccount: '#createaccount',
  accountFields: 'div.create-account',
  couponToggle: '.showcoupon',
  couponForm: 'form.checkout_coupon',
  loginToggle: '.showlogin',
  loginForm: 'form.login, form.woocommerce-form--login',
  fields: '.input-text, select, input[type=checkbox]',
  row: '.form-row',
  inlineErrorClass: 'checkout-inline-error-message',
  checkoutGroupClass: 'woocommerce-NoticeGroup-checkout',
  reviewGroupClass: 'woocommerce-NoticeGroup-updateOrderReview',
} as const

/** For a button that a payment method registers in place of the shop's. */
export const customButtonHooks = {
  containerClass: 'wc-custom-place-order-button',
  /** On the form, while such a button is shown. */
  activeClass: 'has-custom-place-order-button',
} as const
