/**
 * Throttles a repeated log message: the first is logged at once, later ones at most once per interval with their count.
 * @param say `times` counts this message and the suppressed ones
 */
export function throttledLog<Facts>(
  everyMs: number,
  nowMs: () => number,
  say: (facts: Facts, times: number) => void,
): (facts: Facts) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  let times = 0
  return (facts) => {
    times += 1
    const now = nowMs()
    if (now - saidAt < everyMs) return
    saidAt = now
    say(facts, times)
    times = 0
  }
}
