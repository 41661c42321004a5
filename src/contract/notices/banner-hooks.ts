/** Hooks of the bars at the bottom of the window, see `hooks.ts`. */
export const barHooks = {
  /** The shop's own: contains all of them, so that they are stacked. */
  bars: '.bottom-bars',
  /** On the bars: their height is watched. */
  watchedAttribute: 'data-watched',
  notice: '.woocommerce-store-notice',
  dismissNotice: '.woocommerce-store-notice__dismiss-link',
  /** Prefix of the cookie's name; the notice's id follows. */
  noticeCookie: 'store_notice',
  noticeDismissed: 'hidden',
  noticePageClass: 'woocommerce-demo-store',
  shownClass: 'is-shown',
  comingSoon: '#coming-soon-footer-banner',
  dismissComingSoon: '.coming-soon-footer-banner-dismiss',
} as const
