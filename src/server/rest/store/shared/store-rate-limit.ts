import { rateLimitHeaders } from '#contract/cart/store-headers.ts'
import { consumeRateLimitWithCost } from '#database/operations/rate-limits.ts'
import { sha256 } from '#shop/shared/digest.ts'
import { networkOf } from '#shop/shared/limit-attempts.ts'
import type { Visit } from '../../../http/visit.ts'
import { StoreError } from './store-error.ts'

/**
 * Counts a request against the limit of its customer or network, where the merchant has enabled the limit.
 * @returns headers of the answer
 * @throws StoreError 429
 */
export async function countRequest(visit: Visit): Promise<Record<string, string>> {
  const { db, settings } = visit.app.tools
  const { enabled, requests, seconds } = settings.storeApi.rateLimit
  if (!enabled) return {}
  const customerId = await visit.customerId()
  const who = customerId === null ? `network ${networkOf(visit.ip)}` : `customer ${customerId}`
  const limit = { tries: requests, perMs: seconds * 1000 }
  const { now } = visit
  const { waitMs, usedUntil } = await consumeRateLimitWithCost(db, sha256(`store-api|${who}`), limit, now)
  const left = Math.floor(((now.getTime() + limit.perMs - usedUntil.getTime()) * requests) / limit.perMs)
  const headers = {
    [rateLimitHeaders.limit]: String(requests),
    [rateLimitHeaders.remaining]: String(waitMs > 0 ? 0 : Math.max(0, Math.min(requests - 1, left))),
    [rateLimitHeaders.reset]: String(Math.ceil(Math.max(usedUntil.getTime(), now.getTime()) / 1000)),
  }
  if (waitMs === 0) return headers
  const retryAfter = String(Math.ceil(waitMs / 1000))
  throw new StoreError(
    429,
    'rate_limit_exceeded',
    'Too many requests. Please wait before trying again.',
    {},
    { ...headers, [rateLimitHeaders.retryAfter]: retryAfter, 'Retry-After': retryAfter },
  )
}
