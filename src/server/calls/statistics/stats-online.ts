import { type StatsOnlineAnswer, statsOnlineInput } from '#contract/statistics/stats-online.ts'
import { visitSender } from '../../statistics/page-views.ts'
import { defineCall } from '../shared/define-call.ts'

/** `GET /api/stats/online`: reports that a counted page is still open. */
export const statsOnlineCall = defineCall({
  name: 'stats/online',
  namespace: 'api',
  door: 'rest',
  method: 'GET',
  input: statsOnlineInput,
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'statistics',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  async answer(visit) {
    const { enabled } = visit.app.tools.settings.statistics
    if (enabled) visit.app.statistics.online(visitSender(visit))
    const message = enabled ? 'The visitor is here.' : 'Visits are not counted.'
    return Response.json({ status: enabled, message } satisfies StatsOnlineAnswer)
  },
})
