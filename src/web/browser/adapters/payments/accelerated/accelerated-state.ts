/**
 * The state of accelerated checkout for the email address in the form. Results are stored by address, so that a shopper
 * is asked once, and a card never appears beside another person's address.
 */

export type AcceleratedPhase =
  /** No request was made. */
  | 'idle'
  | 'looking'
  /** The provider authenticates its customer. */
  | 'authenticating'
  | 'recognised'
  /** The shopper refused accelerated checkout for this address. */
  | 'cancelled'
  /** The provider does not know the address. */
  | 'stranger'

type Outcome = Extract<AcceleratedPhase, 'recognised' | 'cancelled' | 'stranger'>

export type AcceleratedState = {
  /** Lower case; '' before the first. */
  readonly email: string
  readonly phase: AcceleratedPhase
  /** The shopper started it by a press; else the address was found in the form. */
  readonly asked: boolean
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** `email` is the address of the result: a late result for another address updates only the stored results. */
export type AcceleratedEvent =
  /** The form contains a valid address; `typed` is not looked up before the shopper asks. */
  | { readonly type: 'entered' | 'typed' | 'asked'; readonly email: string }
  /** Results of the look-up. */
  | { readonly type: 'known' | 'unknown'; readonly email: string }
  /** Results of the authentication; `joined` follows a sign-up of an unknown shopper. */
  | { readonly type: 'succeeded' | 'canceled' | 'joined'; readonly email: string }
  /** It failed, and may be retried. */
  | { readonly type: 'failed'; readonly email: string }
  /** The shopper removed the card. */
  | { readonly type: 'dropped' }

/** The next step to run. */
export type AcceleratedStep = 'look-up' | 'authenticate' | 'sign-up'

export const initialAcceleratedState: AcceleratedState = { email: '', phase: 'idle', asked: false, outcomes: new Map() }

export type AcceleratedTransition = { readonly state: AcceleratedState; readonly step?: AcceleratedStep }

export function reduceAccelerated(state: AcceleratedState, event: AcceleratedEvent): AcceleratedTransition {
  if (event.type === 'dropped') return { state: stateWithOutcome(state, state.email, 'cancelled') }
  const email = event.email.toLowerCase()
  const current = email === state.email
  switch (event.type) {
    case 'entered':
      return current && state.phase !== 'idle' ? { state } : stateAfterEntry(state, email)
    case 'typed':
      if (current) return { state }
      return { state: { ...state, email, phase: state.outcomes.get(email) ?? 'idle', asked: false } }
    case 'asked':
      return stateAfterPress(state, email)
    case 'known':
      if (!current || state.phase !== 'looking') return { state }
      return { state: { ...state, phase: 'authenticating' }, step: 'authenticate' }
    case 'unknown': {
      const next = stateWithOutcome(state, email, 'stranger')
      return current && state.asked ? { state: next, step: 'sign-up' } : { state: next }
    }
    case 'succeeded':
    case 'joined':
      return { state: stateWithOutcome(state, email, 'recognised') }
    case 'canceled':
      return { state: stateWithOutcome(state, email, 'cancelled') }
    case 'failed':
      return { state: current ? { ...state, phase: 'idle', asked: false } : state }
  }
}

function stateAfterEntry(state: AcceleratedState, email: string): AcceleratedTransition {
  const outcome = state.outcomes.get(email)
  if (outcome) return { state: { ...state, email, phase: outcome, asked: false } }
  return { state: { ...state, email, phase: 'looking', asked: false }, step: 'look-up' }
}

/** A press starts again, whatever the shopper refused before. */
function stateAfterPress(state: AcceleratedState, email: string): AcceleratedTransition {
  const phase = email === state.email ? state.phase : (state.outcomes.get(email) ?? 'idle')
  const next: AcceleratedState = { ...state, email, asked: true }
  switch (phase) {
    case 'idle':
    case 'cancelled':
      return { state: { ...next, phase: 'looking' }, step: 'look-up' }
    case 'stranger':
      return { state: { ...next, phase }, step: 'sign-up' }
    default:
      return { state: { ...next, phase } }
  }
}

function stateWithOutcome(state: AcceleratedState, email: string, outcome: Outcome): AcceleratedState {
  const outcomes = new Map([...state.outcomes, [email, outcome]])
  return email === state.email ? { ...state, phase: outcome, asked: false, outcomes } : { ...state, outcomes }
}
