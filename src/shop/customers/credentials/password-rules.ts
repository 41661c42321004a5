import { isShortPassword, longestPassword, lowestScore } from '#domain/customers/password-strength.ts'
import type { Tools } from '../../shared/tools.ts'
import { isBreached } from './breached-passwords.ts'
import { commonPasswords } from './common-passwords.ts'
import { passwordScore } from './password-score.ts'

/** The reason why a new password is rejected: `known` is a common or breached one. */
export type PasswordFault = 'password-missing' | 'password-short' | 'password-weak' | 'password-known'

/**
 * Returns the fault of a new password, or null.
 * @param own words that it must not consist of
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

// Searching one string takes a tenth of the memory of a set, and some microseconds more.
const common = commonPasswords.replaceAll('\n', ' ')

/** Case-insensitive, like an attacker's guesses. */
function isCommon(password: string): boolean {
  const plain = password.normalize('NFC').toLowerCase()
  return !plain.includes(' ') && common.includes(` ${plain} `)
}
