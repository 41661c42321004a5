/**
 * How long a connection may keep the server waiting, in milliseconds: five seconds for the headers of a request, thirty for all
 * of it. Node looks only every half a minute unless told, by when a slow sender has long had more than that.
 */
export const connectionLimits = {
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
} as const

/** Headers of one request; more are refused with 431. */
export const mostHeaders = 100
