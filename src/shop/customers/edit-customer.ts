import { findCustomer, updateCustomer } from '#database/customers/customers.ts'
import { endLogins } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import type { FormFault } from '../checkout/checkout-form.ts'
import { postedAddress } from '../checkout/parse-checkout.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue } from '../shared/jobs.ts'
import { limitGuesses } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { hashPassword, isPassword } from './credentials/password.ts'
import { type PasswordFault, passwordFault } from './credentials/password-rules.ts'
import { ownWords } from './credentials/reset-password.ts'
import { addressOf, isSamePlace } from './sessions/login-state.ts'
import { signInSubject } from './sessions/sign-in.ts'
import { changeSession, type VisitSession } from './sessions/visit-session.ts'

export type AccountDetails = {
  firstName: string
  lastName: string
  displayName: string
  email: string
  current: string
  password: string
  repeat: string
}

export type DetailsFault =
  | 'first-name-missing'
  | 'last-name-missing'
  | 'display-name-missing'
  | 'display-name-is-email'
  | 'email-invalid'
  | 'current-missing'
  | 'current-wrong'
  | PasswordFault
  | 'passwords-differ'
  | 'too-many'

type Customer = { session: VisitSession; customerId: number; ip: string }

/** `mailedTo`: a new address, which becomes the customer's when the emailed link is followed. */
export type DetailsResult = { faults: readonly DetailsFault[]; mailedTo: string | null }

/**
 * Saves a customer's names, address and password, all or nothing. Changes of credentials (address, password) require
 * the current password; a new password ends all other logins. The job that emails an address determines whether another
 * account has it.
 * @returns every fault, in the order of the fields
 */
export async function saveAccountDetails(
  tools: Tools,
  { session, customerId, ip }: Customer,
  form: AccountDetails,
): Promise<DetailsResult> {
  const customer = await findCustomer(tools.db.kysely, customerId)
  if (!customer) throw new Error(`customer ${customerId} no longer exists`)
  const identity = emailIdentity(form.email)
  // Another spelling of the stored address is the same address.
  const email = identity === emailIdentity(customer.email) ? customer.email : identity
  const firstName = plainLine(form.firstName)
  const lastName = plainLine(form.lastName)
  const displayName = plainLine(form.displayName)
  const wantsPassword = form.password !== '' || form.repeat !== ''
  const faults: DetailsFault[] = []
  if (firstName === '') faults.push('first-name-missing')
  if (lastName === '') faults.push('last-name-missing')
  if (displayName === '') faults.push('display-name-missing')
  else if (isEmail(displayName)) faults.push('display-name-is-email')
  if (!isEmail(email)) faults.push('email-invalid')
  if (wantsPassword || email !== customer.email) {
    const fault = await currentPasswordFault(tools, customer, form.current, ip)
    if (fault) faults.push(fault)
  }
  if (wantsPassword) {
    const differ = form.password !== form.repeat
    const fault = differ ? 'passwords-differ' : await passwordFault(tools, form.password, ownWords(tools, customer))
    if (fault) faults.push(fault)
  }
  const mailedTo = email === customer.email ? null : email
  if (faults.length === 0 && mailedTo !== null) {
    const tries = await limitGuesses(tools, 'confirm-email', { subject: String(customerId), ip })
    if (!tries.ok) faults.push('too-many')
  }
  if (faults.length > 0) return { faults, mailedTo: null }

  const change = {
    first_name: firstName,
    last_name: lastName,
    display_name: displayName,
    updated_at: tools.clock.now(),
    // Earlier links become invalid with the credentials.
    reset_digest: null,
    reset_expires_at: null,
    ...(mailedTo === null ? {} : { email_wanted: mailedTo, email_digest: null, email_expires_at: null }),
    ...(wantsPassword ? { password: await hashPassword(tools, form.password) } : {}),
  }
  await transaction(tools, async (tx) => {
    await updateCustomer(tx, customerId, change)
    if (wantsPassword) await endLogins(tx, customerId, sha256(session.token))
    const key = `account-mail-confirm-${customerId}`
    if (mailedTo !== null) await enqueue(tx, 'account-mail', { kind: 'confirm-email', customerId }, { key })
  })
  return { faults: [], mailedTo }
}

/** Verifies the password again, before an irreversible action. */
export async function ownPasswordFault(
  tools: Tools,
  { customerId, ip }: Omit<Customer, 'session'>,
  typed: string,
): Promise<Extract<DetailsFault, 'current-missing' | 'current-wrong' | 'too-many'> | null> {
  const customer = await findCustomer(tools.db.kysely, customerId)
  if (!customer) throw new Error(`customer ${customerId} no longer exists`)
  return currentPasswordFault(tools, customer, typed, ip)
}

async function currentPasswordFault(
  tools: Tools,
  { id, password }: { id: number; password: string | null },
  typed: string,
  ip: string,
): Promise<'current-missing' | 'current-wrong' | 'too-many' | null> {
  if (typed === '') return 'current-missing'
  const tries = await limitGuesses(tools, 'log-in', { subject: signInSubject(id), ip })
  if (!tries.ok) return 'too-many'
  if (!(await isPassword(tools, typed.slice(0, 600), password))) return 'current-wrong'
  await tries.honest()
  return null
}

/** Saves one of a customer's addresses, and updates the cart's. */
export async function saveAddress(
  tools: Tools,
  { session, customerId }: Omit<Customer, 'ip'>,
  kind: AddressKind,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ session: VisitSession; faults: readonly FormFault[] }> {
  const { values, faults } = postedAddress(tools, kind, fields)
  if (faults.length > 0) return { session, faults }
  await updateCustomer(tools.db.kysely, customerId, { [kind]: values, updated_at: tools.clock.now() })
  const customer = await findCustomer(tools.db.kysely, customerId)
  const changed = await changeSession(tools, session, (state) => {
    const next = { ...state, [kind]: values }
    const differs = kind === 'shipping' ? !isSamePlace(next.billing, values) : state.shipToDifferent
    // Without a shipping address, the billing address is used.
    const follows = kind === 'billing' && !state.shipToDifferent && addressOf(customer?.shipping ?? {}).country === ''
    return { state: { ...next, shipToDifferent: differs, ...(follows ? { shipping: values } : {}) }, result: undefined }
  })
  return { session: changed.session, faults }
}
