import { bucketUnit } from '#contract/statistics/dashboard.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import type { StatisticsReport } from '#shop/statistics/read-statistics.ts'
import type { TrafficPoint } from './traffic-chart.tsx'

/** Days are dates of the shop's calendar, so they are formatted in UTC. */
const timeZone = 'UTC'
const instant = (day: string) => new Date(`${day}T00:00:00Z`)

const formats = new Map<string, Intl.DateTimeFormat>()

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone })
  formats.set(key, made)
  return made
}

/** Formats a period in a language: 3 – 22 November 2026. */
export function periodText(language: string, { from, to }: { from: string; to: string }): string {
  const whole = format(language, { day: 'numeric', month: 'long', year: 'numeric' })
  return from === to ? whole.format(instant(from)) : whole.formatRange(instant(from), instant(to))
}

/** Formats an hour of a day: 3 PM, 15 Uhr. */
export function hourText(language: string, hour: number): string {
  return format(language, { hour: 'numeric' }).format(new Date(Date.UTC(2000, 0, 1, hour)))
}

/** The calendar days of one position of a chart. */
export type Bucket = {
  readonly days: readonly string[]
  readonly label: string
  readonly short: string
  /** Incomplete: not over yet, or cut off at the start of the period. */
  readonly unfinished: boolean
}

/** Returns days, or weeks counted back from the last day. */
export function bucketsOf(language: string, report: Pick<StatisticsReport, 'period' | 'days' | 'today'>): Bucket[] {
  const short = format(language, { day: 'numeric', month: 'short' })
  if (bucketUnit(report.period) !== 'week') {
    const long = format(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    return report.days.map(({ day }) => ({
      days: [day],
      label: long.format(instant(day)),
      short: short.format(instant(day)),
      unfinished: day === report.today,
    }))
  }
  const weeks: Bucket[] = []
  for (let last = report.days.length - 1; last >= 0; last -= 7) {
    const days = report.days.slice(Math.max(0, last - 6), last + 1).map(({ day }) => day)
    const [from = '', to = ''] = [days[0], days.at(-1)]
    weeks.unshift({
      days,
      label: periodText(language, { from, to }),
      short: short.format(instant(from)),
      unfinished: days.length < 7 || to === report.today,
    })
  }
  return weeks
}

/** Returns the points of the large chart: hours of a single day, days, or weeks. */
export function trafficPoints(
  language: string,
  report: Pick<StatisticsReport, 'period' | 'days' | 'hours' | 'today'>,
  hourNow: number,
): TrafficPoint[] {
  if (bucketUnit(report.period) === 'hour') {
    const isToday = report.period.to === report.today
    return report.hours.map(({ hour, visitors, views }) => {
      const text = hourText(language, hour)
      const ahead = isToday && hour > hourNow
      return {
        label: text,
        short: text,
        visitors: ahead ? null : visitors,
        views: ahead ? null : views,
        unfinished: isToday && hour === hourNow,
      }
    })
  }
  const byDay = new Map(report.days.map((figures) => [figures.day, figures]))
  return bucketsOf(language, report).map(({ days, label, short, unfinished }) => {
    const sum = (of: 'visitors' | 'views') => days.reduce((all, day) => all + (byDay.get(day)?.[of] ?? 0), 0)
    return { label, short, visitors: sum('visitors'), views: sum('views'), unfinished }
  })
}

/** Returns the first and last selectable day. */
export function choosableDays(report: Pick<StatisticsReport, 'since' | 'today'>): { min: string; max: string } {
  return { min: report.since ?? addDays(report.today, -30), max: report.today }
}
