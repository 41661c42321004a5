import { urls } from '#contract/shared/urls.ts'
import { noticesCookie, type Visit } from '../../http/visit.ts'
import { publishedPrefixes } from '../../translation/alternate-links.ts'

/**
 * Pages that a browser may prefetch before a click: those that are the same for all visitors. The rules are in a
 * header, so the content security policy needs no exception.
 */

/** In the syntax of `href_matches`. */
const readyPages = ['/', '/shop/*', '/product/*', '/product-category/*', '/product-tag/*']
/** Pages of one segment are static pages, except these. */
const contentPages = '/:page/'
const notContent = [urls.cart(), urls.checkout(), urls.account(), urls.searchSuggestions()]
/** A query may change something (`?add-to-cart=`), and is seldom followed. */
const anyQuery = '/*\\?(.+)'
const pressed = '.add_to_cart_button, [rel~="nofollow"], [download], [target]'

const quiet = [{ not: { href_matches: anyQuery } }, { not: { selector_matches: pressed } }]

function rulesFor(leads: readonly ((path: string) => string)[]): string {
  const inEach = (paths: readonly string[]) => [...new Set(leads.flatMap((lead) => paths.map(lead)))]
  const content = [{ href_matches: inEach([contentPages]) }, { not: { href_matches: inEach(notContent) } }]
  return JSON.stringify({
    prerender: [{ where: { and: [{ href_matches: inEach(readyPages) }, ...quiet] }, eagerness: 'moderate' }],
    prefetch: [{ where: { and: [...content, ...quiet] }, eagerness: 'moderate' }],
  })
}

/** Header of pages whose links may be prefetched. */
export const speculationHeader = { 'Speculation-Rules': `"${urls.speculationRules()}"` } as const

export async function speculationRules({ app }: Visit): Promise<Response> {
  return new Response(rulesFor(await publishedPrefixes(app)), {
    headers: { 'Content-Type': 'application/speculationrules+json', 'Cache-Control': 'public, max-age=86400' },
  })
}

/**
 * Rejects a speculative request that must not be served: private pages, pages that change something, and any page while
 * notices are queued, which would be lost. The browser requests it again on the real click. Null: continue.
 */
export function refusedSpeculation(visit: Visit): Response | null {
  if (!/prefetch|prerender/.test(visit.request.headers.get('sec-purpose') ?? '')) return null
  const { pathname, search } = visit.url
  const changesNothing = visit.request.method === 'GET' && search === '' && !isPrivate(pathname)
  if (changesNothing && visit.cookie(noticesCookie) === undefined) return null
  return new Response(null, { status: 503, headers: { 'Cache-Control': 'no-store' } })
}

function isPrivate(path: string): boolean {
  return [urls.cart(), urls.checkout(), urls.account(), '/pay/', '/download/', '/wp-json/', '/wp-admin/'].some((own) =>
    path.startsWith(own),
  )
}
