/**
 * The page's public hooks as the browser's scripts look them up: class names without a dot, selectors with one.
 * One object per area, so that a page's script carries only what it uses.
 */

export const pageHooks = {
  noScriptClass: 'woocommerce-no-js',
  scriptClass: 'woocommerce-js',
} as const

export const listingHooks = {
  addButton: '.add_to_cart_button:not(.wc-interactive)',
  ajaxClass: 'ajax_add_to_cart',
  loadingClass: 'loading',
  addedClass: 'added',
  /** Both classes of the link that is put after a button. */
  viewCartClass: 'added_to_cart wc-forward',
  viewCart: '.added_to_cart',
  orderingForm: '.woocommerce-ordering',
  orderingSelect: '.woocommerce-ordering select.orderby',
  resultCount: '.woocommerce-result-count',
  /** Filters that refresh the listing without a page load and announce it themselves. */
  blockFilters: '.wp-block-woocommerce-product-filters, .wc-block-product-filters',
} as const

export const quantityHooks = {
  input: 'input.qty',
  plus: '.plus',
  minus: '.minus',
  box: '.quantity',
  /** Inputs in the cart keep a value below their minimum: 0 there means "remove". */
  inCart: '.product-quantity',
} as const

export const miniCartHooks = {
  content: '.widget_shopping_cart_content',
  /** The key of the base fragment. */
  fragment: 'div.widget_shopping_cart_content',
  item: '.woocommerce-mini-cart-item',
  remove: '.remove_from_cart_button',
  hideIfEmpty: '.hide_cart_widget_if_empty',
  widget: '.widget_shopping_cart',
  liveRegionClass: 'widget_shopping_cart_live_region',
} as const

export const drawerHooks = {
  toggle: '[data-toggle-target]',
  shownClass: 'show-drawer',
  activeClass: 'active',
  settledClass: 'pop-animated',
  cartPages: '.woocommerce-cart, .woocommerce-checkout',
} as const

export const fragmentHooks = { updatingClass: 'updating' } as const

export const noticeHooks = {
  wrapper: '.woocommerce-notices-wrapper',
  errors: '.woocommerce-error, .is-error',
  successes: '.woocommerce-message, .is-success',
  infos: '.woocommerce-info, .is-info',
  all: '.woocommerce-error, .woocommerce-message, .woocommerce-info, .is-error, .is-info, .is-success',
  alerts:
    '.woocommerce-message[role=alert], .woocommerce-error[role=alert], .wc-block-components-notice-banner[role=alert]',
  errorClass: 'woocommerce-error',
  groupClass: 'woocommerce-NoticeGroup',
  couponError: '.coupon-error-notice',
} as const

export const overlayHooks = {
  layerClass: 'blockUI',
  overlayClass: 'blockOverlay',
  messageClass: 'blockMsg',
  elementClass: 'blockElement',
  pageClass: 'blockPage',
} as const

export const cartHooks = {
  form: '.woocommerce-cart-form',
  table: '.woocommerce-cart-form__contents',
  itemInputs: '.cart_item :is(input, select, textarea)',
  totals: '.cart_totals',
  updateButton: '[name=update_cart]',
  couponButton: '[name=apply_coupon]',
  couponField: '#coupon_code',
  couponBox: '.coupon',
  couponErrorId: 'coupon-error-notice',
  couponErrorClass: 'coupon-error-notice',
  removeCoupon: 'a.woocommerce-remove-coupon',
  removeItem: '.product-remove > a',
  restoreItem: '.woocommerce-cart .restore-item',
  shippingMethod: 'select.shipping_method, input[name^=shipping_method]',
  calculator: 'form.woocommerce-shipping-calculator',
  calculatorToggle: '.shipping-calculator-button',
  calculatorFields: '.shipping-calculator-form',
  countryFields: 'select.country_to_state, input.country_to_state',
  wrapper: '.woocommerce',
  emptyMessage: '.wc-empty-cart-message',
  processingClass: 'processing',
} as const

export const checkoutHooks = {
  form: 'form.checkout',
  page: '.woocommerce-checkout',
  orderPayForm: 'form#order_review',
  addMethodForm: 'form#add_payment_method',
  review: '.woocommerce-checkout-review-order',
  reviewTable: '.woocommerce-checkout-review-order-table',
  payment: '.woocommerce-checkout-payment',
  methods: '.wc_payment_methods, .woocommerce-PaymentMethods',
  methodRadio: 'input[name=payment_method]',
  paymentBox: '.payment_box',
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

export const rowHooks = {
  validated: 'woocommerce-validated',
  invalid: 'woocommerce-invalid',
  invalidRequired: 'woocommerce-invalid-required-field',
  invalidEmail: 'woocommerce-invalid-email',
  invalidPhone: 'woocommerce-invalid-phone',
  required: 'validate-required',
  email: 'validate-email',
  phone: 'validate-phone',
} as const
