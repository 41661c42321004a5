import { withoutWww } from './address.ts'
import { none } from './cookie-text.ts'

/** A search engine: its host (or one above it), the parameter that its addresses have, and what it is called. */
export type SearchEngine = { readonly host: string; readonly param: string; readonly display?: string }

/** A site whose visits are counted under another name, or another medium than `referral`. */
export type ReferringSite = { readonly host: string; readonly display?: string; readonly medium?: string }

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
  /** Looked at before the known ones. */
  readonly organics?: readonly Partial<SearchEngine>[]
  readonly referrals?: readonly Partial<ReferringSite>[]
}

/** The settings as they hold for one page. */
export type Tracking = {
  readonly lifetimeMinutes: number
  readonly sessionMinutes: number
  /** Hours, undefined: the visitor's own time. */
  readonly timezoneHours: number | undefined
  readonly base64: boolean
  readonly host: string
  readonly isolate: boolean
  readonly ip: string
  readonly promo: { readonly min: number; readonly max: number } | undefined
  readonly typein: { readonly source: string; readonly medium: string }
  readonly organics: readonly SearchEngine[]
  readonly referrals: readonly ReferringSite[]
  /** Names of parameters; undefined is the name of none. */
  readonly campaign: string | undefined
  readonly term: string | undefined
  readonly content: string | undefined
}

const minutesOfMonth = 30 * 24 * 60

/** By parameter: host and name, where the name is not the host's own. */
const knownEngines = {
  q: ['bing.com bing', 'about.com about', 'aol.com aol', 'ask.com ask', 'globososo.com globo', 'go.mail.ru'],
  p: ['yahoo.com yahoo'],
  query: ['rambler.ru rambler', 'tut.by'],
}

const searchEngines = Object.entries(knownEngines).flatMap(([param, engines]) =>
  engines.map((engine) => {
    const [host = '', display = host] = engine.split(' ')
    return { host, param, display }
  }),
)

const referringSites = [
  { host: 't.co', display: 'twitter.com' },
  { host: 'plus.url.google.com', display: 'plus.google.com' },
]

const whole = (value: unknown) => Number.parseInt(String(value), 10)

/** @param host of the page */
export function trackingOf(options: TrackerOptions, host: string): Tracking {
  const { domain, promocode, timezone_offset: hours, typein_attributes: typein } = options
  const own = typeof domain === 'string' ? { host: domain } : domain
  const { min, max } = typeof promocode === 'object' ? promocode : {}
  return {
    lifetimeMinutes: Math.trunc((Number.parseFloat(String(options.lifetime)) || 6) * minutesOfMonth),
    sessionMinutes: whole(options.session_length) || 30,
    timezoneHours: hours && Number.isFinite(whole(hours)) ? whole(hours) : undefined,
    base64: options.base64 === true,
    host: own?.host || withoutWww(host),
    isolate: Boolean(own?.host && own.isolate),
    ip: options.user_ip || none,
    promo: promocode ? { min: whole(min) || 100_000, max: whole(max) || 999_999 } : undefined,
    typein:
      typein?.source && typein.medium
        ? { source: typein.source, medium: typein.medium }
        : { source: '(direct)', medium: none },
    organics: [...(options.organics ?? []).filter(isEngine), ...searchEngines],
    referrals: [...(options.referrals ?? []).filter(isSite), ...referringSites],
    campaign: options.campaign_param,
    term: options.term_param,
    content: options.content_param,
  }
}

const isSite = (one: Partial<ReferringSite>): one is ReferringSite => Boolean(one.host)
const isEngine = (one: Partial<SearchEngine>): one is SearchEngine => Boolean(one.host && one.param)
