import { isRollUpDue, rollUp } from '#database/statistics/statistics-rollup.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import { fewestSearchers } from '#domain/statistics/visit-limits.ts'
import type { Tools } from '../shared/tools.ts'
import { shopHours } from './shop-hours.ts'

/** What is told apart in each dimension of a day and of a month. What is rarer is one row. */
const mostValues = 1_000

/**
 * Keeps the statistics small and nameless: single visitors are forgotten when the day after theirs is over, months that are over
 * are summed up, and what is older than the merchant wants is deleted. Nothing else is done in the minutes between.
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

/** The first day of the month so many months before that of a day. */
function monthsBefore(day: string, months: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() - months)
  return at.toISOString().slice(0, 10)
}
