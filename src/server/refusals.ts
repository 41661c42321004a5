import { perMinute, withoutNames } from './policy-report.ts'
import type { Visit } from './visit.ts'

/** What may stand in the way of a request that is not meant to be. */
export type Control =
  /** It came from another site. */
  | 'origin'
  /** The token of its form did not fit: forged, or simply old. */
  | 'nonce'
  /** It asked for what is the staff's, or a program's without its key. */
  | 'role'
  /** The secret of an order was wrong, or nobody's. */
  | 'order-key'
  /** Its fields were none that the call takes. */
  | 'input'
  /** There were too many tries. */
  | 'tries'

/** Enough to see what somebody is at; the log must not be filled by who tries a thousand times. */
const linesPerMinute = 30
const turns = new Map<Control, ReturnType<typeof perMinute>>()

/**
 * Writes down which control has refused a request: of whom, by the customer's number, and of what. Neither what was sent nor a
 * part of the address that may be a number, key or name. Each control has so many lines in a minute; the next one says how many
 * were left out.
 */
export async function noteRefusal(visit: Visit, status: number): Promise<void> {
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
