/** Hooks of the bars at the bottom of the window, see `hooks.ts`. */
export const barHooks = {
  /** Ours: holds all of them, so that they stand one above the other. */
  bars: '.bottom-bars',
  notice: '.woocommerce-store-notice',
  dismissNotice: '.woocommerce-store-notice__dismiss-link',
  /** Begins the name of the cookie; the notice's id follows. */
  noticeCookie: 'store_notice',
  noticeDismissed: 'hidden',
  noticePageClass: 'woocommerce-demo-store',
  shownClass: 'is-shown',
  comingSoon: '#coming-soon-footer-banner',
  dismissComingSoon: '.coming-soon-footer-banner-dismiss',
} as const
