import { restHeaders } from '#contract/shared/rest.ts'
import type { Visit } from '../http/visit.ts'

/**
 * Returns the headers with the length of a list and links to its other pages.
 * @param offset if the request used it: the links use it as well, because it overrides the page
 */
export function pagingHeaders(
  visit: Visit,
  { page, perPage, total, offset }: { page: number; perPage: number; total: number; offset?: number | undefined },
): Record<string, string> {
  const pages = Math.ceil(total / perPage)
  const at = (other: number, rel: string) => {
    const { pathname, search } = new URL(visit.request.url)
    const url = new URL(pathname + search, ownOrigin(visit))
    url.searchParams.set(offset === undefined ? 'page' : 'offset', String(other))
    if (offset !== undefined) url.searchParams.delete('page')
    // Keys and signatures are added by the client: an address may end up in a log.
    for (const name of [...url.searchParams.keys()]) {
      if (/^(?:consumer|oauth)_/.test(name)) url.searchParams.delete(name)
    }
    return `<${url.href}>; rel="${rel}"`
  }
  const links =
    offset === undefined
      ? [
          ...(page > 1 ? [at(Math.min(page - 1, Math.max(pages, 1)), 'prev')] : []),
          ...(page < pages ? [at(page + 1, 'next')] : []),
        ]
      : [
          ...(offset > 0 ? [at(Math.max(0, offset - perPage), 'prev')] : []),
          ...(offset + perPage < total ? [at(offset + perPage, 'next')] : []),
        ]
  return {
    [restHeaders.total]: String(total),
    [restHeaders.totalPages]: String(pages),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  }
}

/** Returns the shop's origin as used by this visitor: a visitor by another host name stays there. */
function ownOrigin({ app, request }: Visit): string {
  const own = new URL(app.tools.publicUrl)
  const asked = new URL(request.url)
  return asked.host === own.host ? own.origin : asked.origin
}
