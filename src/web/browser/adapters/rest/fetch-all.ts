import { mostPerPage, restHeaders } from '#contract/shared/rest.ts'
import { splitUrl } from './request-url.ts'
import type { RestWords } from './rest-error.ts'
import { bodyOf, isResponse, type RestMiddleware, type RestRequest, refusalIn, withoutHeader } from './rest-request.ts'

const asksForAll = /(^|&)per_page=-1(?=&|$)/

/** Completes a list that is requested with `per_page=-1`: requests pages of a hundred, following the next links. */
export function fetchAll(words: RestWords): RestMiddleware {
  return async (request, next) => {
    const { path, url, signal } = request
    if (request.parse === false || !(isAll(path) || isAll(url))) return next(request)
    const bounded = {
      ...request,
      ...(path === undefined ? {} : { path: inPages(path) }),
      ...(url === undefined ? {} : { url: inPages(url) }),
      parse: false,
    }
    const pages: unknown[] = []
    const seen = new Set<string>()
    for (let asked: RestRequest | undefined = bounded; asked; ) {
      const response = await rawResponse(next(asked), words, signal)
      const page = await bodyOf(response, words, signal)
      if (pages.length === 0 && !Array.isArray(page)) return page
      pages.push(page)
      const following = nextOf(response, asked.url ?? asked.path ?? '')
      // A server that links to a previous page would cause an endless loop.
      if (following === undefined || seen.has(following.href)) break
      seen.add(following.href)
      asked = nextPageRequest(bounded, following, response)
    }
    return pages.flat(1)
  }
}

const isAll = (address = '') => asksForAll.test(splitUrl(address).query)

function inPages(address: string): string {
  const { before, query, fragment } = splitUrl(address)
  return query ? `${before}?${query.replace(asksForAll, `$1per_page=${mostPerPage}`)}${fragment}` : address
}

async function rawResponse(answer: Promise<unknown>, words: RestWords, signal?: AbortSignal): Promise<Response> {
  const response = await answer.catch(async (error: unknown) => {
    throw isResponse(error) ? await refusalIn(error, words, signal) : error
  })
  if (isResponse(response)) return response
  throw new TypeError('a REST middleware answered a raw request with something else than a Response')
}

/** Returns the target of `Link: <…>; rel="next"`. */
function nextOf({ headers, url }: Response, asked: string): URL | undefined {
  for (const [, target = '', parameters = ''] of (headers.get('Link') ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (!/;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters)) continue
    const base = new URL(url || asked, globalThis.location?.href ?? 'http://localhost/')
    return URL.canParse(target, base) ? new URL(target, base) : undefined
  }
  return undefined
}

/** Copies the request to the next page's URL. Credentials are never sent to another server. */
function nextPageRequest({ path: _, ...request }: RestRequest, { href, origin }: URL, { url }: Response): RestRequest {
  const own = new URL(url || request.url || '', globalThis.location?.href ?? 'http://localhost/').origin
  return {
    ...request,
    url: href,
    headers: origin === own ? { ...request.headers } : withoutHeader(request.headers, restHeaders.nonce),
  }
}
