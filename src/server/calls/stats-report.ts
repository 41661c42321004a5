import {
  readOnlineAnswer,
  readOnlineInput,
  readStatisticsAnswer,
  readStatisticsInput,
} from '#contract/calls/read-statistics.ts'
import { statisticsNamespace } from '#contract/statistics-dashboard.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { onlineNow } from '#shop/statistics-report.ts'
import { periodText } from '#web/parts/statistics/report-dates.ts'
import { renderReport } from '#web/statistics/render-report.tsx'
import { refuse } from '../answer-call.ts'
import type { Application } from '../application.ts'
import { defineCall } from '../call.ts'
import { readDashboard } from '../read-dashboard.ts'
import type { Visit } from '../visit.ts'

const policy = {
  namespace: statisticsNamespace,
  door: 'rest',
  method: 'GET',
  output: 'json',
  identity: 'shop-manager',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
} as const

/** `GET vitrine/v1/statistics`: a period of the merchant's page, as figures and as the page shows it. */
export const statsReportCall = defineCall({
  ...policy,
  name: 'statistics',
  input: readStatisticsInput,
  async answer(visit, asked) {
    const refused = await refusedFor(visit)
    if (refused) return refused
    const app = inLanguage(visit.app, asked.language)
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

/** `GET vitrine/v1/statistics/online`: who is in the shop now. */
export const statsOnlineNowCall = defineCall({
  ...policy,
  name: 'statistics/online',
  input: readOnlineInput,
  async answer(visit, { language }) {
    const refused = await refusedFor(visit)
    if (refused) return refused
    const app = inLanguage(visit.app, language)
    const { n } = await app.shop()
    const { visitors, pages } = await onlineNow(app.tools)
    const text = n(visitors, '%s visitor online now', '%s visitors online now')
    return Response.json(readOnlineAnswer.parse({ visitors, pages, text }))
  },
})

async function refusedFor(visit: Visit): Promise<Response | null> {
  const { customerId, role } = await visit.session()
  if (role !== null && mayActAs(role, 'shop_manager')) return null
  const status = customerId === null ? 401 : 403
  return refuse({ door: 'rest' }, status, 'rest_forbidden', 'Sorry, you are not allowed to do that.')
}

/** The call's own address has no language; one that the shop does not speak is as if none were named. */
function inLanguage(app: Application, tag: string | undefined): Application {
  return tag !== undefined && app.languages().some((known) => known.tag === tag) ? app.inLanguage(tag) : app
}
