/** Redirects with GET. The target must be a path of the shop, or an address that the caller has validated. */
export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location, 'Cache-Control': 'private, no-store' } })
}

/**
 * Returns the page that a form or link came from, as a path of the shop without the parameters that made the change. A
 * foreign or invalid referrer returns the fallback.
 */
export function refererPath(request: Request, posted: unknown, fallback: string, without: readonly string[]): string {
  const own = new URL(request.url)
  const candidate = typeof posted === 'string' && posted !== '' ? posted : request.headers.get('referer')
  if (!candidate || /\\|\p{Cc}/u.test(candidate) || !URL.canParse(candidate, own)) return fallback
  const url = new URL(candidate, own)
  // Behind a proxy the page has https and our request does not, so only hosts are compared.
  if (url.host !== own.host || !/^https?:$/.test(url.protocol) || url.username || url.password) return fallback
  if (url.pathname.startsWith('//') || url.searchParams.has('wc-ajax')) return fallback
  for (const name of without) url.searchParams.delete(name)
  return url.pathname + url.search
}
