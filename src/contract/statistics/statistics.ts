/**
 * How a page tells the shop that it was looked at. The names are the public interface's: scripts of the ecosystem read the
 * settings, and proxies know the addresses by their parameters.
 */
export const statsConfigId = 'stats-config'

/** What stands in the page's `<script type="application/json" id="stats-config">`. */
export type StatisticsScript = {
  /** With everything that the server knows of the page; the browser adds `referred`, `_` and what a campaign's link says. */
  readonly hitRequestUrl: string
  readonly keepOnlineRequestUrl: string
  readonly option: {
    /** Whether the browser's wish not to be followed is honoured. Global Privacy Control always is. */
    readonly dntEnabled: boolean
    /** Whether pages report themselves; otherwise the server counts them when it hands them out. */
    readonly cacheCompatibility: boolean
    /** On pages of those who work in the shop: this browser is not counted from now on. */
    readonly staff?: true
  }
}

/** In this browser's local storage where its user works in the shop. Visitors' browsers are given nothing. */
export const staffBrowserKey = 'vitrine_not_counted'

/** Parameter of any address of the shop that makes it a hit, as the ecosystem sends it. */
export const hitParameter = 'wp_statistics_hit'

export const pageTypes = [
  'home',
  'shop',
  'category',
  'tag',
  'search',
  'product',
  'page',
  'post',
  'cart',
  'checkout',
  'order-pay',
  'order-received',
  'account',
  '404',
  'unknown',
] as const

export type PageType = (typeof pageTypes)[number]

/** Parameters of a campaign's link that are told with a hit: of those that end in a click's own number only that it was there. */
export const campaignParameter = /^(?:utm_[a-z_]{1,30}|gclid|yclid)$/
