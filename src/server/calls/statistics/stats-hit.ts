import { type StatsHitAnswer, statsHitInput } from '#contract/statistics/stats-hit.ts'
import type { Visit } from '../../http/visit.ts'
import { campaignQuery, isServerCounting, visitSender } from '../../statistics/page-views.ts'
import { defineCall } from '../shared/define-call.ts'

/**
 * `GET /api/stats/hit`, or any address with `wp_statistics_hit`: counts a view of a page that may be cached. Counting
 * runs in the background, and an ignored visitor gets the same status. It reads and sets no cookies.
 */
export const statsHitCall = defineCall({
  name: 'stats/hit',
  namespace: 'api',
  door: 'rest',
  method: 'GET',
  alsoMethods: ['POST'],
  input: statsHitInput,
  output: 'json',
  identity: 'anyone',
  // No visible state depends on it.
  idempotency: 'safe',
  load: 'statistics',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  async answer(visit, { search_query, ...page }) {
    const { settings } = visit.app.tools
    if (!settings.statistics.enabled)
      return answer({ status: false, exclusion: false, message: 'Visits are not counted.' })
    if (isServerCounting(settings)) {
      return answer({ status: false, exclusion: false, message: 'Pages are counted when they are handed out.' })
    }
    const query = await campaignOf(visit)
    const result = visit.app.statistics.view(visitSender(visit), { ...page, search: search_query, query, staff: false })
    return answer({
      status: true,
      exclusion: result.counted ? false : { exclusion_match: 'yes', exclusion_reason: result.exclusion },
      message: result.counted ? 'The visit was counted.' : 'The visit was not counted.',
    })
  },
})

/** Returns the campaign parameters as encoded in the page's address. */
async function campaignOf(visit: Visit): Promise<string> {
  const told = visit.request.url.split('?', 2)[1] ?? ''
  if (visit.request.method !== 'POST') return campaignQuery(told)
  const posted = Object.entries(await visit.fields()).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [],
  )
  return campaignQuery([told, ...posted].join('&'))
}

function answer({
  status,
  exclusion,
  message,
}: {
  status: boolean
  exclusion: StatsHitAnswer['data']['exclusion']
  message: string
}): Response {
  return Response.json({ status, data: { exclusion }, message } satisfies StatsHitAnswer)
}
