import type { LoadClass } from '../../calls/shared/define-call.ts'

/** Clock and event loop delay of the process. The clock is monotonic. */
export type Pulse = {
  /** Milliseconds since an arbitrary moment. */
  nowMs(): number
  /** Event loop delay since the last call, in milliseconds. */
  takeDelayMs(): number
}

export type LoadLimiter = {
  /** Checks whether a request of this class is admitted now. `begin` and `end` count admitted ones. */
  admits(wanted: LoadClass): boolean
  begin(): void
  end(): void
  /** Expected queueing delay of a new request in milliseconds; 0 without overload. */
  expectedWaitMs(): number
  /** Number of requests in progress, without those that wait for other servers. */
  queued(): number
}

/**
 * Expected delay in milliseconds from which a class is shed: optional requests go first, and a started checkout
 * continues last. Below the highest limit a visitor gets a response in about a second.
 */
export const maxWaitMsByClass: Readonly<Record<LoadClass, number>> = {
  statistics: 150,
  translation: 200,
  'anonymous-page': 300,
  'personal-page': 500,
  cart: 800,
  checkout: 5_000,
}

/** A class is admitted again at this share of its limit, to avoid oscillation. */
const reopensAt = 0.7

/** Up to this number, concurrent requests are not a queue, however long each takes. */
const usual = 24
/** Assumed rate until the shop was measured at its limit; a sudden peak is measured while it is served. */
const presumedPerSecond = 300
const leastPerSecond = 10
/** Long enough that a short pause of a shared machine does not look like a slow one. */
const windowMs = 1_000

/**
 * Estimates the queueing delay: requests in progress divided by the rate at which they finish. Requests that wait for
 * other servers occupy nothing, and do not count.
 * @param outside number of outgoing calls in progress
 */
export function createLoadLimiter({ pulse, outside = () => 0 }: { pulse: Pulse; outside?: () => number }): LoadLimiter {
  let atWork = 0
  let finished = 0
  let fewest = 0
  let since = pulse.nowMs()
  let perSecond = presumedPerSecond
  let delayMs = 0
  const shut = new Set<LoadClass>()

  const queued = () => Math.max(0, atWork - outside())
  const look = () => {
    const elapsed = pulse.nowMs() - since
    if (elapsed < windowMs) return
    // A window with an empty queue was not at the limit, so it does not measure the rate.
    const busy = fewest > usual
    perSecond = busy ? Math.max(leastPerSecond, (perSecond + (finished * 1000) / elapsed) / 2) : presumedPerSecond
    delayMs = pulse.takeDelayMs()
    since += elapsed
    finished = 0
    fewest = queued()
  }
  const expectedWaitMs = () => {
    look()
    const waiting = queued()
    return waiting > usual ? (waiting / perSecond) * 1000 + delayMs : 0
  }
  return {
    admits(wanted) {
      const wait = expectedWaitMs()
      const most = maxWaitMsByClass[wanted]
      if (shut.has(wanted) ? wait > most * reopensAt : wait > most) {
        shut.add(wanted)
        return false
      }
      shut.delete(wanted)
      return true
    },
    begin() {
      atWork += 1
    },
    end() {
      atWork -= 1
      finished += 1
      fewest = Math.min(fewest, queued())
    },
    expectedWaitMs,
    queued,
  }
}
