import { timingSafeEqual } from 'node:crypto'
import {
  type CustomerRow,
  findCustomer,
  lockCustomer,
  updateCustomer,
  updateCustomerIf,
} from '#database/customers/customers.ts'
import { linkGuestOrders } from '#database/customers/personal-data.ts'
import { transaction } from '#database/engine/connect.ts'
import { sha256 } from '../shared/digest.ts'
import { enqueue } from '../shared/jobs.ts'
import { limitGuesses } from '../shared/limit-attempts.ts'
import type { Tools } from '../shared/tools.ts'
import { mailedLinkLifeMs } from './mailed-links.ts'

export type EmailLink = { customerId: number; key: string }

/** Sends the verification link again, to the unverified address. */
export async function requestEmailLink(
  tools: Tools,
  customerId: number,
  ip: string,
): Promise<{ ok: true } | { ok: false; reason: 'too-many'; waitMs: number }> {
  const tries = await limitGuesses(tools, 'confirm-email', { subject: String(customerId), ip })
  if (!tries.ok) return { ok: false, reason: 'too-many', waitMs: tries.waitMs }
  const customer = await findCustomer(tools.db.kysely, customerId)
  if (!customer) throw new Error(`customer ${customerId} no longer exists`)
  if (customer.email_wanted === null && customer.email_verified_at === null)
    await updateCustomerIf(
      tools.db.kysely,
      customerId,
      { email: customer.email, email_wanted: null, email_verified_at: null },
      { email_wanted: customer.email },
    )
  const key = `account-mail-confirm-${customerId}`
  await enqueue(tools.db.kysely, 'account-mail', { kind: 'confirm-email', customerId }, { key })
  return { ok: true }
}

/**
 * Creates a link, which invalidates earlier ones. Only its digest is stored: the key is in the email alone.
 * @param address recipient of the email, and the only address that the link verifies
 * @returns null if the customer does not want this address, or no longer: then earlier links stay valid
 */
export async function createEmailLink(
  tools: Pick<Tools, 'db' | 'clock' | 'chance'>,
  customerId: number,
  address: string,
): Promise<EmailLink | null> {
  const key = tools.chance.alphanumeric(40)
  const email_expires_at = new Date(tools.clock.now().getTime() + mailedLinkLifeMs)
  const link = { email_digest: sha256(key), email_expires_at }
  return (await updateCustomerIf(tools.db.kysely, customerId, { email_wanted: address }, link))
    ? { customerId, key }
    : null
}

/** Returns the address that a link verifies, or null if the link is invalid. */
export async function addressOfLink(tools: Tools, link: EmailLink): Promise<string | null> {
  const customer = await findCustomer(tools.db.kysely, link.customerId)
  return customer && fits(tools, customer, link.key) ? customer.email_wanted : null
}

function fits({ clock }: Pick<Tools, 'clock'>, customer: CustomerRow, key: string): boolean {
  const { email_digest: digest, email_expires_at: until, email_wanted: wanted } = customer
  if (digest === null || wanted === null || until === null || until <= clock.now()) return false
  return timingSafeEqual(Buffer.from(sha256(key), 'hex'), Buffer.from(digest, 'hex'))
}

/**
 * Makes the link's address the logged-in customer's: the link proves access to the mailbox, the login the account. Uses
 * up the link, notifies the previous address, and links guest orders of this address.
 */
export async function confirmEmail(
  tools: Tools,
  customerId: number,
  link: EmailLink,
): Promise<{ ok: true; linkedOrders: number } | { ok: false; reason: 'link-invalid' | 'email-taken' }> {
  if (link.customerId !== customerId) return { ok: false, reason: 'link-invalid' }
  const now = tools.clock.now()
  const result = await transaction(tools, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    const email = customer?.email_wanted
    if (!customer || !email || !fits(tools, customer, link.key)) return 'link-invalid' as const
    const taken = await updateCustomer(tx, customerId, {
      email,
      email_verified_at: now,
      email_wanted: null,
      email_digest: null,
      email_expires_at: null,
      // A password link may have been sent to the previous address.
      reset_digest: null,
      reset_expires_at: null,
      updated_at: now,
    })
    if (taken) throw new Taken()
    if (email !== customer.email) {
      const { username, language } = customer
      const facts = { kind: 'email-changed', email: customer.email, username, language } as const
      await enqueue(tx, 'account-mail', facts, { key: `account-mail-changed-${customerId}-${now.getTime()}` })
    }
    return tools.settings.accounts.linkPastOrders ? linkGuestOrders(tx, customerId, email, now) : 0
  }).catch((error: unknown) => {
    if (error instanceof Taken) return 'email-taken' as const
    throw error
  })
  return typeof result === 'string' ? { ok: false, reason: result } : { ok: true, linkedOrders: result }
}

/**
 * Another account with the address was created meanwhile. Thrown, because a failed statement aborts the transaction.
 */
class Taken extends Error {}
