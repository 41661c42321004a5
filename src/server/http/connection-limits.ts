import { createServer, type RequestListener, type Server } from 'node:http'

/**
 * Timeouts of a connection, in milliseconds: five seconds for the headers of a request, thirty for all of it. Node
 * checks only every thirty seconds by default, so a slow sender would get far more.
 *
 * Clients learn `keepAliveTimeout` from a header and close idle connections by then. The server closes them later by
 * the buffer. A client that was suspended for some seconds would otherwise send a request on a connection that is
 * already closed, and lose it.
 */
export const connectionLimits = {
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  keepAliveTimeoutBuffer: 20_000,
  connectionsCheckingInterval: 1_000,
} as const

/** Maximum number of headers of a request; more are rejected with 431. */
export const mostHeaders = 100

/**
 * Idle timeout of a socket, in milliseconds. A client that reads nothing would keep its response and all pipelined ones
 * in memory for ever. It is longer than any response takes; proxies wait as long.
 */
const stillMs = 60_000

/**
 * Interval of the check that all arrived data was read, in milliseconds; after `stoodStillMs` without it, timeouts are
 * suspended.
 */
const beatMs = 500
const stoodStillMs = 1_500

/**
 * Creates a server with these timeouts. The server's own delay does not count against clients. Node checks its timers
 * before it reads arrived data: after some seconds of a suspended process it would close connections whose requests are
 * waiting to be read.
 */
export function limitedServer(
  listener: RequestListener,
  { nowMs, mostStillMs = stillMs }: { nowMs: () => number; mostStillMs?: number },
): Server {
  const server = createServer(connectionLimits, listener)
  server.maxHeadersCount = mostHeaders
  let readAt = nowMs()
  // `setImmediate` runs after all arrived data was read.
  const beat = setInterval(() => setImmediate(() => (readAt = nowMs())), beatMs).unref()
  server.once('close', () => clearInterval(beat))
  for (const limit of ['headersTimeout', 'requestTimeout'] as const) {
    // Node reads both limits at each check, and skips the check where both are 0.
    const get = () => (nowMs() - readAt > stoodStillMs ? 0 : connectionLimits[limit])
    Object.defineProperty(server, limit, { get, enumerable: true })
  }
  return server.setTimeout(mostStillMs)
}
