import type { Visit } from '../visit.ts'

/**
 * Checks whether a state-changing request comes from the shop's own pages. Browsers send the origin of a request; a
 * client that sends none is not a browser, so it does not attach a visitor's cookies by accident.
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

/** Checks the origin of a visit, and logs a rejection. @param of the requested call, if it is one */
export function isFromShop(visit: Visit, of = 'form'): boolean {
  const { request, app } = visit
  if (isSameOrigin(request, app.tools.publicUrl)) return true
  visit.refuse('origin', of)
  return false
}
