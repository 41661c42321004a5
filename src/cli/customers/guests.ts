import { findReviewsToExport } from '#database/catalog/reviews.ts'
import type { CustomerRow } from '#database/customers/customers.ts'
import { findGuestOrders } from '#database/customers/personal-data.ts'
import { eraseGuest } from '#shop/customers/erase-customer.ts'
import { exportGuest } from '#shop/customers/export-customer.ts'
import type { CommandContext } from '../shared/command.ts'
import { type Given, isConfirmed } from '../shared/command-group.ts'
import { recordStaffAccess } from '../shared/log-access.ts'
import { counted, fail, warn } from '../shared/messages.ts'

/** Exports the data of a guest by the email address of orders and reviews. @returns null: there are neither */
export async function guestExport(email: string, context: CommandContext): Promise<Record<string, unknown> | null> {
  const orders = await findGuestOrders(context.db.kysely, email)
  for (const id of orders) await recordStaffAccess(context, 'customers export', `order:${id}`)
  const reviews = await countReviews(email, context)
  return orders.length + reviews === 0 ? null : exportGuest(context, email)
}

async function countReviews(email: string, { db }: Pick<CommandContext, 'db'>): Promise<number> {
  return (await findReviewsToExport(db.kysely, { customerId: null, guest: email })).length
}

/** Warns of guest orders that count as an account's although its email address was never verified. */
export async function warnOfGuestOrders(
  { email, email_verified_at }: Pick<CustomerRow, 'email' | 'email_verified_at'>,
  context: CommandContext,
): Promise<void> {
  if (email_verified_at !== null) return
  const { length } = await findGuestOrders(context.db.kysely, email)
  if (length === 0) return
  warn(
    context,
    `${email} is not a verified email, and its ${counted(length, 'guest order')} are included. Make sure that the address is the customer's.`,
  )
}

/** Erases a guest from orders and reviews. @returns the exit code; null: there are neither */
export async function eraseGuestOrders(email: string, given: Given, context: CommandContext): Promise<number | null> {
  const { length } = await findGuestOrders(context.db.kysely, email)
  const reviews = await countReviews(email, context)
  if (length + reviews === 0) return null
  const all = reviews === 0 ? counted(length, 'order') : `${counted(length, 'order')} and ${counted(reviews, 'review')}`
  if (!(await isConfirmed(given, context, `Erase all personal data from ${all} of ${email} for good`))) return 1
  const result = await eraseGuest(context, email, context.who)
  if (!result.ok) {
    if (result.reason === 'unknown') return null
    return fail(
      context,
      `${email} has ${all} and no account, and orders keep their data. To change that: settings privacy.keepOrderData false`,
    )
  }
  const { erased, waiting } = result
  if (reviews > 0) context.say(`Removed name and email from ${counted(reviews, 'review')}.`)
  if (erased > 0) context.say(`Erased personal data from ${counted(erased, 'order')}.`)
  if (waiting > 0)
    context.say(`${counted(waiting, 'order')} in progress: the running shop erases the data once they are completed.`)
  return 0
}
