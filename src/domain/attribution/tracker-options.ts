import { withoutWww } from './url-parts.ts'

/** A search engine: its host (or one above it), the parameter that its results have, and what it is called if not by its host. */
export type SearchEngine = { readonly host?: string; readonly param?: string; readonly display?: string }

/** A site whose visits are counted under another name, or another medium than `referral`. */
export type ReferringSite = { readonly host?: string; readonly display?: string; readonly medium?: string }

/** The tracker's settings under the names that are known in its world. What is missing or wrong is the default. */
export type TrackerOptions = {
  /** Months of 30 days that cookies live. 6 by default. */
  readonly lifetime?: number | string
  /** Minutes without a page after which a visit ends. 30 by default. */
  readonly session_length?: number | string
  /** Hours from UTC of the dates that are written: `'0'` is UTC; nothing, or the number 0, is the visitor's own time. */
  readonly timezone_offset?: number | string
  readonly base64?: boolean
  /** Further names of parameters for campaign, term and content. */
  readonly campaign_param?: string
  readonly term_param?: string
  readonly content_param?: string
  readonly user_ip?: string
  /** Whether each visitor gets a number, from 100000 to 999999 where nothing else is said. */
  readonly promocode?: boolean | { readonly min?: number | string; readonly max?: number | string }
  /** What a visit is called that came from nowhere: both or neither. */
  readonly typein_attributes?: { readonly source?: string; readonly medium?: string }
  /** Whose cookies they are and what counts as the shop's own; with `isolate` the host alone, without those below it. */
  readonly domain?: string | { readonly host?: string; readonly isolate?: boolean }
  /** Looked at before the known ones; without a host, or an engine without its parameter, they are left out. */
  readonly organics?: readonly SearchEngine[]
  readonly referrals?: readonly ReferringSite[]
}

/** The settings with whose the cookies are: a domain that is named, else the page's host without `www.`. */
export type Tracking = TrackerOptions & { readonly host: string; readonly isolate: boolean | undefined }

/** @param page its host */
export function trackingOf(options: TrackerOptions, page: string): Tracking {
  const domain: { host?: string | undefined; isolate?: boolean } =
    typeof options.domain === 'object' ? options.domain : { host: options.domain }
  return { ...options, isolate: domain.isolate, host: domain.host || withoutWww(page) }
}
