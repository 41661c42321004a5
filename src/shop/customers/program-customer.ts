import type { V3CustomerCreate, V3CustomerUpdate } from '#contract/customers/v3-customers.ts'
import { type CustomerRow, findCustomer, updateCustomer } from '#database/customers/customers.ts'
import { findCustomerExtras, saveCustomerMeta } from '#database/customers/rest-customers.ts'
import { endLogins } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import type { RowChange } from '#database/engine/schema/schema.ts'
import { plainLine } from '#domain/addresses/address-check.ts'
import { isEmail } from '#domain/addresses/contact-syntax.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { changedAddress } from '../addresses/program-address.ts'
import { changedMetaData, type StoredMetaData } from '../shared/meta-data.ts'
import type { Tools } from '../shared/tools.ts'
import { hashPassword } from './credentials/password.ts'
import { type PasswordFault, passwordFault } from './credentials/password-rules.ts'
import { addCustomer, type NewCustomerRefusal } from './desk-customers.ts'

export type ProgramCustomerRefusal =
  | { readonly reason: NewCustomerRefusal | PasswordFault | 'unknown' | 'username-fixed' }
  /** Programs manage customers only: a key must not gain the rights of staff. */
  | { readonly reason: 'staff' }
  | { readonly reason: 'invalid'; readonly parameter: string; readonly problem: string }

export type ProgramCustomerResult = { ok: true; customer: CustomerRow } | ({ ok: false } & ProgramCustomerRefusal)

/** Creates a customer for a program. Without a password, the customer is emailed a link to choose one. */
export async function createProgramCustomer(tools: Tools, given: V3CustomerCreate): Promise<ProgramCustomerResult> {
  const { email, username = '', first_name: firstName = '', last_name: lastName = '', password = '' } = given
  const more = await changesOf(tools, given, null)
  if ('reason' in more) return { ok: false, ...more }
  const added = await addCustomer(tools, {
    ...{ email, username, firstName, lastName },
    role: 'customer',
    invite: password === '',
  })
  if (!added.ok) return added
  return write(tools, added.customer.id, more)
}

/**
 * Changes a customer for a program. A new password or email address ends all logins, and links that were emailed
 * before become invalid.
 */
export async function editProgramCustomer(
  tools: Tools,
  id: number,
  given: V3CustomerUpdate,
): Promise<ProgramCustomerResult> {
  const before = await findCustomer(tools.db.kysely, id)
  if (!before) return { ok: false, reason: 'unknown' }
  if (before.role !== 'customer') return { ok: false, reason: 'staff' }
  if (given.username !== undefined && given.username !== before.username) return { ok: false, reason: 'username-fixed' }
  const changes = await changesOf(tools, given, before)
  return 'reason' in changes ? { ok: false, ...changes } : write(tools, id, changes)
}

type Changes = { readonly columns: RowChange<'customers'>; readonly meta: StoredMetaData | null; endsLogins: boolean }

async function changesOf(
  tools: Tools,
  given: V3CustomerUpdate,
  before: CustomerRow | null,
): Promise<Changes | ProgramCustomerRefusal> {
  const columns: RowChange<'customers'> = { updated_at: tools.clock.now() }
  for (const kind of ['billing', 'shipping'] as const) {
    const address = given[kind] && changedAddress(before?.[kind] ?? {}, given[kind])
    if (address && !address.ok) return { reason: 'invalid', parameter: kind, problem: address.problem }
    if (address) columns[kind] = address.address
  }
  if (before && given.first_name !== undefined) columns.first_name = plainLine(given.first_name)
  if (before && given.last_name !== undefined) columns.last_name = plainLine(given.last_name)
  const email = given.email === undefined ? undefined : emailIdentity(given.email)
  const movesEmail = before !== null && email !== undefined && email !== before.email
  if (movesEmail) {
    if (!isEmail(email)) return { reason: 'email-invalid' }
    Object.assign(columns, { ...unverified, email, email_wanted: email })
  }
  const { password = '' } = given
  if (password !== '') {
    const own = [email ?? before?.email ?? '', given.username ?? before?.username ?? '', tools.settings.name]
    const fault = await passwordFault(tools, password, own)
    if (fault) return { reason: fault }
    Object.assign(columns, { ...withoutLink, password: await hashPassword(tools, password) })
  }
  const stored = before && (await findCustomerExtras(tools.db.kysely, [before.id])).meta.get(before.id)
  const meta = given.meta_data ? changedMetaData(stored ?? {}, given.meta_data) : null
  if (meta && !meta.ok) return { reason: 'invalid', parameter: 'meta_data', problem: meta.problem }
  return { columns, meta: meta?.column ?? null, endsLogins: movesEmail || (before !== null && password !== '') }
}

const withoutLink = { reset_digest: null, reset_expires_at: null } as const
const unverified = { ...withoutLink, email_verified_at: null, email_digest: null, email_expires_at: null } as const

async function write(tools: Tools, id: number, { columns, meta, endsLogins }: Changes): Promise<ProgramCustomerResult> {
  const { kysely } = tools.db
  // Outside a transaction: a taken address is an error of the statement, which would end it.
  const taken = await updateCustomer(kysely, id, columns)
  if (taken) return { ok: false, reason: taken }
  await transaction(tools, async (tx) => {
    if (meta) await saveCustomerMeta(tx, id, meta)
    if (endsLogins) await endLogins(tx, id, null)
  })
  const customer = await findCustomer(kysely, id)
  return customer ? { ok: true, customer } : { ok: false, reason: 'unknown' }
}
