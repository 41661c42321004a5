import type { ReportPeriod } from '#domain/statistics/report-period.ts'
import type { AttributionReport } from '#shop/attribution/attribution-report.ts'
import type { SalesFigures } from '#shop/statistics/read-sales.ts'
import type { OnlineNow, StatisticsReport } from '#shop/statistics/read-statistics.ts'

/** All that the merchant's page of statistics shows. */
export type DashboardFacts = {
  readonly period: ReportPeriod
  readonly report: StatisticsReport
  /** In the shop's own currency. */
  readonly sales: SalesFigures
  readonly salesBefore: SalesFigures
  readonly currency: string
  /** What the orders' last visits came by. */
  readonly origins: AttributionReport
  /** What the shop calls the pages that it knows, by path. */
  readonly titles: ReadonlyMap<string, string>
  readonly online: OnlineNow
  /** The hour that it is where the shop is. */
  readonly hour: number
  /** Whether visits are counted at all, and of whom. */
  readonly counting: 'off' | 'agreed' | 'everybody'
}
