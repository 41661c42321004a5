import { withoutWww } from './url-parts.ts'

/**
 * A search engine: its host (or a parent domain), the parameter of its result pages, and its name if it differs from
 * the host.
 */
export type SearchEngine = { readonly host?: string; readonly param?: string; readonly display?: string }

/** A site whose visits are counted under another name, or another medium than `referral`. */
export type ReferringSite = { readonly host?: string; readonly display?: string; readonly medium?: string }

/** The tracker's settings under their public names. Missing or invalid values have the default. */
export type TrackerOptions = {
  /** Lifetime of cookies in months of 30 days. 6 by default. */
  readonly lifetime?: number | string
  /** Minutes without a page after which a visit ends. 30 by default. */
  readonly session_length?: number | string
  /** Hours from UTC of the written dates: `'0'` is UTC; undefined, or the number 0, is the visitor's own time zone. */
  readonly timezone_offset?: number | string
  readonly base64?: boolean
  /** Further parameter names for campaign, term and content. */
  readonly campaign_param?: string
  readonly term_param?: string
  readonly content_param?: string
  readonly user_ip?: string
  /** Assigns each visitor a number, from 100000 to 999999 by default. */
  readonly promocode?: boolean | { readonly min?: number | string; readonly max?: number | string }
  /** Names of a direct visit: both or neither. */
  readonly typein_attributes?: { readonly source?: string; readonly medium?: string }
  /**
   * The cookies' domain, which also defines the shop's own hosts; with `isolate` only the host itself, without
   * subdomains.
   */
  readonly domain?: string | { readonly host?: string; readonly isolate?: boolean }
  /** Matched before the built-in ones; entries without a host, or engines without a parameter, are ignored. */
  readonly organics?: readonly SearchEngine[]
  readonly referrals?: readonly ReferringSite[]
}

/** The settings with the cookies' domain: the configured one, else the page's host without `www.`. */
export type Tracking = TrackerOptions & { readonly host: string; readonly isolate: boolean | undefined }

/** @param page its host */
export function trackingOf(options: TrackerOptions, page: string): Tracking {
  const domain: { host?: string | undefined; isolate?: boolean } =
    typeof options.domain === 'object' ? options.domain : { host: options.domain }
  return { ...options, isolate: domain.isolate, host: domain.host || withoutWww(page) }
}
