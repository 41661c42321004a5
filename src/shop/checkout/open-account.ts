import { updateCustomer } from '#database/customers/customers.ts'
import { fullName } from '#domain/addresses/full-name.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import type { OrderAttribution } from '../attribution/attribution-intake.ts'
import { hashPassword } from '../customers/credentials/password.ts'
import { createCustomer } from '../customers/register-customer.ts'
import { logIn } from '../customers/sessions/log-in.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue } from '../shared/jobs.ts'
import { limitGuesses } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { currentLanguage } from '../translation/localize-facts.ts'
import { type AccountFault, accountFault, type Posted } from './checkout-account.ts'

export type OpenAccountResult =
  | { ok: true; session: VisitSession }
  | { ok: false; reason: 'refused'; fault: AccountFault }
  | { ok: false; reason: 'too-many'; waitMs: number }

/** Opens the account of a valid form, and logs the customer in with the current cart. */
export async function openAccount(
  tools: Tools,
  session: VisitSession,
  form: Posted,
  { customerIp: ip, attribution }: { customerIp: string; attribution: OrderAttribution | null },
): Promise<OpenAccountResult> {
  const { generateUsername, passwordByMail } = tools.settings.accounts
  const email = emailIdentity(form.billing.email)
  const tries = await limitGuesses(tools, 'register', { subject: email, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const password = passwordByMail ? null : await hashPassword(tools, form.account.password)
  const username = generateUsername ? '' : form.account.username
  const language = await currentLanguage(tools)
  const customer = await createCustomer(tools, { email, username, password, language, attribution })
  if (typeof customer === 'string') return { ok: false, reason: 'refused', fault: accountFault(customer) }
  const { first_name, last_name } = form.billing
  const display_name = fullName({ first_name, last_name }) || customer.display_name
  await updateCustomer(tools.db.kysely, customer.id, { first_name, last_name, display_name })
  // The email job finds the account by its address, as after a password request.
  if (passwordByMail) {
    const key = `account-mail-new-${sha256(email)}`
    await enqueue(tools.db.kysely, 'account-mail', { kind: 'open-account', email, language }, { key })
  } else {
    const key = `account-mail-welcome-${customer.id}`
    await enqueue(tools.db.kysely, 'account-mail', { kind: 'welcome', customerId: customer.id }, { key })
  }
  return { ok: true, session: await logIn(tools, session, customer, false) }
}
