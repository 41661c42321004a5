import { suggest } from '#shop/suggest.ts'
import { renderPart } from '#web/pages/render.tsx'
import { SearchSuggestions } from '#web/parts/search-suggestions.tsx'
import type { Visit } from '../visit.ts'

/**
 * What a search may mean so far, as markup for below its field. The same for everybody who sees the shop in its own currency, so
 * where there is no other, whatever stands in between may keep it for a while, as browsers do.
 */
export async function searchSuggestions({ app, url }: Visit): Promise<Response> {
  const facts = await suggest(app.tools, url.searchParams.get('term') ?? '')
  const html = renderPart(await app.shop(), <SearchSuggestions facts={facts} />)
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': app.currencies().length > 0 ? 'private, no-cache' : 'public, max-age=60',
      'X-Robots-Tag': 'noindex',
    },
  })
}
