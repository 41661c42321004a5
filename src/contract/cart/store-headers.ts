/** Headers of the Store API, unchanged from the public interface. */
export const storeHeaders = {
  nonce: 'Nonce',
  /** Unix time of the nonce, in seconds. */
  nonceTimestamp: 'Nonce-Timestamp',
  userId: 'User-ID',
  cartToken: 'Cart-Token',
  cartHash: 'Cart-Hash',
} as const

/** Headers of the optional rate limit. */
export const rateLimitHeaders = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  /** Unix time in seconds. */
  reset: 'RateLimit-Reset',
  /** Seconds. */
  retryAfter: 'RateLimit-Retry-After',
} as const

/** Action of the nonce of writes. */
export const storeNonceAction = 'wc_store_api'
