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
  /** Args: fragments, cart hash, button. Other scripts may fire it without a button. */
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

/** Native companions: bubbling CustomEvents on body whether or not the page has jQuery. */
export const companionEvents = {
  adding: 'wc-blocks_adding_to_cart',
  added: 'wc-blocks_added_to_cart',
  removed: 'wc-blocks_removed_from_cart',
  /** A list of products was inserted without a page load. */
  listRendered: 'wc-blocks_product_list_rendered',
  /** A visitor opens a product's page from a list. Detail: `{ productId }`. */
  productViewed: 'wc-blocks_viewed_product',
} as const
