import { type CustomerRow, findCustomerByLogin, updateCustomerIf } from '#database/customers/customers.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { longestPassword } from '#domain/customers/password-strength.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'
import { hashPassword, isOutdated, isPassword } from '../credentials/password.ts'
import { requestPasswordReset } from '../credentials/reset-password.ts'
import { logIn } from './log-in.ts'
import { beginHalfLogin, isEnrolled } from './pending-login.ts'
import type { VisitSession } from './visit-session.ts'

export type SignIn = {
  login: string
  password: string
  remember: boolean
  ip: string
  /** The browser's User-Agent, for the list of logins. */
  device?: string
}

export type SignInResult =
  /** `isHalf`: the second factor is pending, and until then the session is a guest's. */
  | { ok: true; session: VisitSession; isHalf: boolean }
  | { ok: false; reason: 'login-missing' | 'password-missing' | 'wrong' }
  | { ok: false; reason: 'too-many'; waitMs: number }

/**
 * Logs a customer in by user name or email address. Known and unknown names cause the same response, the same work, and
 * the same rate limit.
 */
export async function signIn(tools: Tools, session: VisitSession, form: SignIn): Promise<SignInResult> {
  const login = form.login.trim()
  if (login === '') return { ok: false, reason: 'login-missing' }
  if (form.password === '') return { ok: false, reason: 'password-missing' }
  const customer = await findCustomerByLogin(tools.db.kysely, login)
  // By account if there is one: user name and address together give no second set of attempts.
  const tries = await limitGuesses(tools, 'log-in', { subject: signInSubject(customer?.id ?? login), ip: form.ip })
  // The customer's id only: a password may have been typed as the name.
  const about = { customerId: customer?.id ?? null, by: 'password' }
  if (!tries.ok) {
    tools.log.warn(about, 'login rate limited')
    return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  }
  const fits = form.password.length <= longestPassword
  if (!(await isPassword(tools, fits ? form.password : '', customer?.password ?? null)) || !customer || !fits) {
    tools.log.info(about, 'login failed')
    if (customer && customer.password === null) mailPasswordLink(tools, customer, form.ip)
    return { ok: false, reason: 'wrong' }
  }
  await tries.honest()
  if (customer.password !== null && isOutdated(tools, customer.password)) {
    const { password: known } = customer
    const password = await hashPassword(tools, form.password)
    // The password was changed meanwhile: the entered one is no longer valid.
    if (!(await updateCustomerIf(tools.db.kysely, customer.id, { password: known }, { password }))) {
      return { ok: false, reason: 'wrong' }
    }
  }
  const { remember, device = '' } = form
  if (await isEnrolled(tools, customer)) {
    const guest = await beginHalfLogin(tools, session, customer, { remember, device })
    tools.log.info(about, 'password accepted, second factor pending')
    return { ok: true, session: guest, isHalf: true }
  }
  const own = await logIn(tools, session, customer, remember, device)
  tools.log.info(about, 'login succeeded')
  return { ok: true, session: own, isHalf: false }
}

/**
 * Mails the link to choose a password to an account without one, such as an imported one. Not awaited: neither the
 * response nor its timing discloses that the account exists. A link that is lost with the process is mailed at the next
 * attempt.
 */
function mailPasswordLink(tools: Tools, { id, email }: CustomerRow, ip: string): void {
  requestPasswordReset(tools, { login: email, ip }).catch((error: unknown) =>
    tools.log.error({ customerId: id, error: String(error) }, 'password link not requested'),
  )
}

/**
 * Returns the rate limit's subject for guesses of one account's password, both at the login form and in the account.
 */
export function signInSubject(who: number | string): string {
  return typeof who === 'number' ? `id:${who}` : `name:${emailIdentity(who)}`
}
