import { baseHeaders } from '../http/security/security-headers.ts'
import type { Visit } from '../http/visit.ts'
import { errorPage } from '../pages/shared/error-page.tsx'
import { answerPage } from '../pages/shared/page-answer.tsx'
import { pageTags } from './cache-tags.ts'
import { encodedBody, encodingOf, makePage } from './page-cache.ts'

/**
 * Returns a text that is the same for all visitors. It is cached like a page: compressed, and evicted when the catalog
 * or a setting changes.
 * @param make returns null for "not found"
 */
export async function cachedText(
  visit: Visit,
  { key, type, maxAge }: { key: string; type: string; maxAge: number },
  make: () => Promise<string | null>,
): Promise<Response> {
  const { pageCache, tools, ownCurrency, secure } = visit.app
  const address = visit.path(key)
  const kept = pageCache.get(address)
  if (kept) return answerPage(visit.request, kept)
  const made = await pageCache.buildOnce(address, async () => {
    const { generation } = pageCache
    const text = await make()
    if (text === null) return errorPage(visit, 404)
    const headers = {
      // Cached with the text: cached answers do not pass through the code that adds these headers elsewhere.
      ...baseHeaders(secure),
      'Content-Type': `${type}; charset=UTF-8`,
      'Cache-Control': tools.settings.currency === ownCurrency ? `public, max-age=${maxAge}` : 'private, no-cache',
      Vary: 'Accept-Encoding',
    }
    const page = {
      ...makePage(200, headers, [text], visit.now.getTime(), visit.request.headers.get('accept-encoding')),
      tags: [pageTags.catalog, pageTags.language(visit.app.language.tag)],
    }
    await encodedBody(page, encodingOf(page, visit.request.headers.get('accept-encoding')))
    pageCache.put(address, page, generation)
    return page
  })
  return made instanceof Response ? made : answerPage(visit.request, made)
}
