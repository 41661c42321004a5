import type { Clock } from '#contract/shared/environment.ts'

export type CircuitBreaker = {
  /** Returns whether a call may be sent. After the pause one call is sent as a probe; its outcome decides. */
  allows(): boolean
  succeeded(): void
  failed(): void
}

const failuresToOpen = 5
const withinMs = 10_000
const pauseMs = 15_000

/** Keeps calls from piling up on a dependency that is down: open after 5 failures in 10 s, half-open after 15 s. */
export function circuitBreaker(clock: Clock): CircuitBreaker {
  let failures: number[] = []
  let openedAt: number | undefined
  let probeSentAt: number | undefined
  const now = () => clock.now().getTime()

  return {
    allows() {
      if (openedAt === undefined) return true
      // Absolute distances: a clock set back must not keep the circuit open for the length of the jump.
      if (Math.abs(now() - openedAt) < pauseMs) return false
      // A probe without a result is abandoned after one more pause.
      if (probeSentAt !== undefined && Math.abs(now() - probeSentAt) < pauseMs) return false
      probeSentAt = now()
      return true
    },
    succeeded() {
      failures = []
      openedAt = undefined
      probeSentAt = undefined
    },
    failed() {
      const at = now()
      failures = [...failures.filter((earlier) => Math.abs(at - earlier) < withinMs), at]
      if (probeSentAt !== undefined || failures.length >= failuresToOpen) {
        openedAt = at
        probeSentAt = undefined
        failures = []
      }
    },
  }
}
