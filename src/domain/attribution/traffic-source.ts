import { addressParts, isWithin, queryValues, withoutWww } from './address.ts'
import { none } from './cookie-text.ts'
import type { ReferringSite, SearchEngine, TrackerOptions, Tracking } from './tracker-options.ts'

const sourceKeys = 'typ src mdm cmp cnt trm id plt fmt tct'.split(' ')

/** Where a visit came from, under the keys of the cookie, in their order. */
export type TrafficSource = Readonly<
  Record<'typ' | 'src' | 'mdm' | 'cmp' | 'cnt' | 'trm' | 'id' | 'plt' | 'fmt' | 'tct', string>
>

/** Values in the order of the keys; what is not given the visit does not have. */
function source(...values: readonly (string | undefined)[]): TrafficSource {
  // Proof of the cast: one entry for each key.
  return Object.fromEntries(sourceKeys.map((key, place) => [key, values[place] ?? none])) as TrafficSource
}

type Arrival = { readonly href: string /** '' without one. */; readonly referrer: string }

/** What the browser remembers already: whether a visit is under way, and whether a source is known. */
type Known = { readonly session: boolean; readonly source: boolean }

/** Host, parameter, and the name if it is not the host's. In one text, which every page of the shop loads. */
const searchEngines = (
  'bing.com q bing,yahoo.com p yahoo,about.com q about,aol.com q aol,ask.com q ask,globososo.com q globo,' +
  'go.mail.ru q,rambler.ru query rambler,tut.by query'
)
  .split(',')
  .map((engine): SearchEngine => {
    const [host = '', param = '', display = ''] = engine.split(' ')
    return { host, param, display }
  })

const referringSites: readonly ReferringSite[] = [
  { host: 't.co', display: 'twitter.com' },
  { host: 'plus.url.google.com', display: 'plus.google.com' },
]

// These two have a host in nearly each country.
const yandex = /(?:^|\.)yandex\..{2,9}$/
const google = /^(?:www\.)?google\..{2,9}$/

/**
 * Where this page's visit came from: a campaign's link, a search engine, outside of a running visit another site, and where
 * nothing is known nowhere.
 * @returns undefined where it goes on with the source that is known
 */
export function trafficSource(
  { href, referrer }: Arrival,
  known: Known,
  tracking: Tracking,
): TrafficSource | undefined {
  const { host: own, isolate, typein_attributes: typein } = tracking
  const [host, path, query] = addressParts(referrer)

  const found = campaign(queryValues(addressParts(href)[2]), tracking, () =>
    yandex.test(host.toLowerCase()) ? queryValues(query).get('text') : undefined,
  )
  if (found) return found

  const name = withoutWww(host)
  if (referrer && !(isolate ? name === withoutWww(own) : isWithin(name, own))) {
    const engine = searchEngine(host, query, tracking.organics ?? [])
    if (engine) return source('organic', engine, 'organic')
    if (!known.session) {
      const site = [...(tracking.referrals ?? []), ...referringSites].find((one) => isWithin(host, one.host))
      const src = site ? site.display || site.host : name
      return source('referral', src, site?.medium || 'referral', none, path || '/')
    }
  }

  if (known.source) return undefined
  return typein?.source && typein.medium ? source('typein', typein.source, typein.medium) : source('typein', '(direct)')
}

/**
 * What the link says of its campaign. An identifier of a click says which advertisements it came from.
 * @param searched what was searched for, where the referrer says so
 * @returns undefined for a link of none
 */
function campaign(
  query: ReturnType<typeof queryValues>,
  { campaign_param, content_param, term_param }: TrackerOptions,
  searched: () => string | undefined,
): TrafficSource | undefined {
  const utm = (name: string, other?: string) => query.get(`utm_${name}`) ?? (other ? query.get(other) : undefined)
  const clicked = ['gclid', 'yclid'].findIndex((id) => query.get(id) !== undefined)
  const engine = ['google', 'yandex'][clicked]
  const main = [utm('source'), utm('medium'), utm('campaign', campaign_param), utm('content', content_param)]
  const term = utm('term', term_param)
  const more = [utm('id'), utm('source_platform'), utm('creative_format'), utm('marketing_tactic')]
  if ([engine, term, ...main, ...more].every((value) => value === undefined)) return undefined
  const [src = engine, mdm = engine && 'cpc', cmp = engine && `${engine}_cpc`, cnt] = main
  return source('utm', src, mdm, cmp, cnt, term ?? (searched() || none), ...more.map((value) => value || none))
}

/** The engine's name. Those with a parameter have it in results alone, not on their other pages. */
function searchEngine(host: string, query: string, organics: readonly SearchEngine[]): string | undefined {
  if (yandex.test(host) && query.includes('text=')) return 'yandex'
  if (google.test(host)) return 'google'
  const engine = [...organics, ...searchEngines].find(
    (one) => one.param && isWithin(host, one.host) && query.toLowerCase().includes(`${one.param.toLowerCase()}=`),
  )
  return engine?.display || engine?.host
}
