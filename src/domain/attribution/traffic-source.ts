import { addressOf, isWithin, queryValues, withoutWww } from './address.ts'
import { none } from './cookie-text.ts'
import type { Tracking } from './tracker-options.ts'

/** Where a visit came from, under the keys of the cookie, in their order. */
export type TrafficSource = Record<'typ' | 'src' | 'mdm' | 'cmp' | 'cnt' | 'trm' | 'id' | 'plt' | 'fmt' | 'tct', string>

type Arrival = { readonly href: string; readonly referrer: string }

/** What the browser remembers already: whether a visit is under way, and whether its source is known. */
type Known = { readonly session: boolean; readonly source: boolean }

const clickIds = { gclid: 'google', yclid: 'yandex' } as const

const campaignNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'utm_id',
  'utm_source_platform',
  'utm_creative_format',
  'utm_marketing_tactic',
  ...Object.keys(clickIds),
]

/**
 * Where this page's visit came from: a campaign's link, a search engine, within no visit another site, and with nothing known
 * nowhere.
 * @returns undefined where it goes on with the source that is known
 */
export function trafficSource(arrival: Arrival, known: Known, tracking: Tracking): TrafficSource | undefined {
  const query = queryValues(addressOf(arrival.href).query)
  const names = [...campaignNames, tracking.campaign, tracking.term, tracking.content]
  if (names.some((name) => name && query.get(name) !== undefined)) return campaign(query, arrival.referrer, tracking)
  if (arrival.referrer && isExternal(arrival.referrer, tracking)) {
    const engine = searchEngine(arrival.referrer, tracking)
    if (engine) return source({ typ: 'organic', src: engine, mdm: 'organic' })
    if (!known.session) return referral(arrival.referrer, tracking)
  }
  const { source: src, medium: mdm } = tracking.typein
  return known.source ? undefined : source({ typ: 'typein', src, mdm })
}

/** The keys in their order: whatever comes after replaces a value and not its place. */
const source = (values: Partial<TrafficSource> & Pick<TrafficSource, 'typ' | 'src' | 'mdm'>): TrafficSource => ({
  ...{ typ: '', src: '', mdm: '' },
  ...{ cmp: none, cnt: none, trm: none, id: none, plt: none, fmt: none, tct: none },
  ...values,
})

function campaign(query: ReadonlyMap<string, string | undefined>, referrer: string, tracking: Tracking): TrafficSource {
  const { campaign = '', content = '', term = '' } = tracking
  const value = (...names: string[]) => names.map((name) => query.get(name)).find((one) => one !== undefined)
  const clicked = Object.entries(clickIds).find(([name]) => query.get(name) !== undefined)?.[1]
  return source({
    typ: 'utm',
    src: value('utm_source') ?? clicked ?? none,
    mdm: value('utm_medium') ?? (clicked ? 'cpc' : none),
    cmp: value('utm_campaign', campaign) ?? (clicked ? `${clicked}_cpc` : none),
    cnt: value('utm_content', content) ?? none,
    trm: value('utm_term', term) ?? (searchedText(referrer) || none),
    id: value('utm_id') || none,
    plt: value('utm_source_platform') || none,
    fmt: value('utm_creative_format') || none,
    tct: value('utm_marketing_tactic') || none,
  })
}

const yandex = /(?:^|\.)yandex\..{2,9}$/
const google = /^(?:www\.)?google\..{2,9}$/

/** What was searched for, where the engine still says so. */
function searchedText(referrer: string): string | undefined {
  const { host, query } = addressOf(referrer)
  return yandex.test(host.toLowerCase()) ? queryValues(query).get('text') : undefined
}

function isExternal(referrer: string, { host, isolate }: Tracking): boolean {
  const from = withoutWww(addressOf(referrer).host)
  return isolate ? from !== withoutWww(host) : !isWithin(from, host)
}

/** The engine's name. Those with a parameter have it in results alone, not on their other pages. */
function searchEngine(referrer: string, { organics }: Tracking): string | undefined {
  const { host, query } = addressOf(referrer)
  if (yandex.test(host) && query.includes('text=')) return 'yandex'
  if (google.test(host)) return 'google'
  const lower = query.toLowerCase()
  const found = organics.find((one) => isWithin(host, one.host) && lower.includes(`${one.param.toLowerCase()}=`))
  return found && (found.display || found.host)
}

function referral(referrer: string, { referrals }: Tracking): TrafficSource {
  const { host, path } = addressOf(referrer)
  const site = referrals.find((one) => isWithin(host, one.host))
  return source({
    typ: 'referral',
    src: site ? site.display || site.host : withoutWww(host),
    mdm: site?.medium || 'referral',
    cnt: path || '/',
  })
}
