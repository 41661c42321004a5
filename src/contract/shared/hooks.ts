/**
 * The page's public hooks as the browser's scripts look them up: class names without a dot, selectors with one.
 * One object per area, so that a page's script carries only what it uses. What is used here comes with every page: areas
 * whose scripts come later have a file each beside this one.
 */

export const pageHooks = {
  noScriptClass: 'woocommerce-no-js',
  scriptClass: 'woocommerce-js',
} as const

/** Where a page has any of these, more of the browser's scripts have something to do there. */
export const pageMarks = {
  cart: 'body.woocommerce-cart, .woocommerce-cart-form',
  checkout: 'form.checkout, form#order_review, form#add_payment_method',
  country: '.country_to_state',
  password: '.woocommerce form input[type=password]',
  bar: '.woocommerce-store-notice, #coming-soon-footer-banner',
  alert:
    '.woocommerce-message[role=alert], .woocommerce-error[role=alert], .wc-block-components-notice-banner[role=alert]',
} as const

/** What a script of ours has put into the server's markup: it stays when that markup comes anew. */
export const addedAttribute = 'data-added-by-script'

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
  products: 'ul.products',
  productLink: 'ul.products .woocommerce-loop-product__link',
  /** What leads to another page or narrowing of the listing that is shown. */
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

/** Folds and unfolds the list below an entry of a menu. */
export const menuHooks = { toggle: '.dropdown-nav-toggle' } as const

/** The field that suggests as one types: our own, no part of the public interface. */
export const searchHooks = {
  field: 'input[data-suggestions]',
  /** Where suggestions stand, below the field's form. */
  place: '.search-suggestions',
  /** What is read out once they are there. */
  announcement: '[data-announcement]',
} as const

export const fragmentHooks = { updatingClass: 'updating' } as const

export const overlayHooks = {
  layerClass: 'blockUI',
  overlayClass: 'blockOverlay',
  messageClass: 'blockMsg',
  elementClass: 'blockElement',
  pageClass: 'blockPage',
} as const

/** The bar that says that there is no connection. It comes with every page: there must be word of it when nothing more can be fetched. */
export const offlineHooks = { bar: '.offline-bar' } as const
