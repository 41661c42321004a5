/** A day of the shop's calendar as `2026-11-22`. Such texts sort and compare like the days. */
type Day = string

export const periodNames = ['today', 'yesterday', '7-days', '30-days', '90-days', '12-months'] as const
export type PeriodName = (typeof periodNames)[number]

/** The period of a report: both days are included. */
export type ReportPeriod = {
  /** `chosen`: from and to were given. */
  readonly name: PeriodName | 'chosen'
  readonly from: Day
  readonly to: Day
}

const lengths: Readonly<Record<PeriodName, number>> = {
  today: 1,
  yesterday: 1,
  '7-days': 7,
  '30-days': 30,
  '90-days': 90,
  // Whole weeks, so that the first week is complete.
  '12-months': 52 * 7,
}

/** Longer than the retention of all data, including leap days. */
const longestDays = 800

/**
 * Returns the requested period. An invalid pair of days, or an unknown name, yields the last 30 days; days in the wrong
 * order are swapped, and the future is cut off.
 * @param asked query parameters
 * @param today in the shop's time zone
 */
export function reportPeriod(
  asked: {
    readonly period?: string | undefined
    readonly from?: string | undefined
    readonly to?: string | undefined
  },
  today: Day,
): ReportPeriod {
  const [first, second] = [asked.from, asked.to].filter((day) => day !== undefined && isDay(day)) as Day[]
  if (first !== undefined && second !== undefined) {
    const [early, late] = first <= second ? [first, second] : [second, first]
    const to = late > today ? today : late
    const from = early > to ? to : early
    const earliest = addDays(to, 1 - longestDays)
    return { name: 'chosen', from: from < earliest ? earliest : from, to }
  }
  const name = periodNames.find((known) => known === asked.period) ?? '30-days'
  const to = name === 'yesterday' ? addDays(today, -1) : today
  return { name, from: addDays(to, 1 - lengths[name]), to }
}

/** Returns the period of the same length that ends the day before. */
export function periodBefore({ from, to }: Pick<ReportPeriod, 'from' | 'to'>): { from: Day; to: Day } {
  const length = daysBetween(from, to) + 1
  return { from: addDays(from, -length), to: addDays(from, -1) }
}

/** Returns every day of a period. */
export function daysOf({ from, to }: Pick<ReportPeriod, 'from' | 'to'>): readonly Day[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, place) => addDays(from, place))
}

/** Calculates by calendar only: no daylight saving time is involved. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)
}

const dayMs = 86_400_000

/** Returns true if the calendar has that day: there is no 30 February. */
function isDay(text: string): boolean {
  if (!/^(?:19|20)\d{2}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
