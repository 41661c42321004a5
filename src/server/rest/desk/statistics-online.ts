import { readOnlineAnswer, readOnlineInput } from '#contract/statistics/read-statistics.ts'
import { onlineNow } from '#shop/statistics/read-statistics.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { dashboardPolicy, dashboardView, refusedDashboard } from './statistics-policy.ts'

/** `GET vitrine/v1/statistics/online`: returns the visitors online now. */
export const statsOnlineNowCall = defineCall({
  ...dashboardPolicy,
  name: 'statistics/online',
  input: readOnlineInput,
  description: {
    summary: 'Count the visitors online now',
    tag: 'statistics',
    query: readOnlineInput,
    response: readOnlineAnswer,
  },
  async answer(visit, { language }) {
    const refused = await refusedDashboard(visit)
    if (refused) return refused
    const app = dashboardView(visit.app, language)
    const { n } = await app.shop()
    const { visitors, pages } = await onlineNow(app.tools)
    const text = n(visitors, '%s visitor online now', '%s visitors online now')
    return Response.json(readOnlineAnswer.parse({ visitors, pages, text }))
  },
})
