import { createServer, type RequestListener, type Server } from 'node:http'

/**
 * How long a connection may keep the server waiting, in milliseconds: five seconds for the headers of a request, thirty for all
 * of it. Node looks only every half a minute unless told, by when a slow sender has long had more than that.
 *
 * Clients are told that an idle connection is kept for `keepAliveTimeout`, and give it up by then. It is closed only as much later as
 * the buffer says: a client that stood still for some seconds, alone or with the whole machine, would else send a request into a
 * connection whose end it has not read yet, and lose it.
 */
export const connectionLimits = {
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  keepAliveTimeoutBuffer: 20_000,
  connectionsCheckingInterval: 1_000,
} as const

/** Headers of one request; more are refused with 431. */
export const mostHeaders = 100

/**
 * How long nothing at all may move on a connection, in milliseconds. Who reads nothing of an answer would have it kept in memory
 * for ever, with all others that were asked for in the same breath. Longer than any answer takes to be made; proxies wait as long.
 */
const stillMs = 60_000

/** So often it is seen whether everything that has arrived was read, in milliseconds, and from so much later on it was not. */
const beatMs = 500
const stoodStillMs = 1_500

/**
 * A server that waits for nobody longer than these limits say. What it was itself too late to read counts against nobody: Node looks
 * at the clock before it looks at what has arrived, and after some seconds in which the machine stood still it would close the
 * connections of all those whose requests lie there.
 */
export function limitedServer(
  listener: RequestListener,
  { nowMs, mostStillMs = stillMs }: { nowMs: () => number; mostStillMs?: number },
): Server {
  const server = createServer(connectionLimits, listener)
  server.maxHeadersCount = mostHeaders
  let readAt = nowMs()
  // What is done at once is done after everything that had arrived.
  const beat = setInterval(() => setImmediate(() => (readAt = nowMs())), beatMs).unref()
  server.once('close', () => clearInterval(beat))
  for (const limit of ['headersTimeout', 'requestTimeout'] as const) {
    // Node asks for both each time it looks, and looks at nobody where both are 0.
    const get = () => (nowMs() - readAt > stoodStillMs ? 0 : connectionLimits[limit])
    Object.defineProperty(server, limit, { get, enumerable: true })
  }
  return server.setTimeout(mostStillMs)
}
