import { dayIn } from '#contract/import/product-csv-cells.ts'
import { type SalesDay, salesByDay } from '#database/statistics/sales-figures.ts'
import { addDays } from '#domain/statistics/report-period.ts'
import type { Tools } from '../shared/tools.ts'

export type SalesFigures = {
  readonly orders: number
  /** In minor units of the shop's currency: paid and not refunded. */
  readonly revenue: number
  /** Days without an order are left out. */
  readonly days: readonly SalesDay[]
}

/**
 * @param currency the shop's own, in which revenue is summed
 * @param period days in the shop's time zone, both included
 */
export async function readSales(
  { db, settings }: Pick<Tools, 'db' | 'settings'>,
  currency: string,
  period: { readonly from: string; readonly to: string },
): Promise<SalesFigures> {
  const { timeZone } = settings
  const days = await salesByDay(db.kysely, {
    from: startOfDay(period.from, timeZone),
    to: startOfDay(addDays(period.to, 1), timeZone),
    timeZone,
    currency,
  })
  const sum = (of: (day: SalesDay) => number) => days.reduce((all, day) => all + of(day), 0)
  return { orders: sum(({ orders }) => orders), revenue: sum(({ revenue }) => revenue), days }
}

/** @param day `2026-11-22`, in the shop's time zone */
export function startOfDay(day: string, timeZone: string): Date {
  const read = dayIn(day, 'start', timeZone)
  if ('problem' in read) throw new Error(`${day} ${read.problem}`)
  return read.value
}
