import type { Role } from './roles.ts'

/** `auto`: required of a shop that others than its own machine can reach. */
export const secondFactorWishes = ['auto', 'required', 'optional'] as const
export type SecondFactorWish = (typeof secondFactorWishes)[number]

/** What a login still owes before it may act as staff: a code, or a device that makes codes. */
export type OwedFactor = 'code' | 'enrolment'

/**
 * Whether staff need a second factor. Plain http is only spoken on the machine itself, where somebody tries the shop out.
 * @param publicUrl the shop's own address
 */
export function needsSecondFactor(wish: SecondFactorWish, publicUrl: string): boolean {
  if (wish !== 'auto') return wish === 'required'
  const { protocol, hostname } = new URL(publicUrl)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  return protocol !== 'http:' || !here
}

/** Null: nothing is owed. Whoever has a second factor shows it, also where the shop does not ask for one. */
export function owedFactor(
  login: { role: Role; enrolled: boolean; shown: boolean },
  required: boolean,
): OwedFactor | null {
  if (login.role === 'customer') return null
  if (login.enrolled) return login.shown ? null : 'code'
  return required ? 'enrolment' : null
}
