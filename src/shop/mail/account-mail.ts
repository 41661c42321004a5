import { type CustomerRow, findCustomer, findCustomerByLogin } from '#database/customers/customers.ts'
import { storedAttribution } from '../attribution/attribution-intake.ts'
import { createEmailLink, type EmailLink } from '../customers/confirm-email.ts'
import { createResetLink, type ResetLink } from '../customers/credentials/reset-password.ts'
import { createCustomer } from '../customers/register-customer.ts'
import type { AccountMailFacts } from '../shared/jobs.ts'
import type { Tools } from '../shared/tools.ts'

/** An email to write: recipient, subject, and a link where needed. */
export type AccountMailDue = {
  email: string
  username: string
  /** The customer's language, or that of the requesting page; '' for the shop's own. */
  language: string
} & (
  | { kind: 'choose-password' | 'reset-password' | 'known-address'; link: ResetLink }
  | { kind: 'welcome' | 'confirm-email'; link: EmailLink }
  | { kind: 'email-changed' | 'account-closed'; link: null }
)

/**
 * Returns the email for a job, or null without a recipient. Creates the requested account or link: a retry of the job
 * creates another link, which invalidates the one before.
 */
export async function accountMailDue(tools: Tools, facts: AccountMailFacts): Promise<AccountMailDue | null> {
  switch (facts.kind) {
    case 'welcome': {
      const customer = await findCustomer(tools.db.kysely, facts.customerId)
      if (!customer) return null
      // Null if another address is wanted, or this one is verified: a separate email covers that.
      const link = await createEmailLink(tools, customer.id, customer.email)
      return link && { kind: 'welcome', ...customer, link }
    }
    case 'open-account': {
      const { email, language = '' } = facts
      const attribution = storedAttribution({ ...facts.attribution })
      const made = await createCustomer(tools, { email, username: '', password: null, language, attribution })
      if (typeof made !== 'string') return withResetLink(tools, 'choose-password', made)
      const known = await findCustomerByLogin(tools.db.kysely, email)
      if (!known) return null
      // The account was created by this very job, whose first email was not sent.
      const kind = known.password === null ? 'choose-password' : 'known-address'
      return withResetLink(tools, kind, { ...known, language })
    }
    case 'reset-password': {
      const customer = await findCustomerByLogin(tools.db.kysely, facts.login)
      if (!customer) return null
      const { language = customer.language } = facts
      // The address changed between reading and writing: the email goes to the new one.
      return (
        (await withResetLink(tools, 'reset-password', { ...customer, language })) ??
        (await accountMailDue(tools, facts))
      )
    }
    case 'confirm-email':
      return confirmDue(tools, facts.customerId)
    case 'email-changed':
    case 'account-closed':
      return { ...facts, language: facts.language ?? '', link: null }
  }
}

/** If another account has the requested address, only an email there reports it, so that the form discloses nothing. */
async function confirmDue(tools: Tools, customerId: number): Promise<AccountMailDue | null> {
  const customer = await findCustomer(tools.db.kysely, customerId)
  const email = customer?.email_wanted
  if (!customer || !email) return null
  const known = email === customer.email ? undefined : await findCustomerByLogin(tools.db.kysely, email)
  if (known) return withResetLink(tools, 'known-address', known)
  const { username, language } = customer
  // Null: another address was requested meanwhile, and its own job follows.
  const link = await createEmailLink(tools, customerId, email)
  return link && { kind: 'confirm-email', email, username, language, link }
}

async function withResetLink(
  tools: Tools,
  kind: 'choose-password' | 'reset-password' | 'known-address',
  customer: CustomerRow,
): Promise<AccountMailDue | null> {
  const link = await createResetLink(tools, customer)
  return link && { kind, ...customer, link }
}
