import { isUserName } from '#domain/customers/user-name.ts'
import { type PasswordFault, passwordFault } from '../customers/credentials/password-rules.ts'
import type { AddressState } from '../customers/sessions/session-state.ts'
import type { VisitSession } from '../customers/sessions/visit-session.ts'
import type { Tools } from '../shared/tools.ts'

/** Account fields of a checkout form. The password is kept for the request only. */
export type AccountForm = { readonly wanted: boolean; readonly username: string; readonly password: string }

/** Account options of the checkout for a visitor without a login. */
export type AccountOffer =
  /** Orders require an account, and the checkout opens none. */
  | { readonly kind: 'log-in-first' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'open'
      /** Every order opens an account. */
      readonly forced: boolean
      readonly asksUsername: boolean
      /** False: the customer gets an email with a link to choose one. */
      readonly asksPassword: boolean
    }

export type OpenRefusal = 'username-missing' | 'username-invalid' | 'username-taken' | PasswordFault | 'email-taken'

/** Returns the account options; null for a logged-in customer. */
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

/** Returns the options for an order that requires an account: its saved payment method needs an owner. */
export function accountNeeded(offer: AccountOffer | null): AccountOffer | null {
  if (offer?.kind === 'none') return { kind: 'log-in-first' }
  return offer?.kind === 'open' ? { ...offer, forced: true } : offer
}

/** Reports whether the order requires an account. */
export function needsAccount(offer: AccountOffer | null): boolean {
  return offer?.kind === 'log-in-first' || (offer?.kind === 'open' && offer.forced)
}

/** Reports whether this form opens an account. */
export function opensAccount(offer: AccountOffer | null, account: AccountForm): boolean {
  return offer?.kind === 'open' && (offer.forced || account.wanted)
}

export type AccountFault =
  | { readonly code: 'account'; readonly field: string; readonly reason: OpenRefusal }
  | { readonly code: 'log-in-first' }

export type Posted = { readonly billing: AddressState; readonly account: AccountForm }

/** Validates the account fields of a form, without a lookup of customers. */
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
