import { isRecord } from '../../../runtime/request.ts'

/**
 * `window.wc.customPlaceOrderButton`, which third-party checkout scripts expect at their start. Registrations are
 * stored until the implementation is loaded.
 */

type Register = (method: unknown, button: unknown) => void

const waiting = Symbol('registrations')
type Waiting = { readonly early: Parameters<Register>[]; take?: Register }

export function offerCustomButtons(): void {
  const known: unknown = Reflect.get(window, 'wc')
  const wc = isRecord(known) ? known : {}
  const state: Waiting = { early: [] }
  const register: Register = (...args) => void (state.take ? state.take(...args) : state.early.push(args))
  wc.customPlaceOrderButton = { register, [waiting]: state }
  Reflect.set(window, 'wc', wc)
}

/** Passes on stored registrations first, and later ones directly. */
export function takeCustomButtons(take: Register): void {
  const wc: unknown = Reflect.get(window, 'wc')
  const offered = isRecord(wc) && isRecord(wc.customPlaceOrderButton) ? wc.customPlaceOrderButton : {}
  // Proof of the cast: only `offerCustomButtons` can write under this symbol.
  const state = Reflect.get(offered, waiting) as Waiting | undefined
  if (!state) return
  state.take = take
  for (const args of state.early.splice(0)) take(...args)
}
