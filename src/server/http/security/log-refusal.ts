import type { Visit } from '../visit.ts'
import { limitPerMinute, redactPath } from './csp-report.ts'
import type { Control } from './security-control.ts'

/** Enough to show what an attacker tries; repeated attempts must not fill the log. */
const linesPerMinute = 30
const turns = new Map<Control, ReturnType<typeof limitPerMinute>>()

/**
 * Logs which control has rejected a request, with the customer's id and the subject. It never logs what was sent, nor
 * parts of the path that may be a number, key or name. Each control has a number of lines per minute; the next line
 * counts the suppressed ones.
 */
export async function recordRefusal(visit: Visit, status: number): Promise<void> {
  const refusal = visit.refusal ?? (status === 429 ? { control: 'tries' as const, of: '' } : null)
  if (!refusal) return
  const turn = turns.get(refusal.control) ?? limitPerMinute(linesPerMinute)
  turns.set(refusal.control, turn)
  const { passes, heldBack } = turn(visit.now.getTime())
  if (!passes) return
  const { request, requestId, url, app } = visit
  // The request is rejected even if the database cannot name the customer.
  const customerId = await visit.customerId().catch(() => null)
  app.tools.log.warn(
    { ...refusal, requestId, customerId, method: request.method, path: redactPath(url.pathname), unsaid: heldBack },
    'request rejected',
  )
}
