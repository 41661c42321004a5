import { suggest } from '#shop/suggest.ts'
import { renderPart } from '#web/pages/render.tsx'
import { SearchSuggestions } from '#web/parts/search-suggestions.tsx'
import type { Visit } from '../visit.ts'

/**
 * What a search may mean so far, as markup for below its field. The same for everybody, so browsers and whatever stands in
 * between may keep it for a while.
 */
export async function searchSuggestions({ app, url }: Visit): Promise<Response> {
  const facts = await suggest(app.tools, url.searchParams.get('term') ?? '')
  const html = renderPart(await app.shop(), <SearchSuggestions facts={facts} />)
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=UTF-8',
      'Cache-Control': 'public, max-age=60, s-maxage=60, stale-while-revalidate=600',
      'X-Robots-Tag': 'noindex',
    },
  })
}
