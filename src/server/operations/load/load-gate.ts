import type { IncomingMessage } from 'node:http'
import { Counter } from 'prom-client'
import type { Network } from '#contract/shared/environment.ts'
import { ownCopy } from '#shop/shared/copy-string.ts'
import type { LoadClass } from '../../calls/shared/define-call.ts'
import { claimedDevice } from '../../rest/store/shared/cart-token.ts'
import { metrics } from '../metrics/metrics-registry.ts'
import type { Application } from '../startup/application.ts'
import { busyAnswer } from './busy-answer.ts'
import { loadOf, type RequestLoad } from './load-class.ts'
import { createLoadLimiter, type LoadLimiter, maxWaitMsByClass, type Pulse } from './load-limiter.ts'

const shed = new Counter({
  name: 'vitrine_requests_shed_total',
  help: 'Requests that were turned away because the shop had too much to do, by how soon their kind is',
  labelNames: ['class'],
  registers: [metrics],
})
// Initializes every class to 0: the alert then fires at the first rejected checkout, not at the second.
for (const load of Object.keys(maxWaitMsByClass)) shed.inc({ class: load }, 0)

/** Load shedding: admits requests, or rejects them with a time to retry. */
export type LoadGate = {
  /** Calls `answer`, unless the load is too high for this class of request. */
  through(incoming: IncomingMessage, answer: () => Promise<Response>): Promise<Response>
  /** True if so many requests are in progress that background work should wait a moment. */
  isBusy(): boolean
}

/** A shop without overload has one or two requests in progress. */
const few = 4

export function createLoadGate(app: Application, pulse: Pulse, outside: () => number): LoadGate {
  const limiter = createLoadLimiter({ pulse, outside })
  const begun = checkoutSessions(() => pulse.nowMs())
  return {
    isBusy: () => limiter.queued() > few,
    async through(incoming, answer) {
      const { method = 'GET', url = '/' } = incoming
      const asked = await loadOf(app, method, url)
      if (asked.load === 'never') return answer()
      const session = sessionOf(incoming.headers.cookie, app.sessionCookie) ?? deviceOf(incoming.headers['cart-token'])
      const load = weight(asked, asked.load, session !== null && begun.has(session), session !== null)
      if (!limiter.admits(load)) {
        shed.inc({ class: load })
        return busyAnswer({ app, asked, address: url, method })
      }
      const end = atWork(limiter, incoming)
      try {
        const response = await answer()
        if (asked.load === 'checkout' && session !== null && isFollowed(response)) begun.add(session)
        return response
      } finally {
        end()
      }
    },
  }
}

/**
 * Returns the load class with knowledge of the session: every request of a started checkout counts as checkout, and
 * beginning a checkout counts no more than having a cart.
 */
function weight({ begins, ofSession }: RequestLoad, load: LoadClass, isUnderWay: boolean, isKnown: boolean): LoadClass {
  if (load === 'checkout') return (begins && !isUnderWay) || (ofSession && !isKnown) ? 'cart' : load
  return isUnderWay && (load === 'cart' || load === 'personal-page') ? 'checkout' : load
}

/**
 * Counts a request while it occupies the shop. The upload of its body does not count, or some dozens of slow senders
 * would fill the shop.
 * @returns the function to call when it is answered
 */
function atWork(limiter: LoadLimiter, incoming: IncomingMessage): () => void {
  let counts = true
  let answered = false
  limiter.begin()
  const { headers } = incoming
  if (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0') {
    setImmediate(() => {
      if (answered || incoming.complete) return
      counts = false
      limiter.end()
      incoming.once('end', () => {
        if (answered) return
        counts = true
        limiter.begin()
      })
    })
  }
  return () => {
    answered = true
    if (counts) limiter.end()
  }
}

/** A rendered page or a successful step: a redirect back to the cart does not begin a checkout. */
const isFollowed = ({ status, headers }: Response) =>
  status < 300 || (status < 400 && !/\/cart\/?(?:\?|$)/.test(headers.get('Location') ?? ''))

type Begun = { has(session: string): boolean; add(session: string): void }

/** As long as a stock reservation of an order. */
const rememberedMs = 30 * 60_000
const most = 20_000

/**
 * Creates a register of sessions in a checkout, as seen by this process. A session from another process is unknown
 * here, but its payments and forms count as checkout anyway.
 */
export function checkoutSessions(nowMs: () => number): Begun {
  const sessions = new Map<string, number>()
  return {
    has(session) {
      const until = sessions.get(session)
      return until !== undefined && until > nowMs()
    },
    add(session) {
      sessions.delete(session)
      // Copied: a slice would keep the whole header in memory for half an hour.
      sessions.set(ownCopy(session), nowMs() + rememberedMs)
      for (const [oldest, until] of sessions) {
        if (sessions.size <= most && until > nowMs()) break
        sessions.delete(oldest)
      }
    },
  }
}

/** Returns the session that a Cart-Token names. Its signature is not checked: it only sets a priority, like a cookie. */
function deviceOf(token: string | string[] | undefined): string | null {
  return typeof token === 'string' ? claimedDevice(token) : null
}

function sessionOf(cookies: string | undefined, name: string): string | null {
  if (!cookies) return null
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (at <= 0 || pair.slice(0, at).trim() !== name) continue
    const token = pair.slice(at + 1).trim()
    return /^[0-9a-f]{64}$/.test(token) ? token : null
  }
  return null
}

/** Wraps a network, and counts its calls in progress. */
export function countedNetwork(network: Network): Network & { underWay(): number } {
  let calls = 0
  return {
    underWay: () => calls,
    async fetch(url, init) {
      calls += 1
      try {
        return await network.fetch(url, init)
      } finally {
        calls -= 1
      }
    },
  }
}
