import { answerPage } from './page-answer.tsx'
import { makePage } from './page-cache.ts'
import { errorPage } from './pages/error.tsx'
import type { Visit } from './visit.ts'

/**
 * A text that belongs to nobody, kept like a page: compressed, and forgotten when the catalogue or a setting changes.
 * @param make null: there is no such thing
 */
export async function keptText(
  visit: Visit,
  { key, type, maxAge }: { key: string; type: string; maxAge: number },
  make: () => Promise<string | null>,
): Promise<Response> {
  const { pageCache, tools, ownCurrency } = visit.app
  const address = visit.path(key)
  const kept = pageCache.get(address)
  if (kept) return answerPage(visit.request, kept)
  const { generation } = pageCache
  const text = await make()
  if (text === null) return errorPage(visit, 404)
  const headers = {
    'Content-Type': `${type}; charset=UTF-8`,
    'Cache-Control': tools.settings.currency === ownCurrency ? `public, max-age=${maxAge}` : 'private, no-cache',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  }
  const page = makePage(200, headers, text, visit.now.getTime())
  const answer = await answerPage(visit.request, page)
  pageCache.put(address, page, generation)
  return answer
}
