import { none } from './cookie-text.ts'
import type { ReferringSite, SearchEngine, Tracking } from './tracker-options.ts'
import { addressParts, isWithin, queryValue, withoutWww } from './url-parts.ts'

const sourceKeys = 'typ src mdm cmp cnt trm id plt fmt tct'.split(' ')

/** The source of a visit, by the keys of the cookie, in their order. */
export type TrafficSource = Readonly<
  Record<'typ' | 'src' | 'mdm' | 'cmp' | 'cnt' | 'trm' | 'id' | 'plt' | 'fmt' | 'tct', string>
>

/** Creates a source from values in the order of the keys; missing values are `none`. */
function source(...values: readonly (string | undefined)[]): TrafficSource {
  // Proof of the cast: one entry for each key.
  return Object.fromEntries(sourceKeys.map((key, place) => [key, values[place] ?? none])) as TrafficSource
}

type Arrival = { readonly href: string /** '' without one. */; readonly referrer: string }

/** Stored state: whether a visit is in progress, and whether a source is known. */
type Known = { readonly session: boolean | string; readonly source: boolean | string }

/** Host, parameter and name of each, separated by spaces: every page of the shop loads this. */
const sitesOf = (sites: string) =>
  sites.split(',').map((site): SearchEngine & ReferringSite => {
    const [host = '', param = '', display = ''] = site.split(' ')
    return { host, param, display }
  })

const searchEngines = sitesOf(
  'bing.com q bing,yahoo.com p yahoo,about.com q about,aol.com q aol,ask.com q ask,globososo.com q globo,' +
    'go.mail.ru q,rambler.ru query rambler,tut.by query',
)
const referringSites = sitesOf('t.co - twitter.com,plus.url.google.com - plus.google.com')

// These two have a host in nearly each country.
const yandex = /(?:^|\.)yandex\..{2,9}$/
const google = /^(?:www\.)?google\..{2,9}$/

/**
 * Returns the source of this page's visit: a campaign link, a search engine, another site if no visit is in progress,
 * else direct if no source is known.
 * @returns undefined if the known source continues
 */
export function trafficSource(
  { href, referrer }: Arrival,
  remembered: Known,
  tracking: Tracking,
): TrafficSource | undefined {
  const { host: own, isolate, typein_attributes: typein } = tracking
  const [host, path, query] = addressParts(referrer)
  const [, , link] = addressParts(href)

  const utm = (name: string, other?: string) => queryValue(link, `utm_${name}`) ?? queryValue(link, other)
  // A click id identifies the advertising network.
  const clicked = (id: string) => queryValue(link, id) !== undefined
  const engine = clicked('gclid') ? 'google' : clicked('yclid') ? 'yandex' : undefined
  const campaign = [
    utm('source') ?? engine,
    utm('medium') ?? (engine && 'cpc'),
    utm('campaign', tracking.campaign_param) ?? (engine && `${engine}_cpc`),
    utm('content', tracking.content_param),
    utm('term', tracking.term_param),
    utm('id'),
    utm('source_platform'),
    utm('creative_format'),
    utm('marketing_tactic'),
  ]
  if (campaign.some((value) => value !== undefined)) {
    // Without a campaign term, the engine may provide the search term.
    campaign[4] ??= (yandex.test(host.toLowerCase()) && queryValue(query, 'text')) || none
    return source('utm', ...campaign.map((value, place) => (place > 4 && !value ? none : value)))
  }

  const name = withoutWww(host)
  if (referrer && !(isolate ? name === withoutWww(own) : isWithin(name, own))) {
    const found = searchEngine(host, query, tracking.organics ?? [])
    if (found) return source('organic', found, 'organic')
    if (!remembered.session) {
      const site = [...(tracking.referrals ?? []), ...referringSites].find((one) => isWithin(host, one.host))
      return source('referral', site?.display || site?.host || name, site?.medium || 'referral', none, path || '/')
    }
  }

  if (remembered.source) return undefined
  return typein?.source && typein.medium ? source('typein', typein.source, typein.medium) : source('typein', '(direct)')
}

/** Returns the engine's name. An engine with a parameter is matched only on its result pages. */
function searchEngine(host: string, query: string, organics: readonly SearchEngine[]): string | undefined {
  if (yandex.test(host) && query.includes('text=')) return 'yandex'
  if (google.test(host)) return 'google'
  const engine = organics
    .concat(searchEngines)
    .find((one) => one.param && isWithin(host, one.host) && query.toLowerCase().includes(`${one.param.toLowerCase()}=`))
  return engine?.display || engine?.host
}
