/** See `events.ts`. */
export const checkoutEvents = {
  init: 'init_checkout',
  /** A request. Args: `{ update_shipping_method, current_target }`. */
  update: 'update_checkout',
  /** Args: the response. */
  updated: 'updated_checkout',
  paymentMethodSelected: 'payment_method_selected',
  /** Vetoable, on the form. Args: controller. Also with `_<gateway>` appended. */
  placeOrder: 'checkout_place_order',
  /** Vetoable, on the form. Args: response, controller. */
  placeOrderSuccess: 'checkout_place_order_success',
  /** Args: the error's markup, the reason for a refused payment, and false if the shop sent no response. */
  error: 'checkout_error',
  couponApplied: 'applied_coupon_in_checkout',
  couponRemoved: 'removed_coupon_in_checkout',
  /** Args: method id. */
  customButtonRegistered: 'wc_custom_place_order_button_registered',
  initAddPaymentMethod: 'init_add_payment_method',
  cardFormInit: 'wc-credit-card-form-init',
} as const
