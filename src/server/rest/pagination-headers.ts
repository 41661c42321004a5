import { restHeaders } from '#contract/shared/rest.ts'
import type { Visit } from '../http/visit.ts'

/**
 * Says how long a list is, and where its other pages are.
 * @param offset where it was asked for by that: then the others are as well, for it comes before the page
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
    // Keys and signatures are the asker's own to add: an address may end up in a log.
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

/** The shop's own address as this visitor has it: who came by another name stays there. */
function ownOrigin({ app, request }: Visit): string {
  const own = new URL(app.tools.publicUrl)
  const asked = new URL(request.url)
  return asked.host === own.host ? own.origin : asked.origin
}
