const minuteMs = 60_000
/** Minutes after a payment began at which it is looked up, unless it has come to its end; then every hour. */
const marks = [1, 5, 15, 60] as const

/**
 * Whether a payment under way is to be looked up now. A look that was missed, because the shop was down or busy, is made
 * up for by one, not by many.
 * @param checked the last look, null for none
 */
export function isReconciliationDue(started: Date, checked: Date | null, now: Date): boolean {
  const mark = lastMark(Math.floor((now.getTime() - started.getTime()) / minuteMs))
  return mark !== null && (checked === null || checked.getTime() < started.getTime() + mark * minuteMs)
}

/** The minute of the latest look that should have been made by now. */
function lastMark(minutes: number): number | null {
  if (minutes >= 60) return minutes - (minutes % 60)
  return marks.findLast((mark) => mark <= minutes) ?? null
}
