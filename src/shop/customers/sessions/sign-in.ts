import { findCustomerByLogin, updateCustomerIf } from '#database/customers/customers.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { longestPassword } from '#domain/customers/password-strength.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'
import { hashPassword, isOutdated, isPassword } from '../credentials/password.ts'
import { logIn } from './log-in.ts'
import { beginHalfLogin, isEnrolled } from './pending-login.ts'
import type { VisitSession } from './visit-session.ts'

export type SignIn = {
  login: string
  password: string
  remember: boolean
  ip: string
  /** The browser's own words for itself, to be recognised by in the list of logins. */
  device?: string
}

export type SignInResult =
  /** `isHalf`: the second factor is awaited, and until then the session is a guest's. */
  | { ok: true; session: VisitSession; isHalf: boolean }
  | { ok: false; reason: 'login-missing' | 'password-missing' | 'wrong' }
  | { ok: false; reason: 'too-many'; waitMs: number }

/**
 * Logs a customer in by user name or e-mail address. Known and unknown names get the same answer after the same work, and
 * the same tries.
 */
export async function signIn(tools: Tools, session: VisitSession, form: SignIn): Promise<SignInResult> {
  const login = form.login.trim()
  if (login === '') return { ok: false, reason: 'login-missing' }
  if (form.password === '') return { ok: false, reason: 'password-missing' }
  const customer = await findCustomerByLogin(tools.db.kysely, login)
  // By account where there is one: user name and address together give no second set of tries.
  const tries = await limitGuesses(tools, 'log-in', { subject: signInSubject(customer?.id ?? login), ip: form.ip })
  // Who it was about by number alone: what was typed as a name may be a password.
  const about = { customerId: customer?.id ?? null, by: 'password' }
  if (!tries.ok) {
    tools.log.warn(about, 'a login has to wait after too many tries')
    return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  }
  const fits = form.password.length <= longestPassword
  if (!(await isPassword(tools, fits ? form.password : '', customer?.password ?? null)) || !customer || !fits) {
    tools.log.info(about, 'a login was refused')
    return { ok: false, reason: 'wrong' }
  }
  await tries.honest()
  if (customer.password !== null && isOutdated(tools, customer.password)) {
    const { password: known } = customer
    const password = await hashPassword(tools, form.password)
    // The password was replaced meanwhile: what was typed opens the account no longer.
    if (!(await updateCustomerIf(tools.db.kysely, customer.id, { password: known }, { password }))) {
      return { ok: false, reason: 'wrong' }
    }
  }
  const { remember, device = '' } = form
  if (await isEnrolled(tools, customer)) {
    const guest = await beginHalfLogin(tools, session, customer, { remember, device })
    tools.log.info(about, 'a password was accepted and the second factor is awaited')
    return { ok: true, session: guest, isHalf: true }
  }
  const own = await logIn(tools, session, customer, remember, device)
  tools.log.info(about, 'somebody logged in')
  return { ok: true, session: own, isHalf: false }
}

/** What tries to guess one account's password are counted against, at the login form and inside the account alike. */
export function signInSubject(who: number | string): string {
  return typeof who === 'number' ? `id:${who}` : `name:${emailIdentity(who)}`
}
