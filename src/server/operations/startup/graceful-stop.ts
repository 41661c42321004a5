import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as Listening } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectionLimits } from '../../http/connection-limits.ts'
import { closeListeners } from '../../http/listeners.ts'
import { baseHeaders } from '../../http/security/security-headers.ts'

export type GracefulStop = {
  /** Replaces the listener: during a stop every response has `Connection: close`. */
  readonly listener: RequestListener
  /**
   * Stops accepting connections, serves the open ones, and resolves when the last has ended.
   * @param patienceMs how long an idle connection may stay: its client may be about to send a request. 0: not at all
   * @param noticeMs how long `/readyz` reports the stop in advance while all requests are still served. A request that
   * arrives at the very moment of closing is lost: load balancers that check `/readyz` send none by then, and for other
   * clients the moment is short
   */
  stop(server: Server, patienceMs: number, noticeMs?: number): Promise<void>
}

/** After this time a load balancer that checks `/readyz` every second sends no more requests. */
export const usualNoticeMs = 2_000

/** After this time a client that keeps its connection has seen it closed by the usual timeout, which it expects. */
export const usualIdleMs = connectionLimits.keepAliveTimeout + 2_000

/** Limit after which every connection is cut: longer than any request may take. */
export const utmostMs = connectionLimits.requestTimeout + 5_000

/** An event loop iteration that took no longer did nothing but poll for connections. */
const idleTurnMs = 0.1

/** Longest wait for such an iteration. */
export const restlessMs = 1_000

/** @param nowMs monotonic clock in fractions of a millisecond */
export function gracefulStop(answer: RequestListener, nowMs: () => number): GracefulStop {
  let stopping = false
  let shut = false
  const unanswered = new Set<ServerResponse>()
  return {
    listener(request, response) {
      unanswered.add(response)
      response.once('close', () => unanswered.delete(response))
      if (shut) response.setHeader('Connection', 'close')
      // Load balancers on a kept connection learn here to send requests elsewhere.
      if (stopping && request.url === '/readyz') {
        response.writeHead(503, {
          ...baseHeaders(false),
          'Content-Type': 'text/plain; charset=UTF-8',
          'Cache-Control': 'no-store',
        })
        response.end('the shop is stopping\n')
        return
      }
      answer(request, response)
    },
    async stop(server, patienceMs, noticeMs = 0) {
      stopping = true
      if (noticeMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, noticeMs))
        await waitForEmptyAcceptQueue(server, nowMs)
      }
      // Not earlier: a proxy whose connections were closed would open new ones, which might be reset at the moment of
      // closing.
      shut = true
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close')
      const ended = new Promise<void>((resolve) => {
        if (patienceMs === 0) server.close(() => resolve())
        // Node's `close` would cut idle connections at once: a client that writes at that moment loses its request.
        else Listening.prototype.close.call(server, () => resolve())
      })
      const allEnded = Promise.all([ended, closeListeners(server)])
      if (patienceMs === 0) server.closeIdleConnections()
      const later = [
        setTimeout(() => server.closeIdleConnections(), patienceMs),
        setTimeout(() => server.closeAllConnections(), patienceMs === 0 ? 5_000 : utmostMs),
      ]
      for (const timer of later) timer.unref()
      await allEnded
      for (const timer of later) clearTimeout(timer)
      // Node's timer for slow senders would keep the process alive.
      server.close(() => {})
    },
  }
}

/**
 * Waits until the accept queue is empty: a connection that the kernel has established but the event loop has not
 * accepted is reset when the socket closes, and its request may be lost. An iteration without a connection found the
 * queue empty, and if it was short, hardly any can have arrived since.
 */
async function waitForEmptyAcceptQueue(server: Server, nowMs: () => number): Promise<void> {
  let came = false
  const counted = () => {
    came = true
  }
  server.on('connection', counted)
  const until = nowMs() + restlessMs
  await nextTurn()
  for (let began = nowMs(); began < until; began = nowMs()) {
    came = false
    await nextTurn()
    if (!came && nowMs() - began < idleTurnMs) break
  }
  server.off('connection', counted)
}
