import { type CustomerRow, insertCustomer, takenUsernames } from '#database/customers/customers.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { freeUserName, isUserName, userNameBase, userNameCandidates } from '#domain/customers/user-name.ts'
import type { OrderAttribution } from '../attribution/attribution-intake.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue } from '../shared/jobs.ts'
import { limitGuesses } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { hashPassword } from './credentials/password.ts'
import { type PasswordFault, passwordFault } from './credentials/password-rules.ts'
import { logIn } from './sessions/log-in.ts'
import type { VisitSession } from './sessions/visit-session.ts'

export type Registration = {
  email: string
  username: string
  password: string
  ip: string
  device?: string
  attribution?: OrderAttribution | null
}

export type RegistrationRefusal =
  | 'closed'
  | 'email-invalid'
  | 'email-taken'
  | 'username-invalid'
  | 'username-taken'
  | PasswordFault

export type RegistrationResult =
  | { ok: true; session: VisitSession; kind: 'logged-in' }
  /** An email is being sent to the address, whether it has an account or not. */
  | { ok: true; session: VisitSession; kind: 'mailed' }
  | { ok: false; reason: RegistrationRefusal }
  | { ok: false; reason: 'too-many'; waitMs: number }

/**
 * Creates an account. With the visitor's password it is usable at once; if the shop sends a link instead, the response
 * does not disclose whether the address was known.
 */
export async function registerCustomer(
  tools: Tools,
  session: VisitSession,
  form: Registration,
): Promise<RegistrationResult> {
  const { registration, generateUsername, passwordByMail } = tools.settings.accounts
  if (!registration) return { ok: false, reason: 'closed' }
  const email = emailIdentity(form.email)
  const username = generateUsername || passwordByMail ? '' : form.username.trim()
  if (!isEmail(email)) return { ok: false, reason: 'email-invalid' }
  if (!generateUsername && !passwordByMail && !isUserName(username)) return { ok: false, reason: 'username-invalid' }
  const fault = passwordByMail
    ? null
    : await passwordFault(tools, form.password, [email, username, tools.settings.name])
  if (fault) return { ok: false, reason: fault }
  const tries = await limitGuesses(tools, 'register', { subject: email, ip: form.ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }

  if (passwordByMail) {
    const key = `account-mail-new-${sha256(email)}`
    const language = await currentLanguage(tools)
    const attribution = form.attribution ? { attribution: form.attribution } : {}
    const facts = { kind: 'open-account', email, language, ...attribution } as const
    await enqueue(tools.db.kysely, 'account-mail', facts, { key })
    return { ok: true, session, kind: 'mailed' }
  }
  // Hashed before the address is looked up, so that both cases take the same time.
  const { attribution = null } = form
  const password = await hashPassword(tools, form.password)
  const language = await currentLanguage(tools)
  const customer = await createCustomer(tools, { email, username, password, language, attribution })
  if (typeof customer === 'string') return { ok: false, reason: customer }
  const key = `account-mail-welcome-${customer.id}`
  await enqueue(tools.db.kysely, 'account-mail', { kind: 'welcome', customerId: customer.id }, { key })
  return { ok: true, kind: 'logged-in', session: await logIn(tools, session, customer, false, form.device) }
}

/** Inserts a customer with the given user name, or one derived from the address. */
export async function createCustomer(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  {
    email,
    username,
    password,
    language = '',
    attribution = null,
  }: {
    email: string
    username: string
    password: string | null
    language?: string
    attribution?: OrderAttribution | null
  },
): Promise<CustomerRow | 'email-taken' | 'username-taken'> {
  const now = tools.clock.now()
  const base = userNameBase(email, { first: '', last: '' })
  for (let tries = 0; ; tries += 1) {
    const name = username || (await freeName(tools, base, tries))
    const made = await insertCustomer(tools.db.kysely, {
      email,
      email_wanted: email,
      username: name,
      display_name: name.includes('@') ? base : name,
      password,
      language,
      ...(attribution ? { attribution } : {}),
      created_at: now,
      updated_at: now,
    })
    // A derived name may have been taken since the lookup: the next one is tried.
    if (made !== 'username-taken' || username !== '' || tries > 4) return made
  }
}

async function freeName({ db, chance }: Pick<Tools, 'db' | 'chance'>, base: string, tries: number): Promise<string> {
  const candidates = userNameCandidates(base, 50)
  const name = tries < 3 ? freeUserName(candidates, await takenUsernames(db.kysely, candidates)) : null
  return name ?? `${base}-${chance.alphanumeric(5).toLowerCase()}`
}
