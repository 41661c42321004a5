import type { LoadClass } from '../../calls/shared/define-call.ts'

/** How the process does. Its clock is no calendar: it never jumps. */
export type Pulse = {
  /** Milliseconds since some moment. */
  nowMs(): number
  /** By how much the event loop came late since it was last asked, in milliseconds. */
  takeDelayMs(): number
}

export type LoadLimiter = {
  /** Whether a request of this class is let in now. Who is, is counted by `begin` and `end`. */
  admits(wanted: LoadClass): boolean
  begin(): void
  end(): void
  /** How long who comes now would wait, in milliseconds; 0 while the shop keeps up. */
  expectedWaitMs(): number
  /** How many are at work, without those who wait for somebody outside. */
  queued(): number
}

/**
 * From which expected wait on a class is turned away, in milliseconds: what can be left out goes first, and a started checkout
 * goes on when nothing else does. Below the last of them a visitor still sees an answer in about a second.
 */
export const maxWaitMsByClass: Readonly<Record<LoadClass, number>> = {
  statistics: 150,
  translation: 200,
  'anonymous-page': 300,
  'personal-page': 500,
  cart: 800,
  checkout: 5_000,
}

/** A class that was turned away is let in again at this part of its patience, so that the shop does not waver. */
const reopensAt = 0.7

/** So few at work at once are no queue, however long each of them takes. */
const usual = 24
/** What is presumed of the shop until it was seen at its limit; a crowd that comes at once is measured while it is served. */
const presumedPerSecond = 300
const leastPerSecond = 10
/** Long enough that a machine that others use as well, and stands still for a moment, is not taken for a slow one. */
const windowMs = 1_000

/**
 * Weighs what is at work against how much of it is finished in a second: the one divided by the other is how long a newcomer
 * waits, whatever the machine can do. Who waits for somebody outside keeps nobody from being served, and does not count.
 * @param outside calls to others that are under way
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
    // Whoever was without a queue in between was not at the limit, and has shown nothing of it.
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
