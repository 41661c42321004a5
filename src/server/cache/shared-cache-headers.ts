import type { Application } from '../operations/startup/application.ts'
import { isServerCounting } from '../statistics/page-views.ts'
import { pageTags } from './cache-tags.ts'

/** For how long a cache in front may hand out a page that it is just asking for again, or that nobody answers for. */
const graceSeconds = 600

/** Headers that speak to caches in front of the shop alone. What belongs to one visitor has none of them. */
export const sharedCacheHeaders = ['CDN-Cache-Control', 'Surrogate-Control', 'Surrogate-Key', 'Cache-Tag'] as const

/**
 * Whether an address shows the same to everybody, so that a cache that looks at addresses alone may answer: with several
 * currencies it does not, and visits that the shop itself counts have to reach it.
 */
export function isShareable(app: Application): boolean {
  const { settings } = app.tools
  return app.currencies().length === 0 && !settings.exchange.byCountry && !isServerCounting(settings)
}

/**
 * What a page that belongs to nobody says of keeping it. Browsers always ask whether it is still the one; caches in front do so
 * too, unless the operator lets them keep it for a while and it is the same for everybody.
 * @param tags what the page shows (`cache-tags.ts`), by which such a cache is told to let go of it; of what has none it asks each time
 */
export function sharingHeaders(app: Application, tags: readonly string[]): Record<string, string> {
  // What shows another currency is nobody's but of those who chose it, who have the same address for it.
  if (app.tools.settings.currency !== app.ownCurrency) return { 'Cache-Control': 'private, no-cache' }
  const seconds = app.cdnSeconds
  if (seconds === 0 || tags.length === 0 || !isShareable(app))
    return { 'Cache-Control': 'public, max-age=0, must-revalidate' }
  const targeted = `max-age=${seconds}, stale-while-revalidate=${graceSeconds}, stale-if-error=${graceSeconds}`
  return {
    // Browsers hold themselves to this one too, and would show what is stale: the grace is in the others alone.
    'Cache-Control': `public, max-age=0, s-maxage=${seconds}`,
    // RFC 9213; the second is what it was called before.
    'CDN-Cache-Control': targeted,
    'Surrogate-Control': targeted,
    'Surrogate-Key': [pageTags.page, ...tags].join(' '),
    'Cache-Tag': [pageTags.page, ...tags].join(','),
  }
}

/** Takes back whatever an answer allows others: it has turned out to be for this visitor alone. */
export function keepForOne(headers: Headers): void {
  for (const name of sharedCacheHeaders) headers.delete(name)
  const said = headers.get('Cache-Control') ?? ''
  if (!/\bno-store\b/.test(said)) headers.set('Cache-Control', 'private, no-store')
}
