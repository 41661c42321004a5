/** Sends the browser on with GET. Only to the shop's own paths, or to an address that the caller has checked. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/**
 * The page that a form or link came from, as a path of the shop without the parameters that made the change.
 * Anything foreign or odd gives the fallback.
 */
export function refererPath(request: Request, posted: unknown, fallback: string, without: readonly string[]): string {
  const own = new URL(request.url)
  const candidate = typeof posted === 'string' && posted !== '' ? posted : request.headers.get('referer')
  if (!candidate || /\\|\p{Cc}/u.test(candidate) || !URL.canParse(candidate, own)) return fallback
  const url = new URL(candidate, own)
  // Behind a proxy the browser's page came over https and our request did not: the host says whose page it is.
  if (url.host !== own.host || !/^https?:$/.test(url.protocol) || url.username || url.password) return fallback
  if (url.pathname.startsWith('//') || url.searchParams.has('wc-ajax')) return fallback
  for (const name of without) url.searchParams.delete(name)
  return url.pathname + url.search
}
