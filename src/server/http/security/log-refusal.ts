import type { Visit } from '../visit.ts'
import { perMinute, withoutNames } from './csp-report.ts'
import type { Control } from './security-control.ts'

/** Enough to see what somebody is at; the log must not be filled by who tries a thousand times. */
const linesPerMinute = 30
const turns = new Map<Control, ReturnType<typeof perMinute>>()

/**
 * Writes down which control has refused a request: of whom, by the customer's number, and of what. Neither what was sent nor a
 * part of the address that may be a number, key or name. Each control has so many lines in a minute; the next one says how many
 * were left out.
 */
export async function recordRefusal(visit: Visit, status: number): Promise<void> {
  const refusal = visit.refusal ?? (status === 429 ? { control: 'tries' as const, of: '' } : null)
  if (!refusal) return
  const turn = turns.get(refusal.control) ?? perMinute(linesPerMinute)
  turns.set(refusal.control, turn)
  const { passes, heldBack } = turn(visit.now.getTime())
  if (!passes) return
  const { request, requestId, url, app } = visit
  // The refusal stands, whether or not the database says of whom it is.
  const customerId = await visit.customerId().catch(() => null)
  app.tools.log.warn(
    { ...refusal, requestId, customerId, method: request.method, path: withoutNames(url.pathname), unsaid: heldBack },
    'a request was refused',
  )
}
