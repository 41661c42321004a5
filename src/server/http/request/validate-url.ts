const longest = 8 * 1024

/** Why an address cannot be looked up, as a status: too long, or bytes that are no text. Null when it can. */
export function addressFault(url: URL): 400 | 414 | null {
  if (url.pathname.length + url.search.length > longest) return 414
  // Browsers take what begins so for another host, wherever such a path is led on to.
  if (url.pathname.startsWith('//')) return 400
  // A database cannot hold a NUL, and nobody's link has one.
  if (/%00/.test(url.pathname + url.search)) return 400
  try {
    decodeURIComponent(url.pathname)
    return null
  } catch {
    return 400
  }
}
