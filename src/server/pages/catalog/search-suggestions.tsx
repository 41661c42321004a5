import { suggest } from '#shop/catalog/suggest-searches.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { SearchSuggestions } from '#web/parts/catalog/search-suggestions.tsx'
import type { Visit } from '../../http/visit.ts'

/**
 * Answers with search suggestions, as markup below the search field. They are the same for all visitors in the shop's
 * own currency, so without other currencies CDNs and browsers may cache them. Before the shop opens they are for the
 * staff alone.
 */
export async function searchSuggestions({ app, url }: Visit): Promise<Response> {
  const facts = await suggest(app.tools, url.searchParams.get('term') ?? '')
  const isForAll = app.currencies().length === 0 && !app.tools.settings.comingSoon
  const html = renderPart(await app.shop(), <SearchSuggestions facts={facts} />)
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': isForAll ? 'public, max-age=60' : 'private, no-cache',
      'X-Robots-Tag': 'noindex',
    },
  })
}
