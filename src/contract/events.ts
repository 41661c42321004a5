/**
 * Names of the page's public events, letter for letter as extensions listen for them. Body events unless a comment
 * names another target. A name with a dot is an event with a namespace: `should_send_ajax_request` of `adding_to_cart`.
 */

export const cartEvents = {
  /** Vetoable. Args: button. */
  shouldSend: 'should_send_ajax_request.adding_to_cart',
  /** Args: false, false, button. */
  notSent: 'ajax_request_not_sent.adding_to_cart',
  /** Args: button, data (may be changed by listeners). */
  adding: 'adding_to_cart',
  /** Args: fragments, cart hash, button. Others may fire it without a button. */
  added: 'added_to_cart',
  /** Args: fragments, cart hash, link. */
  removed: 'removed_from_cart',
  /** Args: button. */
  buttonUpdated: 'wc_cart_button_updated',
  fragmentsLoaded: 'wc_fragments_loaded',
  /** A request: fetch the fragments again. */
  refreshFragments: 'wc_fragment_refresh',
  fragmentsRefreshed: 'wc_fragments_refreshed',
  fragmentsFailed: 'wc_fragments_ajax_error',
} as const

export const cartPageEvents = {
  /** A request, on `document`: post the cart form again. Args: keep the notices? */
  update: 'wc_update_cart',
  emptied: 'wc_cart_emptied',
  replaced: 'updated_wc_div',
  totalsReplaced: 'updated_cart_totals',
  shippingMethodUpdated: 'updated_shipping_method',
  /** Args: code. */
  couponApplied: 'applied_coupon',
  /** Args: code. */
  couponRemoved: 'removed_coupon',
  itemRemoved: 'item_removed_from_classic_cart',
} as const

export const addressEvents = {
  /** Args: country, wrapper; neither when the calculator was opened. */
  stateFieldChanged: 'country_to_state_changed',
  /** Args: country, wrapper. */
  stateFieldChanging: 'country_to_state_changing',
  localeReady: 'wc_address_i18n_ready',
} as const

export const checkoutEvents = {
  init: 'init_checkout',
  /** A request. Args: `{ update_shipping_method, current_target }`. */
  update: 'update_checkout',
  /** Args: the answer. */
  updated: 'updated_checkout',
  paymentMethodSelected: 'payment_method_selected',
  /** Vetoable, on the form. Args: controller. Also with `_<gateway>` appended. */
  placeOrder: 'checkout_place_order',
  /** Vetoable, on the form. Args: answer, controller. */
  placeOrderSuccess: 'checkout_place_order_success',
  /** Args: the error's markup, and why a payment was refused. */
  error: 'checkout_error',
  couponApplied: 'applied_coupon_in_checkout',
  couponRemoved: 'removed_coupon_in_checkout',
  /** Args: method id. */
  customButtonRegistered: 'wc_custom_place_order_button_registered',
  initAddPaymentMethod: 'init_add_payment_method',
  cardFormInit: 'wc-credit-card-form-init',
} as const

/** On `form.variations_form`. */
export const variationEvents = {
  /** Args: the chosen attributes, when known. */
  check: 'check_variations',
  /** Args: controller. */
  ready: 'wc_variation_form',
  updateValues: 'update_variation_values',
  valuesUpdated: 'woocommerce_update_variation_values',
  selectChange: 'woocommerce_variation_select_change',
  changed: 'woocommerce_variation_has_changed',
  /** Args: variation. */
  found: 'found_variation',
  /** From `.single_variation`. Args: variation, purchasable. */
  show: 'show_variation',
  /** From `.single_variation`. */
  hide: 'hide_variation',
  reset: 'reset_data',
  resetImage: 'reset_image',
  announceReset: 'announce_reset',
  clearAnnouncement: 'clear_reset_announcement',
  resetFocus: 'reset_focus',
  reload: 'reload_product_variations',
} as const

/** Native companions: bubbling CustomEvents on body whether or not the page has jQuery. */
export const companionEvents = {
  added: 'wc-blocks_added_to_cart',
  removed: 'wc-blocks_removed_from_cart',
  /** A list of products was put into the page without loading it anew. */
  listRendered: 'wc-blocks_product_list_rendered',
} as const

/** On body: the meter beside a new password. */
export const accountEvents = {
  strengthAdded: 'wc-password-strength-added',
  strengthShown: 'wc-password-strength-show',
  strengthHidden: 'wc-password-strength-hide',
} as const

export const paymentEvents = {
  /** Args: the provider's global object, the parameters it was loaded with. */
  sdkLoaded: 'paypalInstanceCreated',
  /** Args: error. */
  sdkFailed: 'paypalLoadError',
} as const
