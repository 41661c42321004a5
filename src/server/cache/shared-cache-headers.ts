import type { Application } from '../operations/startup/application.ts'
import { isServerCounting } from '../statistics/page-views.ts'
import { pageTags } from './cache-tags.ts'

/** How long a CDN may serve a stale page while it revalidates, or while the shop is down. */
const graceSeconds = 600

/** Headers for CDNs alone. Answers for one visitor have none of them. */
export const sharedCacheHeaders = ['CDN-Cache-Control', 'Surrogate-Control', 'Surrogate-Key', 'Cache-Tag'] as const

/**
 * Checks whether an address shows the same to all visitors, so that a CDN may answer by address. It does not with
 * several currencies, nor where the shop itself counts visits.
 */
export function isShareable(app: Application): boolean {
  const { settings } = app.tools
  return app.currencies().length === 0 && !settings.exchange.byCountry && !isServerCounting(settings)
}

/**
 * Returns the cache headers of a page that is the same for all visitors. Browsers always revalidate. CDNs do so, too,
 * unless the operator allows them to keep pages for a while and the page is shareable.
 * @param tags cache tags of the page (`cache-tags.ts`); a CDN revalidates a page without tags on each request
 */
export function sharingHeaders(app: Application, tags: readonly string[]): Record<string, string> {
  // A page in another currency has the same address, so it must not be shared.
  if (app.tools.settings.currency !== app.ownCurrency) return { 'Cache-Control': 'private, no-cache' }
  const seconds = app.cdnSeconds
  if (seconds === 0 || tags.length === 0 || !isShareable(app))
    return { 'Cache-Control': 'public, max-age=0, must-revalidate' }
  const targeted = `max-age=${seconds}, stale-while-revalidate=${graceSeconds}, stale-if-error=${graceSeconds}`
  return {
    // Browsers obey this header, too, and would show stale pages: the grace is in the CDN headers alone.
    'Cache-Control': `public, max-age=0, s-maxage=${seconds}`,
    // RFC 9213; the second name is its predecessor.
    'CDN-Cache-Control': targeted,
    'Surrogate-Control': targeted,
    'Surrogate-Key': [pageTags.page, ...tags].join(' '),
    'Cache-Tag': [pageTags.page, ...tags].join(','),
  }
}

/** Makes an answer private: removes the headers that allow shared caching. */
export function makePrivate(headers: Headers): void {
  for (const name of sharedCacheHeaders) headers.delete(name)
  const said = headers.get('Cache-Control') ?? ''
  if (!/\bno-store\b/.test(said)) headers.set('Cache-Control', 'private, no-store')
}
