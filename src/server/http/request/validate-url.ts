const longest = 8 * 1024

/** Returns the status that rejects a URL: too long, or bytes that are not valid text. Null for a valid one. */
export function addressFault(url: URL): 400 | 414 | null {
  if (url.pathname.length + url.search.length > longest) return 414
  // Browsers take a path that begins so for another host when it is used in a redirect.
  if (url.pathname.startsWith('//')) return 400
  // The database cannot store NUL, and no link contains it.
  if (/%00/.test(url.pathname + url.search)) return 400
  try {
    decodeURIComponent(url.pathname)
    return null
  } catch {
    return 400
  }
}
