import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as Listening } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectionLimits } from '../../http/connection-limits.ts'
import { closeListeners } from '../../http/listeners.ts'
import { baseHeaders } from '../../http/security/security-headers.ts'

export type GracefulStop = {
  /** Takes the place of the listener: once the door is shut, every answer says that the connection ends with it. */
  readonly listener: RequestListener
  /**
   * Takes no new connections, answers on those that are open, and resolves when the last of them has ended.
   * @param patienceMs how long a connection without a request may stay: its client may be about to send one. 0: not at all
   * @param noticeMs how long before that `/readyz` already says so and everybody is still let in. Who calls in the very moment
   *   in which the door is shut is lost with what they asked for: whoever asks there sends nobody any more by then, and for
   *   those who do not the moment is a short one
   */
  stop(server: Server, patienceMs: number, noticeMs?: number): Promise<void>
}

/** By then a balancer that asks for `/readyz` every second sends nobody here any more. */
export const usualNoticeMs = 2_000

/** By then a client that keeps its connection has seen it closed by the usual timeout, which it expects. */
export const usualIdleMs = connectionLimits.keepAliveTimeout + 2_000

/** How long at most the door is shut before every connection is cut: longer than any request may take. */
export const utmostMs = connectionLimits.requestTimeout + 5_000

/** A turn of the event loop that took no longer did nothing but look who comes. */
const idleTurnMs = 0.1

/** How long at most such a turn is waited for. */
export const restlessMs = 1_000

/** @param nowMs in fractions of a millisecond, from whenever */
export function gracefulStop(answer: RequestListener, nowMs: () => number): GracefulStop {
  let stopping = false
  let shut = false
  const unanswered = new Set<ServerResponse>()
  return {
    listener(request, response) {
      unanswered.add(response)
      response.once('close', () => unanswered.delete(response))
      if (shut) response.setHeader('Connection', 'close')
      // A balancer that keeps its connection learns here that it is to ask elsewhere.
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
        await nobodyBeforeTheDoor(server, nowMs)
      }
      // Not before: a proxy whose connections were ended would come with new ones, each of which may meet the door as it is shut.
      shut = true
      for (const response of unanswered) if (!response.headersSent) response.setHeader('Connection', 'close')
      const ended = new Promise<void>((resolve) => {
        if (patienceMs === 0) server.close(() => resolve())
        // The server's own way would cut idle connections at once: a client that writes at that moment loses its request.
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
      // Its timer for slow senders would keep the process alive.
      server.close(() => {})
    },
  }
}

/**
 * A connection that the kernel has made and the event loop has not yet taken is reset with the door, and its request may be gone
 * with it. A turn of the loop in which none came found none waiting, and when it was short none has had the time to come since.
 */
async function nobodyBeforeTheDoor(server: Server, nowMs: () => number): Promise<void> {
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
