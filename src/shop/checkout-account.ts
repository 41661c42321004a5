import { updateCustomer } from '#database/customers.ts'
import { fullName } from '#domain/addresses/full-name.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { isUserName } from '#domain/customers/user-name.ts'
import type { OrderAttribution } from './attribution-intake.ts'
import { sha256 } from './digest.ts'
import { spokenLanguage } from './in-words.ts'
import { enqueue } from './jobs.ts'
import { limitTries } from './limit-tries.ts'
import { logIn } from './log-in.ts'
import { hashPassword } from './password.ts'
import { type PasswordFault, passwordFault } from './password-rules.ts'
import { createCustomer } from './register-customer.ts'
import type { AddressState } from './session-state.ts'
import type { Tools } from './tools.ts'
import type { VisitSession } from './visit-session.ts'

/** What a checkout form says of the account to be opened. The password lives as long as the request. */
export type AccountForm = { readonly wanted: boolean; readonly username: string; readonly password: string }

/** What the checkout offers to somebody who is not logged in. */
export type AccountOffer =
  /** Nobody buys without an account, and none is opened here. */
  | { readonly kind: 'log-in-first' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'open'
      /** The order opens an account whether it is asked for or not. */
      readonly forced: boolean
      readonly asksUsername: boolean
      /** False: a link to choose one is mailed. */
      readonly asksPassword: boolean
    }

export type OpenRefusal = 'username-missing' | 'username-invalid' | 'username-taken' | PasswordFault | 'email-taken'

/** @returns null for somebody who is logged in */
export function accountOffer(
  { settings: { accounts } }: Pick<Tools, 'settings'>,
  { customerId }: Pick<VisitSession, 'customerId'>,
): AccountOffer | null {
  if (customerId !== null) return null
  if (!accounts.registrationAtCheckout) return { kind: accounts.guestCheckout ? 'none' : 'log-in-first' }
  return {
    kind: 'open',
    forced: !accounts.guestCheckout,
    asksUsername: !accounts.generateUsername,
    asksPassword: !accounts.passwordByMail,
  }
}

/** The same where the order is of use to nobody without an account: what it keeps must belong to somebody. */
export function accountNeeded(offer: AccountOffer | null): AccountOffer | null {
  if (offer?.kind === 'none') return { kind: 'log-in-first' }
  return offer?.kind === 'open' ? { ...offer, forced: true } : offer
}

/** Whether the order is placed by an account or not at all. */
export function needsAccount(offer: AccountOffer | null): boolean {
  return offer?.kind === 'log-in-first' || (offer?.kind === 'open' && offer.forced)
}

/** Whether this form opens an account. */
export function opensAccount(offer: AccountOffer | null, account: AccountForm): boolean {
  return offer?.kind === 'open' && (offer.forced || account.wanted)
}

export type AccountFault =
  | { readonly code: 'account'; readonly field: string; readonly reason: OpenRefusal }
  | { readonly code: 'log-in-first' }

type Posted = { readonly billing: AddressState; readonly account: AccountForm }

/** What is wrong with the account part of a form, as far as no customer has to be looked for. */
export async function accountFaults(
  tools: Pick<Tools, 'settings' | 'breachedPasswords' | 'log'>,
  offer: AccountOffer,
  { account, billing }: Posted,
): Promise<AccountFault[]> {
  if (offer.kind === 'log-in-first') return [{ code: 'log-in-first' }]
  if (offer.kind === 'none' || !opensAccount(offer, account)) return []
  const faults: OpenRefusal[] = []
  if (offer.asksUsername && account.username === '') faults.push('username-missing')
  else if (offer.asksUsername && !isUserName(account.username)) faults.push('username-invalid')
  const weak = offer.asksPassword
    ? await passwordFault(tools, account.password, [billing.email, account.username, tools.settings.name])
    : null
  if (weak) faults.push(weak)
  return faults.map(accountFault)
}

export function accountFault(reason: OpenRefusal): AccountFault & { code: 'account' } {
  const field = reason.startsWith('username') ? 'account_username' : 'account_password'
  return { code: 'account', field: reason === 'email-taken' ? 'billing_email' : field, reason }
}

export type OpenAccountResult =
  | { ok: true; session: VisitSession }
  | { ok: false; reason: 'refused'; fault: AccountFault }
  | { ok: false; reason: 'too-many'; waitMs: number }

/** Opens the account of a form that has no faults, and logs its owner in with the cart as it is. */
export async function openAccount(
  tools: Tools,
  session: VisitSession,
  form: Posted,
  { customerIp: ip, attribution }: { customerIp: string; attribution: OrderAttribution | null },
): Promise<OpenAccountResult> {
  const { generateUsername, passwordByMail } = tools.settings.accounts
  const email = emailIdentity(form.billing.email)
  const tries = await limitTries(tools, 'register', { subject: email, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const password = passwordByMail ? null : await hashPassword(tools, form.account.password)
  const username = generateUsername ? '' : form.account.username
  const language = await spokenLanguage(tools)
  const customer = await createCustomer(tools, { email, username, password, language, attribution })
  if (typeof customer === 'string') return { ok: false, reason: 'refused', fault: accountFault(customer) }
  const { first_name, last_name } = form.billing
  const display_name = fullName({ first_name, last_name }) || customer.display_name
  await updateCustomer(tools.db.kysely, customer.id, { first_name, last_name, display_name })
  // The message with the link finds the account by its address, as one that was asked for by mail.
  if (passwordByMail) {
    const key = `account-mail-new-${sha256(email)}`
    await enqueue(tools.db.kysely, 'account-mail', { kind: 'open-account', email, language }, { key })
  } else {
    const key = `account-mail-welcome-${customer.id}`
    await enqueue(tools.db.kysely, 'account-mail', { kind: 'welcome', customerId: customer.id }, { key })
  }
  return { ok: true, session: await logIn(tools, session, customer, false) }
}
