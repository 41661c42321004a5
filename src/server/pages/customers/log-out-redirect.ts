import { seeOther } from '../../http/redirect.ts'

/**
 * Leads on after somebody has logged out, and has the browser forget what it keeps of pages that were theirs: the Back button,
 * pages that were fetched ahead. Cookies stay: what was chosen of language, currency and consent is the browser's, not the login's.
 */
export function loggedOut(path: string): Response {
  const answer = seeOther(path)
  answer.headers.set('Clear-Site-Data', '"cache", "prefetchCache", "prerenderCache"')
  return answer
}
