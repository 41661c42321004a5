import { seeOther } from '../../http/redirect.ts'

/**
 * Redirects after a logout, and clears the browser's caches: the Back button and prefetched pages. Cookies stay:
 * choices of language, currency and consent belong to the browser, not to the login.
 */
export function loggedOut(path: string): Response {
  const answer = seeOther(path)
  answer.headers.set('Clear-Site-Data', '"cache", "prefetchCache", "prerenderCache"')
  return answer
}
