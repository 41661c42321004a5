import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { sha256 } from '../shared/digest.ts'

/**
 * The idempotency key of one press on "pay" on one confirmation screen. It follows from the session, the cart that the
 * screen shows and the number of purchases before: two tabs, a reload, the Back button and a double click all name the
 * same intention, and a second purchase of the same things another one.
 */
export function intentionOf({ id, state }: VisitSession, cartHash: string): string {
  return sha256(`intention:${id}:${state.generation}:${cartHash}`).slice(0, 32)
}
