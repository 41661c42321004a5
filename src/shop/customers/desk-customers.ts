import { type CustomerRow, findCustomersOrders, updateCustomer } from '#database/customers/customers.ts'
import { countLogins, type DeskCustomer, listDeskCustomers } from '#database/customers/desk-customers.ts'
import type { Row } from '#database/engine/schema/schema.ts'
import type { CustomerRole } from '#database/engine/schema/visitors.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { fullName } from '#domain/addresses/full-name.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { roles } from '#domain/customers/roles.ts'
import { isUserName } from '#domain/customers/user-name.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue } from '../shared/jobs.ts'
import type { Tools } from '../shared/tools.ts'
import { createCustomer } from './register-customer.ts'

/** Roles that commands can assign: all. */
export const customerRoles: readonly CustomerRole[] = roles

export type DeskCustomerRecord = {
  readonly customer: CustomerRow
  readonly bought: DeskCustomer
  /** The last ten. */
  readonly orders: readonly Row<'orders'>[]
  readonly logins: number
}

export async function readDeskCustomer(
  { db, clock, settings }: Pick<Tools, 'db' | 'clock' | 'settings'>,
  customer: CustomerRow,
): Promise<DeskCustomerRecord | null> {
  const { id } = customer
  const [{ customers }, { orders }, logins] = await Promise.all([
    listDeskCustomers(db.kysely, { id }, { sort: 'newest', limit: 1, offset: 0 }, settings.currency),
    findCustomersOrders(db.kysely, id, { limit: 10, offset: 0 }),
    countLogins(db.kysely, id, clock.now()),
  ])
  const [bought] = customers
  return bought ? { customer, bought, orders, logins } : null
}

export type NewCustomer = {
  readonly email: string
  /** '': derived from the email address. */
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly role: CustomerRole
  /** Sends a link to choose a password. */
  readonly invite: boolean
}

export type NewCustomerRefusal =
  | 'email-invalid'
  | 'email-taken'
  | 'username-invalid'
  | 'username-taken'
  | 'name-too-long'

/** Creates an account for a person. It has no password until they choose one. */
export async function addCustomer(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  given: NewCustomer,
): Promise<{ ok: true; customer: CustomerRow } | { ok: false; reason: NewCustomerRefusal }> {
  const email = emailIdentity(given.email)
  const username = given.username.trim()
  const [firstName, lastName] = [plainLine(given.firstName), plainLine(given.lastName)]
  if (!isEmail(email)) return { ok: false, reason: 'email-invalid' }
  if (username !== '' && !isUserName(username)) return { ok: false, reason: 'username-invalid' }
  if (firstName.length > 100 || lastName.length > 100) return { ok: false, reason: 'name-too-long' }
  const made = await createCustomer(tools, { email, username, password: null })
  if (typeof made === 'string') return { ok: false, reason: made }
  const displayName = fullName({ first_name: firstName, last_name: lastName }) || made.display_name
  const change = { first_name: firstName, last_name: lastName, display_name: displayName, role: given.role }
  await updateCustomer(tools.db.kysely, made.id, change)
  if (given.invite) {
    const key = `account-mail-new-${sha256(email)}`
    await enqueue(tools.db.kysely, 'account-mail', { kind: 'open-account', email }, { key })
  }
  return { ok: true, customer: { ...made, ...change } }
}
