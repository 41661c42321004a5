import type { IncomingMessage } from 'node:http'
import { Counter } from 'prom-client'
import type { Network } from '#contract/shared/environment.ts'
import { ownCopy } from '#shop/shared/copy-string.ts'
import type { LoadClass } from '../../calls/shared/define-call.ts'
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
// So that the alert rings at the first checkout that is turned away, and not at the second.
for (const load of Object.keys(maxWaitMsByClass)) shed.inc({ class: load }, 0)

/** The door behind which all work is done: who is let in, and who is told to come again. */
export type LoadGate = {
  /** Has `answer` answer, unless the shop has too much to do for a request of this kind. */
  through(incoming: IncomingMessage, answer: () => Promise<Response>): Promise<Response>
  /** Whether so many are being served that what nobody waits for had better wait a moment. */
  isBusy(): boolean
}

/** A shop that keeps up has one or two at work. */
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
      const session = sessionOf(incoming.headers.cookie, app.sessionCookie)
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
 * What a request weighs, once it is known whose it is: all that somebody needs who has begun to check out is checkout, and
 * who only begins is no more than somebody with a cart.
 */
function weight({ begins, ofSession }: RequestLoad, load: LoadClass, isUnderWay: boolean, isKnown: boolean): LoadClass {
  if (load === 'checkout') return (begins && !isUnderWay) || (ofSession && !isKnown) ? 'cart' : load
  return isUnderWay && (load === 'cart' || load === 'personal-page') ? 'checkout' : load
}

/**
 * Counts a request while it keeps the shop busy: not while its sender takes time over the body, else some dozens of slow
 * senders would be a full shop.
 * @returns called when it is answered
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

/** A page that was shown or a step that led on: who was sent back to the cart has not begun. */
const isFollowed = ({ status, headers }: Response) =>
  status < 300 || (status < 400 && !/\/cart\/?(?:\?|$)/.test(headers.get('Location') ?? ''))

type Begun = { has(session: string): boolean; add(session: string): void }

/** As long as what an order takes is held for it. */
const rememberedMs = 30 * 60_000
const most = 20_000

/**
 * Sessions in the middle of a checkout, as this process has seen them. One that comes over from another process is not known
 * here; its payments and forms are checkout all the same.
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
      // Cut out of a header, which may be long, and is not to be kept for half an hour.
      sessions.set(ownCopy(session), nowMs() + rememberedMs)
      for (const [oldest, until] of sessions) {
        if (sessions.size <= most && until > nowMs()) break
        sessions.delete(oldest)
      }
    },
  }
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

/** A network that tells how many of its calls are under way. */
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
