import {
  newCustomers,
  type SalesRow,
  type SoldProduct,
  salesParts,
  topSellers,
} from '#database/statistics/rest-reports.ts'
import { addDays, daysOf } from '#domain/statistics/report-period.ts'
import { localTime } from '../shared/local-time.ts'
import type { Tools } from '../shared/tools.ts'
import { startOfDay } from './read-sales.ts'

export type ReportPeriodName = 'week' | 'month' | 'last_month' | 'year'
type Days = { readonly from: string; readonly to: string }
type ReportTools = Pick<Tools, 'db' | 'settings'>

/** Longest period of a report by days: beyond it there is one entry for each month. */
const mostDays = 366

/**
 * Returns the days of a period, both included, in the shop's time zone.
 * @param chosen replaces the period where both days are given, or the first of them
 */
export function reportDays(
  name: ReportPeriodName,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Days {
  const today = localTime(now, timeZone).slice(0, 10)
  if (from !== undefined || to !== undefined) {
    const last = to ?? today
    const first = from ?? last
    return first <= last ? { from: first, to: last } : { from: last, to: first }
  }
  const firstOfMonth = `${today.slice(0, 7)}-01`
  switch (name) {
    case 'week':
      return { from: addDays(today, -6), to: today }
    case 'month':
      return { from: firstOfMonth, to: today }
    case 'last_month': {
      const last = addDays(firstOfMonth, -1)
      return { from: `${last.slice(0, 7)}-01`, to: last }
    }
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today }
  }
}

/** Figures of a day, a month or a period; amounts in minor units of the shop's currency. */
export type SalesFigures = Omit<SalesRow, 'day'> & { readonly customers: number }

export type SalesReport = {
  readonly groupedBy: 'day' | 'month'
  /** By day `2026-05-10` or month `2026-05`, those without sales included. */
  readonly groups: ReadonlyMap<string, SalesFigures>
  readonly total: SalesFigures
}

const nothing: SalesFigures = {
  orders: 0,
  items: 0,
  revenue: 0,
  tax: 0,
  shipping: 0,
  discount: 0,
  refunds: 0,
  customers: 0,
}

const sumOf = (a: SalesFigures, b: SalesFigures): SalesFigures => ({
  orders: a.orders + b.orders,
  items: a.items + b.items,
  revenue: a.revenue + b.revenue,
  tax: a.tax + b.tax,
  shipping: a.shipping + b.shipping,
  discount: a.discount + b.discount,
  refunds: a.refunds + b.refunds,
  customers: a.customers + b.customers,
})

/** @param currency the shop's own */
export async function readSalesReport(
  { db, settings: { timeZone } }: ReportTools,
  currency: string,
  days: Days,
  name?: ReportPeriodName,
): Promise<SalesReport> {
  const period = { ...instantsOf(days, timeZone), timeZone, currency }
  const [rows, opened] = await Promise.all([salesParts(db.kysely, period), newCustomers(db.kysely, period)])
  const all = daysOf(days)
  const groupedBy = name === 'year' || all.length > mostDays ? 'month' : 'day'
  const groupOf = (day: string) => (groupedBy === 'day' ? day : day.slice(0, 7))
  const groups = new Map(all.map((day) => [groupOf(day), nothing]))
  const add = (day: string, figures: SalesFigures) => {
    const group = groupOf(day)
    groups.set(group, sumOf(groups.get(group) ?? nothing, figures))
  }
  for (const { day, ...figures } of rows) add(day, { ...figures, customers: 0 })
  for (const { day, customers } of opened) add(day, { ...nothing, customers })
  return { groupedBy, groups, total: [...groups.values()].reduce(sumOf, nothing) }
}

const mostSellers = 12

/** Returns the best-selling products of a period, at most twelve. @param currency the shop's own */
export function readTopSellers(
  { db, settings: { timeZone } }: ReportTools,
  currency: string,
  days: Days,
): Promise<readonly SoldProduct[]> {
  return topSellers(db.kysely, { ...instantsOf(days, timeZone), currency }, mostSellers)
}

/** The end is exclusive. */
const instantsOf = ({ from, to }: Days, timeZone: string) => ({
  from: startOfDay(from, timeZone),
  to: startOfDay(addDays(to, 1), timeZone),
})
