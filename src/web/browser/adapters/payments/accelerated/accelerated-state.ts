/**
 * Where accelerated checkout stands with the e-mail address in the form. What an address has come to is kept by address, so
 * that nobody is asked twice, and a card never shows beside somebody else's address.
 */

export type AcceleratedPhase =
  /** Nothing has been asked. */
  | 'idle'
  | 'looking'
  /** The provider asks its customer for a proof. */
  | 'authenticating'
  | 'recognised'
  /** The shopper does not want it with this address. */
  | 'cancelled'
  /** The provider does not know the address. */
  | 'stranger'

type Outcome = Extract<AcceleratedPhase, 'recognised' | 'cancelled' | 'stranger'>

export type AcceleratedState = {
  /** Lower case; '' before the first. */
  readonly email: string
  readonly phase: AcceleratedPhase
  /** The shopper has pressed something for it; else the address was found in the form. */
  readonly asked: boolean
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** `email` is whom an answer is about: late ones about another address change nothing but what is known of it. */
export type AcceleratedEvent =
  /** A valid address stands in the form; `typed` is one that is not to be looked up before somebody asks. */
  | { readonly type: 'entered' | 'typed' | 'asked'; readonly email: string }
  /** Of the look-up. */
  | { readonly type: 'known' | 'unknown'; readonly email: string }
  /** Of the authentication; `joined` is the way of those who were strangers. */
  | { readonly type: 'succeeded' | 'canceled' | 'joined'; readonly email: string }
  /** It did not work, and may be tried again. */
  | { readonly type: 'failed'; readonly email: string }
  /** The card was given back. */
  | { readonly type: 'dropped' }

/** What is to be done next. */
export type AcceleratedStep = 'look-up' | 'authenticate' | 'sign-up'

export const initialAcceleratedState: AcceleratedState = { email: '', phase: 'idle', asked: false, outcomes: new Map() }

export type AcceleratedTransition = { readonly state: AcceleratedState; readonly step?: AcceleratedStep }

export function reduceAccelerated(state: AcceleratedState, event: AcceleratedEvent): AcceleratedTransition {
  if (event.type === 'dropped') return { state: concluded(state, state.email, 'cancelled') }
  const email = event.email.toLowerCase()
  const current = email === state.email
  switch (event.type) {
    case 'entered':
      return current && state.phase !== 'idle' ? { state } : entered(state, email)
    case 'typed':
      if (current) return { state }
      return { state: { ...state, email, phase: state.outcomes.get(email) ?? 'idle', asked: false } }
    case 'asked':
      return asked(state, email)
    case 'known':
      if (!current || state.phase !== 'looking') return { state }
      return { state: { ...state, phase: 'authenticating' }, step: 'authenticate' }
    case 'unknown': {
      const next = concluded(state, email, 'stranger')
      return current && state.asked ? { state: next, step: 'sign-up' } : { state: next }
    }
    case 'succeeded':
    case 'joined':
      return { state: concluded(state, email, 'recognised') }
    case 'canceled':
      return { state: concluded(state, email, 'cancelled') }
    case 'failed':
      return { state: current ? { ...state, phase: 'idle', asked: false } : state }
  }
}

function entered(state: AcceleratedState, email: string): AcceleratedTransition {
  const outcome = state.outcomes.get(email)
  if (outcome) return { state: { ...state, email, phase: outcome, asked: false } }
  return { state: { ...state, email, phase: 'looking', asked: false }, step: 'look-up' }
}

/** Who presses is heard, whatever they have said before. */
function asked(state: AcceleratedState, email: string): AcceleratedTransition {
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

function concluded(state: AcceleratedState, email: string, outcome: Outcome): AcceleratedState {
  const outcomes = new Map([...state.outcomes, [email, outcome]])
  return email === state.email ? { ...state, phase: outcome, asked: false, outcomes } : { ...state, outcomes }
}
