import { suggest } from '#shop/catalog/suggest-searches.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { SearchSuggestions } from '#web/parts/catalog/search-suggestions.tsx'
import type { Visit } from '../../http/visit.ts'

/**
 * What a search may mean so far, as markup for below its field. The same for everybody who sees the shop in its own currency, so
 * where there is no other, whatever stands in between may keep it for a while, as browsers do. Not before the shop is open: then they
 * are for its staff alone.
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
