/**
 * Says what comes again and again at most once in a while: the first at once, and later how many there were since.
 * @param say `times` counts this one and those that nobody was told of
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
