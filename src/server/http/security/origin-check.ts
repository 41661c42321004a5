import type { Visit } from '../visit.ts'

/**
 * Whether a request that may change something comes from the shop's own pages. Browsers say where a request comes from;
 * one that says nothing at all is no browser, and carries nobody's cookies by accident.
 */
export function isSameOrigin(request: Request, publicOrigin: string): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  const own = [publicOrigin, new URL(request.url).origin]
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== 'null' && own.includes(origin)
  if (site !== null) return false
  const referer = request.headers.get('referer')
  if (referer === null) return true
  return URL.canParse(referer) && own.includes(new URL(referer).origin)
}

/** The same of a visit; the log is told of one that does not. @param of the call that is asked for, where it is one */
export function isFromShop(visit: Visit, of = 'form'): boolean {
  const { request, app } = visit
  if (isSameOrigin(request, app.tools.publicUrl)) return true
  visit.refuse('origin', of)
  return false
}
