import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { sha256 } from '../shared/digest.ts'

/**
 * Returns the idempotency key of one press on "pay" on one confirmation screen. It derives from session, cart and
 * number of purchases: tabs, reload, Back button and double click share one intention; a second purchase has another.
 */
export function intentionOf({ id, state }: VisitSession, cartHash: string): string {
  return sha256(`intention:${id}:${state.generation}:${cartHash}`).slice(0, 32)
}
