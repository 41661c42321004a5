import { z } from 'zod'
import { policyReport, policyReportBytes } from '#contract/operations/csp-report.ts'
import { BadBody } from '../../http/request/body-limits.ts'
import { parseJson } from '../../http/request/parse-json.ts'
import { readBytes } from '../../http/request/request-body.ts'
import { limitPerMinute, policyBreach } from '../../http/security/csp-report.ts'
import { countPolicyBreach } from '../../operations/metrics/metrics.ts'
import { defineCall } from '../shared/define-call.ts'

/** Every visitor of a manipulated page reports it: the first lines suffice. */
const logged = limitPerMinute(30)
/** Maximum number of reports parsed per minute: a flood costs no more. */
const read = limitPerMinute(1200)

/**
 * `POST /api/policy-report`: counts a violation of the content security policy, and logs it without the visitor's data.
 */
export const policyReportCall = defineCall({
  name: 'policy-report',
  namespace: 'api',
  door: 'rest',
  method: 'POST',
  input: z.object({}),
  body: 'own',
  output: 'empty',
  identity: 'anyone',
  idempotency: 'each-counts',
  load: 'statistics',
  cache: 'private-no-store',
  forgery: { none: 'wire has no nonce' },
  async answer({ app, request, now }) {
    const received = new Response(null, { status: 204 })
    if (!read(now.getTime()).passes) return received
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(request, policyReportBytes))
      const parsed = policyReport.safeParse(parseJson(text))
      const breach = parsed.success ? policyBreach(parsed.data, app.tools.publicUrl) : null
      if (!breach) return new Response(null, { status: 400 })
      countPolicyBreach(breach)
      const turn = logged(now.getTime())
      const { directive, blocked, page } = breach
      if (turn.passes)
        app.tools.log.warn({ directive, blocked, page, unsaid: turn.heldBack }, 'content security policy violation')
      return received
    } catch (error) {
      if (error instanceof BadBody) return new Response(null, { status: error.status })
      if (error instanceof TypeError) return new Response(null, { status: 400 })
      throw error
    }
  },
})
