import { isRecord } from '../../../runtime/request.ts'

/**
 * `window.wc.customPlaceOrderButton`, as the checkout's scripts of others find it when they start. What it needs to work comes
 * later: until then it keeps what is registered.
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

/** From now on, and first of all those that are kept. */
export function takeCustomButtons(take: Register): void {
  register = take
  for (const args of early.splice(0)) take(...args)
}
