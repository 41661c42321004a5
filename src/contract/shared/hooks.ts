/**
 * The page's public hooks for the browser's scripts: class names without a dot, selectors with one. One object per
 * area, so that a page's script contains only what it uses. This file is part of every page: areas whose scripts load
 * later have a separate file beside this one.
 */

export const pageHooks = {
  noScriptClass: 'woocommerce-no-js',
  scriptClass: 'woocommerce-js',
} as const

/** Selectors that make a page load further scripts. */
export const pageMarks = {
  cart: 'body.woocommerce-cart, .woocommerce-cart-form',
  checkout: 'form.checkout, form#order_review, form#add_payment_method',
  country: '.country_to_state',
  password: '.woocommerce form input[type=password]',
  bar: '.woocommerce-store-notice, #coming-soon-footer-banner',
  alert:
    '.woocommerce-message[role=alert], .woocommerce-error[role=alert], .wc-block-components-notice-banner[role=alert]',
} as const

/** Marks nodes that the shop's scripts inserted into the server's markup: they survive its replacement. */
export const addedAttribute = 'data-added-by-script'

export const listingHooks = {
  addButton: '.add_to_cart_button:not(.wc-interactive)',
  ajaxClass: 'ajax_add_to_cart',
  loadingClass: 'loading',
  addedClass: 'added',
  /** Both classes of the link that is inserted after a button. */
  viewCartClass: 'added_to_cart wc-forward',
  viewCart: '.added_to_cart',
  orderingForm: '.woocommerce-ordering',
  orderingSelect: '.woocommerce-ordering select.orderby',
  resultCount: '.woocommerce-result-count',
  products: 'ul.products',
  productLink: 'ul.products .woocommerce-loop-product__link',
  /** Links to another page or filter of the current listing. */
  swapLink: '.listing :is(.facet__options, .chosen-filters, .listing-filters__foot, .woocommerce-pagination) a',
  pageLink: '.page-numbers',
  swapForm: '.listing :is(.facet__price, .woocommerce-ordering)',
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
  cart: '#mini-cart',
  cartPages: '.woocommerce-cart, .woocommerce-checkout',
} as const

/** Expands and collapses the list below a menu entry. */
export const menuHooks = { toggle: '.dropdown-nav-toggle' } as const

export const fragmentHooks = { updatingClass: 'updating' } as const

export const overlayHooks = {
  layerClass: 'blockUI',
  overlayClass: 'blockOverlay',
  messageClass: 'blockMsg',
  elementClass: 'blockElement',
  pageClass: 'blockPage',
} as const

/** The bar for a lost connection. It is part of every page, since it cannot be loaded without a connection. */
export const offlineHooks = { bar: '.offline-bar' } as const
