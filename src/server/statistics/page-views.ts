import type { ShopSettings } from '#contract/shared/settings.ts'
import { consentCookie, consents } from '#contract/statistics/consent.ts'
import {
  campaignParameter,
  hitParameter,
  type PageType,
  type StatisticsScript,
} from '#contract/statistics/statistics.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { longestTexts } from '#domain/statistics/visit-limits.ts'
import { ownCopy } from '#shop/shared/copy-string.ts'
import type { Sender } from '#shop/statistics/detect-robots.ts'
import type { Visit } from '../http/visit.ts'
import type { PageContent } from '../pages/shared/page-content.ts'
import type { PageFacts } from './page-facts.ts'

/** Returns the facts of a request's sender for the statistics. */
export function visitSender({ app, request: { method, headers }, ip }: Visit): Sender {
  const { countryHeader } = app.tools.settings.statistics
  // Without a proxy of our own, the country header is forgeable.
  const invented = app.trustedProxies === 0 ? countryHeader.toLowerCase() : null
  return { ip, method, header: (name) => (name === invented ? '' : (headers.get(name) ?? '')) }
}

const privateKinds: ReadonlySet<PageContent['kind']> = new Set(['checkout', 'order-pay', 'order-received', 'account'])

/** Returns the facts of a page for the statistics. Order ids are private, so all orders count as one page. */
export function pageFacts({ app, url, request }: Visit, content: PageContent): PageFacts {
  const type = pageType(content, url)
  const { pathname } = new URL(request.url)
  const path = privateKinds.has(content.kind) ? pathname.replace(/\/\d+(?=\/|$)/g, '/*') : pathname
  return {
    current_page_type: type,
    current_page_id: type === 'product' ? (content.productIds?.[0] ?? 0) : 0,
    // Copied: a slice would keep the whole address in the cache.
    page_uri: ownCopy(type === 'search' ? `${path}?s=` : path),
    current_currency: app.tools.settings.currency,
    search: type === 'search' ? ownCopy((url.searchParams.get('s') ?? '').slice(0, longestTexts.search * 4)) : '',
  }
}

function pageType({ kind, status }: PageContent, { pathname, searchParams }: URL): PageType {
  switch (kind) {
    case 'error':
      return status === 404 ? '404' : 'unknown'
    case 'content':
      return 'page'
    case 'listing':
      if (searchParams.has('s')) return 'search'
      if (pathname.startsWith('/product-category/')) return 'category'
      return pathname.startsWith('/product-tag/') ? 'tag' : 'shop'
    default:
      return kind
  }
}

/**
 * Returns the settings of the script that reports page views; undefined if visits are not counted.
 * @param staff whether the page is rendered for staff; shared pages are not
 */
export function statisticsScript(visit: Visit, content: PageContent, staff = false): StatisticsScript | undefined {
  const { enabled, cacheCompatibility, honourDoNotTrack } = visit.app.tools.settings.statistics
  if (!enabled) return undefined
  const { search, page_uri, ...facts } = pageFacts(visit, content)
  const query = new URLSearchParams({
    [hitParameter]: 'yes',
    track_all: '1',
    ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
    ...(search === '' ? {} : { search_query: base64(search.slice(0, 400)) }),
    page_uri: base64(page_uri),
  })
  return {
    hitRequestUrl: `/api/stats/hit?${query}`,
    keepOnlineRequestUrl: '/api/stats/online',
    option: { dntEnabled: honourDoNotTrack, cacheCompatibility, ...(staff ? { staff: true as const } : {}) },
  }
}

/** Checks whether the visitor is staff. Reads the session. */
export async function isStaffVisit(visit: Visit): Promise<boolean> {
  if (!visit.hasSessionCookie) return false
  const { role } = await visit.session()
  return role !== null && mayActAs(role, 'translator')
}

const base64 = (text: string) => Buffer.from(text.toWellFormed()).toString('base64url')

/**
 * Returns the campaign parameters as encoded in the query, uncut: they are shortened after decoding, where no character
 * can be halved. Click ids are reduced to their presence.
 */
export function campaignQuery(search: string): string {
  return search
    .replace(/^\?/, '')
    .split('&')
    .flatMap((piece) => {
      const [name = '', value] = piece.split('=', 2)
      if (!campaignParameter.test(name) || value === undefined) return []
      return [name.startsWith('utm_') ? `${name}=${value}` : `${name}=1`]
    })
    .slice(0, 20)
    .join('&')
}

/** Counts a page view on the server, where pages do not report themselves. Runs in the background. */
export function countPage(visit: Visit, facts: PageFacts, staff = false): void {
  const { app, request } = visit
  const { settings } = app.tools
  if (request.method !== 'GET' || !isServerCounting(settings)) return
  // Do Not Track is counted separately, as a reason.
  const answer = (category: string) => visit.cookie(consentCookie(category))
  if (!consents('statistics', { answer, asked: settings.statistics.needsConsent, gpc: false })) return
  const sender = comingByLink(visitSender(visit))
  const query = campaignQuery(request.url.split('?', 2)[1] ?? '')
  app.statistics.view(sender, { ...facts, query, referred: sender.header('referer').slice(0, 2_048), staff })
}

/** Accepts a visitor who followed a link on another site; a foreign site's fetches and frames are no visits. */
function comingByLink(sender: Sender): Sender {
  if (sender.header('sec-fetch-dest') !== 'document') return sender
  return { ...sender, header: (name) => (name === 'sec-fetch-site' ? '' : sender.header(name)) }
}

/** Checks whether the server counts page views, instead of scripts. */
export function isServerCounting({ statistics }: Pick<ShopSettings, 'statistics'>): boolean {
  return statistics.enabled && !statistics.cacheCompatibility
}
