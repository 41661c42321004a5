/**
 * How a page reports its views. The names belong to the public interface: third-party scripts read the settings, and
 * proxies know the URLs by their parameters.
 */
export const statsConfigId = 'stats-config'

/** The content of the page's `<script type="application/json" id="stats-config">`. */
export type StatisticsScript = {
  /** With all of the server's data about the page; the browser adds `referred`, `_` and the campaign parameters. */
  readonly hitRequestUrl: string
  readonly keepOnlineRequestUrl: string
  readonly option: {
    /** True if the do-not-track signal is respected. Global Privacy Control always is. */
    readonly dntEnabled: boolean
    /** True if pages report themselves; otherwise the server counts them when it serves them. */
    readonly cacheCompatibility: boolean
    /** On pages for staff: this browser is excluded from now on. */
    readonly staff?: true
  }
}

/** Key in the local storage of staff browsers. Visitors' browsers have none. */
export const staffBrowserKey = 'vitrine_not_counted'

/** Query parameter that makes any URL of the shop a hit, as third-party scripts send it. */
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

/** Campaign parameters that are sent with a hit: of click ids only their presence. */
export const campaignParameter = /^(?:utm_[a-z_]{1,30}|gclid|yclid)$/
