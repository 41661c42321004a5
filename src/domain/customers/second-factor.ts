import type { Role } from './roles.ts'

/** `auto`: required for a shop that other machines can reach. */
export const secondFactorWishes = ['auto', 'required', 'optional'] as const
export type SecondFactorWish = (typeof secondFactorWishes)[number]

/** The step that a login still needs before it may act as staff: a code, or the set-up of a device. */
export type OwedFactor = 'code' | 'enrolment'

/**
 * Returns true if staff need a second factor. Plain http is used only on the local machine, for trials.
 * @param publicUrl the shop's own URL
 */
export function needsSecondFactor(wish: SecondFactorWish, publicUrl: string): boolean {
  if (wish !== 'auto') return wish === 'required'
  const { protocol, hostname } = new URL(publicUrl)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  return protocol !== 'http:' || !here
}

/**
 * Returns the missing step; null if there is none. A login with a second factor must enter it, even if the shop does
 * not require one.
 */
export function owedFactor(
  login: { role: Role; enrolled: boolean; shown: boolean },
  required: boolean,
): OwedFactor | null {
  if (login.role === 'customer') return null
  if (login.enrolled) return login.shown ? null : 'code'
  return required ? 'enrolment' : null
}
