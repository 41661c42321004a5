import { readStatisticsAnswer, readStatisticsInput } from '#contract/statistics/read-statistics.ts'
import { periodText } from '#web/parts/statistics/report-dates.ts'
import { renderReport } from '#web/statistics/render-report.tsx'
import { defineCall } from '../../calls/shared/define-call.ts'
import { readDashboard } from '../../statistics/read-dashboard.ts'
import { dashboardPolicy, dashboardView, refusedDashboard } from './statistics-policy.ts'

/** `GET vitrine/v1/statistics`: returns a period of the statistics, as figures and as markup. */
export const statsReportCall = defineCall({
  ...dashboardPolicy,
  name: 'statistics',
  input: readStatisticsInput,
  description: {
    summary: 'Read the statistics of a period',
    tag: 'statistics',
    query: readStatisticsInput,
    response: readStatisticsAnswer,
  },
  async answer(visit, asked) {
    const refused = await refusedDashboard(visit)
    if (refused) return refused
    const app = dashboardView(visit.app, asked.language)
    const facts = await readDashboard(app, asked)
    const { period, report, sales, currency } = facts
    return Response.json(
      readStatisticsAnswer.parse({
        period,
        text: periodText(app.language.tag, period),
        totals: report.totals,
        days: report.days,
        sales: { orders: sales.orders, revenue: sales.revenue, currency },
        html: renderReport(await app.shop(), facts),
      }),
    )
  },
})
