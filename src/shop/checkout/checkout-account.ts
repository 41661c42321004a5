import { isUserName } from '#domain/customers/user-name.ts'
import { type PasswordFault, passwordFault } from '../customers/credentials/password-rules.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

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

export type Posted = { readonly billing: AddressState; readonly account: AccountForm }

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
