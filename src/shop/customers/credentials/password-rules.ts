import { isShortPassword, longestPassword, lowestScore, passwordScore } from '#domain/customers/password-strength.ts'
import type { Tools } from '../../shared/tools.ts'
import { isBreached } from './breached-passwords.ts'
import { commonPasswords } from './common-passwords.ts'

/** Why a new password is not taken: `known` is one that is tried first, being common or out of a breach. */
export type PasswordFault = 'password-missing' | 'password-short' | 'password-weak' | 'password-known'

/**
 * Why a password is not taken, wherever one is set, or null.
 * @param own what it must not be made of
 */
export async function passwordFault(
  tools: Pick<Tools, 'breachedPasswords' | 'log'>,
  password: string,
  own: readonly string[],
): Promise<PasswordFault | null> {
  if (password === '') return 'password-missing'
  const words = own.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  if (password.length > longestPassword) return 'password-weak'
  if (isShortPassword(password)) return 'password-short'
  if (passwordScore(password, words) < lowestScore) return 'password-weak'
  return isCommon(password) || (await isBreached(tools, password)) ? 'password-known' : null
}

// One text that is searched takes a tenth of the memory of a set, and some microseconds more.
const common = commonPasswords.replaceAll('\n', ' ')

/** Whoever guesses tries capitals as well. */
function isCommon(password: string): boolean {
  const plain = password.normalize('NFC').toLowerCase()
  return !plain.includes(' ') && common.includes(` ${plain} `)
}
