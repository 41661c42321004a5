import { isRecord } from '../../../runtime/request.ts'

/**
 * `window.wc.customPlaceOrderButton`, which third-party checkout scripts expect at their start. Registrations are
 * stored until the implementation is loaded.
 */

type Register = (method: unknown, button: unknown) => void

const early: Parameters<Register>[] = []
let register: Register = (...args) => early.push(args)

export function offerCustomButtons(): void {
  const known: unknown = Reflect.get(window, 'wc')
  const wc = isRecord(known) ? known : {}
  wc.customPlaceOrderButton = { register: (...args: Parameters<Register>) => register(...args) }
  Reflect.set(window, 'wc', wc)
}

/** Passes on stored registrations first, and later ones directly. */
export function takeCustomButtons(take: Register): void {
  register = take
  for (const args of early.splice(0)) take(...args)
}
