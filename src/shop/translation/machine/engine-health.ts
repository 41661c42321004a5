import type { MachineState } from '#contract/translation/machine-answers.ts'
import type { MachineTrouble } from './translation-engine.ts'

/** After this many consecutive failures an engine is paused. */
const failuresToOpen = 5
export const pauseMs = 5 * 60_000
const firstDelayMs = 5_000
/** Longest pause, also if the server requests a longer one. */
const longestDelayMs = 60 * 60_000

export type Held =
  /** No restriction: it may be called. */
  | { readonly held: false }
  /** After failures: not before `until`. */
  | { readonly held: 'pause'; readonly until: Date }
  /** The account's quota is used up today. */
  | { readonly held: 'quota' }

/** @param day as the shop counts days */
export function pauseReason(state: MachineState, engine: string, now: Date, day: string): Held {
  if (state.engine !== engine) return { held: false }
  if (state.exhaustedOn === day) return { held: 'quota' }
  const { notBefore } = state
  if (!notBefore || now >= notBefore) return { held: false }
  // A clock set back must not extend the pause by the length of the jump.
  if (notBefore.getTime() - now.getTime() > longestDelayMs) return { held: false }
  return { held: 'pause', until: notBefore }
}

export function stateAfterSuccess(engine: string, before: MachineState, now: Date): MachineState {
  return {
    ...(before.engine === engine ? before : fresh(engine)),
    failures: 0,
    notBefore: null,
    exhaustedOn: null,
    fault: '',
    lastCallAt: now,
  }
}

/** @param fraction between 0 and 1: a jitter, so that several shops do not call one server at the same time */
export function stateAfterFailure(
  engine: string,
  before: MachineState,
  trouble: MachineTrouble,
  { now, day, fraction, pair }: { now: Date; day: string; fraction: number; pair: string },
): MachineState {
  const known = before.engine === engine ? before : fresh(engine)
  const state = { ...known, fault: `${trouble.kind}: ${trouble.reason}`.slice(0, 200), lastCallAt: now }
  if (trouble.kind === 'quota') return { ...state, failures: 0, notBefore: null, exhaustedOn: day }
  if (trouble.kind === 'language') {
    const unspoken = known.unspokenOn === day ? known.unspoken : []
    return { ...state, failures: 0, notBefore: null, unspoken: [...new Set([...unspoken, pair])], unspokenOn: day }
  }
  // The engine responds: it refuses only these texts.
  if (trouble.kind === 'refused') return { ...state, failures: 0, notBefore: null }
  // A rejected key is not fixed within seconds.
  const failures = trouble.kind === 'key' ? Math.max(failuresToOpen, known.failures + 1) : known.failures + 1
  const delay =
    failures >= failuresToOpen ? pauseMs : Math.round(firstDelayMs * 2 ** (failures - 1) * (0.75 + fraction / 2))
  const wait = Math.min(longestDelayMs, Math.max(delay, trouble.retryAfterMs ?? 0))
  return { ...state, failures, notBefore: new Date(now.getTime() + wait) }
}

/** Returns true if an engine has refused a language pair today. */
export function isUnsupportedPair(state: MachineState, engine: string, pair: string, day: string): boolean {
  return state.engine === engine && state.unspokenOn === day && state.unspoken.includes(pair)
}

/** Returns true if the circuit is open after many failures. */
export function isOpen(state: MachineState, engine: string, now: Date): boolean {
  return (
    state.engine === engine && state.failures >= failuresToOpen && state.notBefore !== null && now < state.notBefore
  )
}

const fresh = (engine: string): MachineState => ({
  engine,
  failures: 0,
  notBefore: null,
  exhaustedOn: null,
  fault: '',
  lastCallAt: null,
  unspoken: [],
  unspokenOn: '',
})

/** Returns the current day in the shop's time zone: 2026-05-12. */
export function dayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}
