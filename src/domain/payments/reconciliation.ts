const minuteMs = 60_000
/** Minutes after its start at which an open payment is reconciled; then every hour. */
const checkMinutes = [1, 5, 15, 60] as const

/**
 * Reports whether an open payment is due for reconciliation. Missed checks, while the shop was down or busy, are
 * replaced by one.
 * @param checked the last check, null for none
 */
export function isReconciliationDue(started: Date, checked: Date | null, now: Date): boolean {
  const mark = lastMark(Math.floor((now.getTime() - started.getTime()) / minuteMs))
  return mark !== null && (checked === null || checked.getTime() < started.getTime() + mark * minuteMs)
}

/** Returns the minute of the latest check that is due. */
function lastMark(minutes: number): number | null {
  if (minutes >= 60) return minutes - (minutes % 60)
  return checkMinutes.findLast((mark) => mark <= minutes) ?? null
}
