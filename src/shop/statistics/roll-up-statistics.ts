import { isRollUpDue, rollUp } from '#database/statistics/statistics-rollup.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import { fewestSearchers } from '#domain/statistics/visit-limits.ts'
import type { Tools } from '../shared/tools.ts'
import { shopHours } from './shop-hours.ts'

/** Number of distinct values kept per dimension of a day and of a month. Rarer ones form one row. */
const mostValues = 1_000

/**
 * Keeps the statistics small and anonymous: visitor ids are deleted at the end of the following day, past months are
 * summed, and data older than the merchant's limit is deleted. Does nothing in the minutes between.
 * @returns whether anything was done
 */
export async function rollUpStatistics({
  db,
  clock,
  settings,
}: Pick<Tools, 'db' | 'clock' | 'settings'>): Promise<boolean> {
  const { day } = shopHours(() => settings)(clock.now())
  const limits = {
    keptFrom: addDays(day, -1),
    countedFrom: monthsBefore(day, settings.statistics.keepMonths),
    mostValues,
    fewestSearchers,
  }
  return (await isRollUpDue(db, limits)) && (await rollUp(db, limits))
}

/** Returns the first day of the month that many months before a day. */
function monthsBefore(day: string, months: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - months)
  return at.toISOString().slice(0, 10)
}
