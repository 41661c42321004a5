import { timingSafeEqual } from 'node:crypto'
import {
  type CustomerRow,
  findCustomer,
  lockCustomer,
  updateCustomer,
  updateCustomerIf,
} from '#database/customers/customers.ts'
import { linkGuestOrders } from '#database/customers/personal-data.ts'
import { endLogins } from '#database/customers/sessions.ts'
import { transaction } from '#database/engine/connect.ts'
import { emailIdentity } from '#domain/customers/email-identity.ts'
import { sha256 } from '../../shared/digest.ts'
import { enqueue } from '../../shared/jobs.ts'
import { limitGuesses } from '../../shared/limit-attempts.ts'
import type { Tools } from '../../shared/tools.ts'
import { currentLanguage } from '../../translation/localize-facts.ts'
import { mailedLinkLifeMs } from '../mailed-links.ts'
import { hashPassword } from './password.ts'
import { type PasswordFault, passwordFault } from './password-rules.ts'

export type ResetLink = { customerId: number; key: string }

/**
 * Requests a password link. The job that writes the email determines whether an account exists, so that neither the
 * response nor its timing discloses it.
 */
export async function requestPasswordReset(
  tools: Tools,
  { login, ip }: { login: string; ip: string },
): Promise<{ ok: true } | { ok: false; reason: 'login-missing' } | { ok: false; reason: 'too-many'; waitMs: number }> {
  const wanted = login.trim().toLowerCase().slice(0, 254)
  if (wanted === '') return { ok: false, reason: 'login-missing' }
  const identity = emailIdentity(wanted)
  const tries = await limitGuesses(tools, 'lost-password', { subject: identity, ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const key = `account-mail-reset-${sha256(identity)}`
  const language = await currentLanguage(tools)
  await enqueue(tools.db.kysely, 'account-mail', { kind: 'reset-password', login: wanted, language }, { key })
  return { ok: true }
}

/**
 * Creates a link, which invalidates earlier ones. Only its digest is stored: the key is in the email alone.
 * @param customer as read; the email goes to its address
 * @returns null if the account has another address by now: then earlier links stay valid
 */
export async function createResetLink(
  tools: Tools,
  { id, email }: Pick<CustomerRow, 'id' | 'email'>,
): Promise<ResetLink | null> {
  const key = tools.chance.alphanumeric(40)
  const reset_expires_at = new Date(tools.clock.now().getTime() + mailedLinkLifeMs)
  const link = { reset_digest: sha256(key), reset_expires_at }
  return (await updateCustomerIf(tools.db.kysely, id, { email }, link)) ? { customerId: id, key } : null
}

/** Checks whether a link is valid. */
export async function isResetLink(tools: Tools, link: ResetLink): Promise<boolean> {
  const customer = await findCustomer(tools.db.kysely, link.customerId)
  return customer !== undefined && fits(tools, customer, link.key)
}

function fits({ clock }: Pick<Tools, 'clock'>, customer: CustomerRow, key: string): boolean {
  const { reset_digest: digest, reset_expires_at: until } = customer
  if (digest === null || until === null || until <= clock.now()) return false
  return timingSafeEqual(Buffer.from(sha256(key), 'hex'), Buffer.from(digest, 'hex'))
}

export type ResetRefusal = 'link-invalid' | PasswordFault | 'passwords-differ'

/** Sets the new password, ends all logins of the customer, and uses up the link. */
export async function resetPassword(
  tools: Tools,
  link: ResetLink,
  { password, repeat }: { password: string; repeat: string },
): Promise<{ ok: true } | { ok: false; reason: ResetRefusal }> {
  const customer = await findCustomer(tools.db.kysely, link.customerId)
  if (!customer || !fits(tools, customer, link.key)) return { ok: false, reason: 'link-invalid' }
  const fault = await passwordFault(tools, password, ownWords(tools, customer))
  if (fault) return { ok: false, reason: fault }
  if (password !== repeat) return { ok: false, reason: 'passwords-differ' }
  const hash = await hashPassword(tools, password)
  return transaction(tools, async (tx) => {
    const locked = await lockCustomer(tx, customer.id)
    if (!locked || !fits(tools, locked, link.key)) return { ok: false, reason: 'link-invalid' }
    const now = tools.clock.now()
    // Following an emailed link proves access to the mailbox.
    const confirmed = locked.email_wanted === locked.email ? { email_wanted: null, email_digest: null } : {}
    const spent = { reset_digest: null, reset_expires_at: null, email_verified_at: now, ...confirmed }
    await updateCustomer(tx, customer.id, { password: hash, ...spent, updated_at: now })
    await endLogins(tx, customer.id, null)
    if (tools.settings.accounts.linkPastOrders) await linkGuestOrders(tx, customer.id, locked.email, now)
    return { ok: true }
  })
}

/** Returns words that a customer's password must not consist of. */
export function ownWords({ settings }: Pick<Tools, 'settings'>, customer: CustomerRow): string[] {
  const { email, username, first_name, last_name, display_name } = customer
  return [email, username, first_name, last_name, display_name, settings.name]
}
