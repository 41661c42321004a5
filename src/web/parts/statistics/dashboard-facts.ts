import type { ReportPeriod } from '#domain/statistics/report-period.ts'
import type { AttributionReport } from '#shop/attribution/attribution-report.ts'
import type { SalesFigures } from '#shop/statistics/read-sales.ts'
import type { OnlineNow, StatisticsReport } from '#shop/statistics/read-statistics.ts'

/** The facts of the merchant's statistics page. */
export type DashboardFacts = {
  readonly period: ReportPeriod
  readonly report: StatisticsReport
  /** In the shop's own currency. */
  readonly sales: SalesFigures
  readonly salesBefore: SalesFigures
  readonly currency: string
  /** Attribution of the orders' last visits. */
  readonly origins: AttributionReport
  /** Titles of known pages, by path. */
  readonly titles: ReadonlyMap<string, string>
  readonly online: OnlineNow
  /** The current hour in the shop's time zone. */
  readonly hour: number
  /** The counting mode of visits. */
  readonly counting: 'off' | 'agreed' | 'everybody'
}
